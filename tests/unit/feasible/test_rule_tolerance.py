"""How much rounding the checklist forgives a rule: only what its moving columns can cause."""

import numpy as np
import pytest

from dirrac_core import Actions
from dirrac_core.data.schema.actions import LinearRule
from dirrac_core.feasible.checks import TOLERANCE, ActionChecks


def rule_kept(missed, locked):
    """Whether 1e5·x_0 + x_1 ≤ 1 passes where it is missed by so much and x_0 is 0."""
    x = np.array([0.0, 1.0 + missed, 1.0])
    rule = LinearRule(np.array([1e5, 1.0]), -np.inf, 1.0, name="rule")
    actions = Actions([-1.0, 0.0], [1.0, 2.0], locked=[0] if locked else [], linear=[rule])
    start = np.array([0.0, 0.5, 1.0])
    return next(
        check.ok for check in ActionChecks(start, actions, False)(x) if check.name == "rule"
    )


@pytest.mark.parametrize("locked", [True, False])
def test_a_rule_may_be_missed_by_rounding(locked):
    assert rule_kept(0.5 * TOLERANCE, locked)
    assert not rule_kept(1.0, locked)


def test_a_column_that_cannot_move_lends_a_rule_no_room():
    assert rule_kept(1e-2, locked=False)
    assert not rule_kept(1e-2, locked=True)
