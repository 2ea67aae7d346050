"""The checklist people read: no condition of the core is left out."""

import numpy as np

from dirrac_core.case.case import make_case, solve_scenario
from dirrac_core.case.realism import rules_in_force
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from pages.shared.plan_tables import broken_checks, checklist

ASKED = Scenario.of(recommended("german"), 677)


def test_likeness_and_every_rule_of_the_domain_are_on_the_checklist():
    solution = solve_scenario(ASKED)
    table = checklist(solution.case, solution.plan)
    assert (table["Holds"] == "✓ yes").all() and table.index.is_unique
    assert "It is like real people who were accepted" in table.index
    for rule in rules_in_force(solution.case.dataset, ASKED):
        if rule.kind != "closed":
            assert f"The rule “{rule.name}” holds" in table.index
    assert not any("constant" in words for words in table.index)


def test_a_tried_value_that_breaks_a_rule_of_the_domain_is_named():
    case = make_case(ASKED)
    x = np.array(case.x0)
    (amount,) = case.dataset.schema.columns_of("Credit amount")
    x[amount] = 0.0
    assert any("Share of the amount" in words for words in broken_checks(case, x))
