"""The files handed over: harmless, complete, and true to the plan."""

import csv
import datetime
import html
import io
from dataclasses import replace

import pytest

from dirrac_core import DATASETS
from dirrac_core.appraisal import facts_of
from dirrac_core.scenario import Scenario, Solution, bundle_of, solve_scenario
from pages.shared.letter import conditions, letter, plan_csv
from pages.shared.wording import no_fewer

DAY = datetime.date(2026, 11, 16)
LINK = "http://localhost/recourse?dataset=german&applicant=1"


def written(solution, link=LINK):
    facts = facts_of(solution.case, solution.real.plan.x)
    return letter(solution, facts, link, DAY), facts


@pytest.mark.parametrize("name", DATASETS)
def test_a_letter_says_the_plan_its_facts_and_its_conditions(name):
    row = int(bundle_of(Scenario(name, 0)).declined[0])
    solution = solve_scenario(Scenario(name, row))
    page, facts = written(solution)
    case, x = solution.case, solution.real.plan.x
    for said in (
        case.dataset.schema.sentence(case.x0, x),
        f"Observed: {facts.declined} of {len(facts.observed)} declined it",
        "16 November 2026",
        LINK,
        *conditions(solution),
    ):
        assert html.escape(said) in page


def test_a_letter_says_when_reality_went_beyond_the_guarantee():
    beyond = "the real shift went beyond the conditions below"
    assert beyond in written(solve_scenario(Scenario("sba", 31)))[0]
    assert beyond not in written(solve_scenario(Scenario("german", 1)))[0]


def test_a_lower_bound_is_never_overstated():
    assert no_fewer(0.1769) == "17.6 in 100" and no_fewer(0.0003) == "0 in 100"
    assert no_fewer(0.2) == "20 in 100"


def test_a_letter_needs_nothing_from_outside():
    page, _ = written(solve_scenario(Scenario("german", 1)))
    for outside in ("<script", "<link", "<img", "@import", "url(", "src="):
        assert outside not in page


def disguised(solution, name):
    """The same solution with a feature renamed to something dangerous."""
    schema = solution.case.dataset.schema
    features = tuple(replace(f, name=name) if f.name == "Duration" else f for f in schema.features)
    case = solution.case
    dataset = replace(case.dataset, schema=replace(schema, features=features, presets={}))
    return Solution(replace(case, dataset=dataset), solution.real)


def test_text_is_escaped_in_the_letter():
    solution = disguised(solve_scenario(Scenario("german", 1)), "<b onload=x>&")
    page, _ = written(solution, link="http://x/?a=<script>")
    assert "<b onload" not in page and "&lt;b onload=x&gt;&amp;" in page
    assert "<script>" not in page


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_of_the_table_can_act_as_a_formula(start):
    solution = disguised(solve_scenario(Scenario("german", 1)), f"{start}SUM(A1)")
    rows = list(csv.reader(io.StringIO(plan_csv(solution), newline="")))
    assert rows[2][0] == f"'{start}SUM(A1)"
    assert rows[0] == ["feature", "unit", "now", "plan", "changed"]
    assert rows[2][1:] == ["months", "48.0", "4.0", "yes"]


def test_negative_numbers_stay_numbers():
    row = int(bundle_of(Scenario("synthetic", 0)).declined[0])
    rows = list(csv.reader(io.StringIO(plan_csv(solve_scenario(Scenario("synthetic", row))))))
    assert float(rows[1][2]) < 0


def test_the_conditions_follow_the_settings():
    several = solve_scenario(Scenario("german", 1, components=2, radii=(0.05, 0.2)))
    told = " ".join(conditions(several))
    assert "2 kinds of future models" in told and "ρ = 0.05 to 0.2" in told
    assert "as likely as estimated" in told
    one = " ".join(conditions(solve_scenario(Scenario("german", 1, components=1))))
    assert "one kind of future model" in one and "as likely as" not in one
    worst = replace(several.case.scenario, weighting="worst-component")
    assert "does not matter how likely" in " ".join(conditions(solve_scenario(worst)))
