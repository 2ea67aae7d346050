"""The files handed over: harmless, complete, and true to the plan."""

import csv
import datetime
import html
import io
from dataclasses import replace

import pytest

from dirrac_core import DATASETS
from dirrac_core.case.case import Solution, bundle_of, solve_scenario
from dirrac_core.case.documents.letter import letter
from dirrac_core.case.facts import facts_of
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.dataset import make_sample
from dirrac_core.recourse.room import room_to_move
from dirrac_core.wording import at_most, no_fewer, out_of
from pages.recourse.export.files import plan_csv

HORIZON = "The evidence ends with 2026."
DAY = datetime.date(2026, 11, 16)
LINK = "http://localhost/recourse?dataset=german&applicant=1"


def written(solution, link=LINK, **more):
    facts = facts_of(solution.case, solution.plan.x)
    return " ".join(letter(solution, facts, link, DAY, **more).split()), facts


@pytest.mark.parametrize("name", DATASETS)
def test_a_letter_says_the_plan_its_facts_and_its_conditions(name):
    row = int(bundle_of(Scenario(name, 0)).declined[0])
    solution = solve_scenario(Scenario(name, row))
    page, facts = written(solution)
    case, x = solution.case, solution.plan.x
    for said in (
        case.dataset.schema.sentence(case.x0, x),
        f"Observed: {facts.declined} of {len(facts.observed)} declined it",
        "16 November 2026",
        LINK,
        "Dear applicant",
        "The promise holds under these conditions",
        "Everything else stays as it is",
    ):
        assert html.escape(said) in page


def test_a_letter_says_when_reality_went_beyond_the_guarantee():
    beyond = "the real shift went beyond the conditions below"
    assert beyond in written(solve_scenario(Scenario("sba", 31)))[0]
    assert beyond not in written(solve_scenario(Scenario("german", 1)))[0]


@pytest.mark.parametrize(
    ("cut", "kind", "words"),
    [
        (0.6, "probability", "takes a chance of at least 60 in 100, today and later"),
        (0.8, "score", "takes a score of at least 0.8 in log-odds, today and later"),
        (0.7, "approval", "in log-odds, which approves 70 in 100 of today"),
    ],
)
def test_a_letter_says_what_it_takes_as_the_lender_states_it(cut, kind, words):
    asked = Scenario("german", 1, cut_off=cut, cut_off_kind=kind)
    solution = solve_scenario(asked)
    page, _ = written(solution)
    assert words in page
    assert f"and {out_of(solution.case.bundle.needed)} are needed" in page


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
    renamed = replace(schema, features=features, presets={}, derived=())
    present = case.dataset.present
    people = present.people.rename(columns={"Duration": name})
    sample = make_sample(renamed, people, present.y)
    dataset = replace(case.dataset, schema=renamed, present=sample)
    return Solution(replace(case, dataset=dataset), solution.plan)


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
    page, _ = written(several)
    assert "2 kinds of future models" in page and "ρ = 0.05 to 0.2" in page
    assert "as likely as estimated" in page
    one, _ = written(solve_scenario(Scenario("german", 1, components=1)))
    assert "one kind of future model" in one and "as likely as" not in one
    worst = replace(several.case.scenario, weighting="worst-component")
    assert "does not matter how likely" in written(solve_scenario(worst))[0]


def test_room_rules_instalment_and_horizon_are_in_the_letter():
    solution = solve_scenario(Scenario("german", 3, plausibility=0.05, domain_rules=True))
    room = room_to_move(solution.case.dataset, solution.case.problem, solution.plan.x)
    page, _ = written(solution, room=room, horizon=HORIZON)
    assert "Room to move" in page and HORIZON in page
    assert "Monthly instalment" in page and "98 of 100 real borrowers" in page
    assert "1 in 20 real people" in page
    for interval in room.intervals:
        assert interval.sentence.split(": ")[1] in page


def test_a_room_of_one_point_promises_nothing_of_its_own():
    solution = solve_scenario(Scenario("german", 1))
    case = solution.case
    room = room_to_move(case.dataset, case.problem, solution.plan.x)
    point = replace(room, intervals=tuple(replace(i, high=i.low) for i in room.intervals))
    assert "Anywhere within" in written(solution, room=room)[0]
    page, _ = written(solution, room=point)
    assert "Anywhere within" not in page and "Room to move" in page


def test_two_rules_with_one_reason_are_one_condition():
    row = int(bundle_of(Scenario("sba", 0)).declined[0])
    page, _ = written(solve_scenario(Scenario("sba", row, domain_rules=True)))
    assert page.count("expect a loan to create") == 1


def test_the_promise_has_the_word_and_the_record_it_is_given():
    solution = solve_scenario(Scenario("german", 1))
    record = "At settings like these, 4 of 83 past promises were broken."
    page, facts = written(solution, promise_word="Guarantee", record=record)
    assert f"Guarantee: {at_most(facts.guarantee)} future models decline it." in page
    assert record in page
    assert "Guarantee" not in written(solution)[0]


def test_no_promise_number_where_todays_model_declines_the_plan():
    solution = solve_scenario(Scenario("german", 3))
    case, x = solution.case, solution.plan.x
    facts = facts_of(case, x)
    room = room_to_move(case.dataset, case.problem, x)
    kept = (at_most(facts.guarantee), at_most(facts.if_gaussian), at_most(room.level))
    bound = no_fewer(solution.plan.lower_bound)
    given = {"room": room, "horizon": HORIZON, "record": "4 of 83 were broken."}
    page, _ = written(solution, **given)
    assert all(number in page for number in (*kept, bound)) and HORIZON in page
    declined = replace(facts, accepted_today=False)
    page = " ".join(letter(solution, declined, LINK, DAY, **given).split())
    assert not any(number in page for number in (*kept, bound)) and HORIZON not in page
    assert "Nothing is promised" in page and "Apply again" not in page
    assert f"Observed: {facts.declined} of {len(facts.observed)} declined it" in page


def test_protected_attributes_are_no_reasons_in_the_letter():
    for row in bundle_of(Scenario("german", 0)).declined[:5]:
        page, _ = written(solve_scenario(Scenario("german", int(row))))
        reasons = page.split("What counted most against it")[1].split("</ul>")[0]
        assert "Age" not in reasons and "Personal status" not in reasons
