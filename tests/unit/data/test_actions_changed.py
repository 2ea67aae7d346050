"""Actions with more locks or another box are those made from scratch, without all the checks."""

from dataclasses import fields, replace

import numpy as np
import pytest

from dirrac_core import Actions
from dirrac_core.errors import InvalidActions


def some_actions():
    return Actions(
        lower=[0.0] * 5,
        upper=[1.0] * 5,
        locked=[4],
        only_up=[0],
        groups=[(2, 3)],
        linear=[([1.0, 1.0, 0.0, 0.0, 0.0], -np.inf, 1.5)],
        conditional=[(2, 0, 0.2, 0.8)],
    )


def same(one, other):
    for each in fields(Actions):
        first, second = getattr(one, each.name), getattr(other, each.name)
        if each.name == "linear":
            assert [(r.coefficients.tolist(), r.low, r.high) for r in first] == [
                (r.coefficients.tolist(), r.low, r.high) for r in second
            ]
        elif isinstance(first, np.ndarray):
            assert first.tolist() == second.tolist() and not first.flags.writeable
        else:
            assert first == second


def test_more_locked_columns():
    actions = some_actions()
    same(actions.with_locked([1, 4, 0]), replace(actions, locked=(4, 1, 4, 0)))
    same(actions, some_actions())
    with pytest.raises(InvalidActions, match="locked"):
        actions.with_locked([-1])


def test_another_box():
    actions, lower = some_actions(), np.full(5, 0.25)
    changed = actions.with_box(lower, [0.75] * 5)
    same(changed, replace(actions, lower=lower, upper=[0.75] * 5))
    lower[0] = 9.0
    assert changed.lower[0] == 0.25
    same(actions, some_actions())
    with pytest.raises(InvalidActions, match="must not exceed"):
        actions.with_box([0.9] * 5, [0.1] * 5)
    with pytest.raises(InvalidActions, match="same length"):
        actions.with_box([0.0] * 4, [1.0] * 5)
