"""How numbers and names read on the pages: what was once wrong stays mended."""

from types import SimpleNamespace

import numpy as np
import pytest

from dirrac_core.case.case import make_case, solve
from dirrac_core.case.facts import facts_of
from dirrac_core.case.no_plan import why_no_plan
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.data.schema.feature import Feature
from pages.recourse.price import gain_words
from pages.recourse.proof import written
from pages.shared.plan_tables import declining_models
from pages.shared.promise import at_least
from pages.shared.wording import feature_label


@pytest.mark.parametrize("nothing", [0.0, -0.0, -1e-9])
def test_nothing_has_no_sign(nothing):
    assert written(nothing) == "0.000000" and at_least(nothing) == "0"


def test_a_gain_that_reads_like_none_is_none():
    assert gain_words(0.115, 0.118) == gain_words(None, 0.1) == gain_words(0.2, 0.1) == "no gain"
    assert gain_words(0.109, 0.12) == "at most 11 instead of 12 of 100 decline"


def test_a_unit_that_the_name_says_is_left_out():
    staff = Feature("Employees", "integer", unit="employees", high=10.0)
    term = Feature("Term", "integer", unit="months", high=10.0)
    assert (feature_label(staff), feature_label(term)) == ("Employees", "Term (months)")


def test_what_today_declines_is_promised_nothing():
    case = make_case(Scenario("german", 1))
    facts = facts_of(case, case.x0)
    assert not facts.accepted_today
    table = declining_models(case, facts)["Declining models"]
    assert table["Worst case"] == table["Assumption: if Gaussian"] == "no promise"
    assert table["Observed: counted"].endswith(" of 100")
    imagined = SimpleNamespace(bundle=SimpleNamespace(future=SimpleNamespace(simulated=True)))
    assert "Simulated: counted" in declining_models(imagined, facts).index


def test_nobody_is_advised_to_free_what_is_protected():
    """Though it would open a plan: with age and sex free this person has one."""
    locked = [FeatureRule(name, "no") for name in ("Status", "Duration", "Credit amount")]
    freed = [FeatureRule(name, "both") for name in ("Age", "Personal status")]
    case = make_case(Scenario("german", 153, edits=tuple(locked)))
    schema, offered = case.dataset.schema, set()
    for unlock in why_no_plan(case).unlocks:
        columns = {column for feature in unlock.features for column in feature}
        offered |= {f.name for f in schema.features if columns & set(schema.columns_of(f.name))}
    assert offered == {"Status", "Duration", "Credit amount"}
    other = make_case(Scenario("german", 153, edits=(*locked, *freed)))
    assert solve(other).plan.x is not None


def test_a_worst_case_above_one_half_is_no_useful_promise():
    case = make_case(Scenario("german", 1))
    facts = facts_of(case, case.x0)
    accepted = type(facts)(0.51, 0.02, facts.observed, True)
    table = declining_models(case, accepted, np.array([0.015, 0.51]))["Declining models"]
    assert table["Worst case"] == "at most 51 of 100: no useful promise"
    assert table["Assumption: if Gaussian"] == "at most 2 of 100"
    # One unit everywhere: 15 in 1,000 are 2 of 100, rounded to the safe side.
    assert table.iloc[3] == "at most 2 of 100"
