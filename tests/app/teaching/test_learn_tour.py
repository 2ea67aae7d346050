"""The guided tour: every link opens whole, and what a step says is what the core computes."""

from dataclasses import replace
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest
from screen import button, charts, said

from dirrac_core.case.case import make_case, solve_scenario
from dirrac_core.case.facts import facts_of
from dirrac_core.case.outlook import LESSON
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.datasets.synthetic import MEAN_0, MEAN_1
from dirrac_core.robustness.coverage import coverage
from dirrac_core.solvers import solve_projected_gradient
from dirrac_core.studies.exercises import EXERCISES
from pages.frontier import computing as frontier_computing
from pages.frontier import view as frontier_view
from pages.geometry import view as geometry_view
from pages.learn.mathematics import SECTIONS
from pages.learn.questions import QUESTIONS
from pages.shared.address.links import (
    PAGE_PARAMETERS,
    address_of,
    from_query,
    is_of_version_1,
)
from pages.shift_lab import computing as lab
from pages.shift_lab import view as lab_view
from pages.shift_lab.tour import STOPS


def test_the_tour_has_ten_steps_and_a_way_through_them(open_app):
    at = open_app("shift_lab", lab_part="Guided tour", tour="9")
    assert not at.exception and not at.error and not at.warning and len(STOPS) == 10
    assert "### 9 · The trap" in said(at)
    assert at.get("link_button")[0].proto.url == STOPS[8].address
    # The question comes first; the answer, its numbers and the notes after it.
    assert STOPS[8].predict in said(at) and STOPS[8].look not in said(at)
    at.toggle(key="reveal tour 9").set_value(True).run()
    assert not at.exception and STOPS[8].look in said(at) and STOPS[8].notes in said(at)
    assert [metric.value for metric in at.metric][::2] == ["at most 3 of 100", "78 of 100"]
    button(at, "Next").click().run()
    assert "### 10 · " in said(at) and button(at, "Next").disabled
    for _ in range(9):
        button(at, "Previous").click().run()
    assert "### 1 · " in said(at) and button(at, "Previous").disabled
    for stop in STOPS:
        assert f"[{stop.title}]({stop.address})" in said(at)


def test_the_start_page_leads_to_the_tour(open_app):
    at = open_app("start")
    (link,) = [each for each in at.get("page_link") if "guided tour" in each.proto.label]
    assert link.proto.page.endswith("shift_lab")
    assert link.proto.query_string == "lab_part=Guided+tour"


@pytest.mark.parametrize("stop", STOPS, ids=lambda stop: stop.title)
def test_each_link_opens_its_page_without_ignored_parts(open_app, stop):
    at = open_app(stop.page, **stop.query)
    assert not at.exception and not at.error
    assert not any("except for what could not be used" in each.value for each in at.warning)
    scenario, ignored = from_query(stop.query, Scenario("german", 0))
    assert ignored == []
    if "dataset" in stop.query:
        assert at.session_state["scenario"] == scenario
    for name in stop.query:
        if name in PAGE_PARAMETERS and name in at.session_state:
            assert str(shown(at, name)) == stop.query[name]
    assert 1 <= stop.look.count(".") <= 3 and "?" in stop.ask


@pytest.mark.parametrize("each", (*STOPS, *EXERCISES), ids=lambda each: each.title)
def test_links_of_tour_and_exercises_are_of_this_version_and_mean_the_same(each):
    """Nobody who follows a lesson reads that its address is an old one."""
    page, _, asked = address_of(each.page, each.query).partition("?")
    written = dict(parse_qsl(asked))
    assert page == each.page
    assert not is_of_version_1(written)
    then, ignored = from_query(each.query, Scenario("german", 0))
    assert from_query(written, Scenario("german", 0)) == (then, []) and ignored == []
    own = [name for name in each.query if name in PAGE_PARAMETERS]
    assert all(written[name] == each.query[name] for name in own)


def shown(at, name):
    """What a widget bound to the address shows."""
    for widget in (*at.get("button_group"), *at.select_slider, *at.toggle):
        if widget.key == name:
            value = widget.value
            if hasattr(widget, "options"):
                formats = {"lab_size": "{:.1f}", "lab_effort": "{:.2f}", "lab_rho": "{:g}"}
                return formats[name].format(value) if name in formats else label(name, value)
            return str(value).lower()
    pytest.fail(f"no widget {name}")


def label(name, value):
    words = {
        "view": geometry_view.MODES,
        "against": frontier_view.AGAINST,
        "lab_kind": lab_view.KINDS,
        "lab_prepared": lab_view.PREPARED,
    }
    return words[name][value]


def scenario_of(place):
    return from_query(STOPS[place - 1].query, Scenario("german", 0))[0]


def facts_at(place):
    solution = solve_scenario(scenario_of(place))
    case, x = solution.case, solution.plan.x
    return case.dataset.schema.sentence(case.x0, x), facts_of(case, x)


def test_step_1_the_guarantee_is_the_largest_of_the_three():
    sentence, facts = facts_at(1)
    assert "from 48 to" in sentence
    assert facts.guarantee > max(facts.if_gaussian, facts.declined / 100)


def lab_step(place, size="2.0"):
    query = STOPS[place - 1].query
    prepared = "shifts" if "lab_prepared" in query else "re-trainings"
    effort = float(query["lab_effort"])
    assert effort in lab_view.EFFORTS
    rho = float(query.get("lab_rho", lab.RADIUS))
    rows = lab.validity(prepared, effort, rho, query["lab_kind"], float(size))
    return rows["m2"].tolist(), lab.plan_facts(prepared, effort, rho)


def test_step_2_the_line_moved_and_only_the_dear_plans_survive():
    m2, facts = lab_step(2)
    effort = facts["effort"]
    assert m2[0] < 0.5 and m2[2] == 1.0
    assert effort[2] > 2 * effort[0]
    schema = lab.models_today().dataset.schema
    names = [feature.name for feature in schema.features]
    ends = schema.encode(pd.DataFrame([MEAN_0, MEAN_1], columns=names))

    def crossing(theta):
        """Where a boundary cuts the way from one class to the other, from 0 to 1."""
        low, high = ends @ theta[:2] + theta[2]
        return -low / (high - low)

    today = crossing(lab.models_today().current.theta)
    assert all(crossing(theta) > today for theta in lab.after_shift("covariance", 2.0).models)


def test_step_3_what_came_lies_inside_what_was_declared_and_the_promise_holds():
    (m2, *_), facts = lab_step(3)
    mixture = lab.preparation("shifts").mixture
    after = lab.after_shift("covariance", 2.0).models
    assert coverage(after, mixture, 0.25).group_inside
    assert not coverage(after, mixture, lab.RADIUS).group_inside
    assert 1.0 - m2 <= facts["worst_case"][0]
    # "About a tenth more effort than before".
    assert 1.05 < facts["effort"][0] / lab_step(2)[1]["effort"][0] < 1.15


def test_step_4_the_nearest_point_fails_nearly_always():
    problem = solve_scenario(scenario_of(4)).case.problem
    assert problem.objective.value(problem.unbounded.cheapest.x) > 0.95
    assert solve_scenario(scenario_of(4)).plan.worst_case_probability < 0.05


def test_step_5_more_doubt_makes_the_cheapest_plan_dearer():
    start = scenario_of(5)
    costs = [make_case(replace(start, radii=rho)).problem.delta_min for rho in (0, 0.5, 1, 2)]
    assert costs == sorted(costs) and costs[-1] > costs[0] + 0.05


def test_step_6_every_step_goes_downhill_to_the_certified_value():
    solution = solve_scenario(scenario_of(6))
    problem = solution.case.problem
    values = [
        step.value
        for step in solve_projected_gradient(problem.feasible_set, problem.objective).trace
    ]
    assert all(later < earlier for earlier, later in zip(values, values[1:-1], strict=False))
    assert values[-1] - solution.plan.exact.lower_bound < 1e-3


def test_step_7_both_links_give_the_same_plan_and_another_number():
    one = scenario_of(7)
    plans = [solve_scenario(replace(one, link=link)).plan for link in ("chebyshev", "gaussian")]
    assert np.array_equal(plans[0].x, plans[1].x)
    assert plans[0].worst_case_probability > plans[1].worst_case_probability


def test_step_8_more_effort_never_lowers_the_promise_but_may_the_count():
    rows = frontier_computing.family_rows(scenario_of(8), "dirrac").sort_values("parameter")
    assert rows["guaranteed"].is_monotonic_increasing
    assert not rows["m2"].is_monotonic_increasing
    # Upward the picture counts declining models, so a better promise lies further down.
    assert "further down promises more" in STOPS[7].look
    assert frontier_view.value_title("worst_case", scenario_of(8)).startswith("declining models")


def test_steps_9_and_10_the_trap_and_the_way_around_it():
    sentence, blind = facts_at(9)
    assert "“no account”" in sentence
    assert blind.guarantee <= 0.03 and blind.declined > 50
    sentence, declared = facts_at(10)
    assert scenario_of(10).shifts == LESSON
    assert "account" not in sentence
    assert declared.guarantee > blind.guarantee and declared.declined <= 5


@pytest.mark.parametrize("place", range(1, len(STOPS) + 1))
def test_every_step_draws_its_picture(open_app, place):
    at = open_app("shift_lab", lab_part="Guided tour", tour=str(place), lecture="true")
    at.toggle(key=f"reveal tour {place}").set_value(True).run()
    assert not at.exception and not at.error and not at.warning
    dragged = [part for part in at.get("bidi_component") if "tour links" in part.proto.id]
    assert charts(at) or dragged or len(at.metric) == 3
    # What a step shows is what it speaks about.
    assert ("Every mark is a plan" in said(at)) == any("tour frontier" in c.id for c in charts(at))


def test_in_a_lecture_the_mathematics_is_one_step_on_a_screen(open_app):
    at = open_app("learn", dataset="german", applicant="1", k="1", lecture="true", learn_step="9")
    assert not at.exception and not at.error and not at.warning
    steps = [m.value for m in at.main.markdown if m.value.startswith("### ")]
    assert len(steps) == 1 and steps[0].startswith("### 9 · ")
    # A question first; the key that turns the page shows the answer before it turns.
    predict, notes = QUESTIONS["attained"]
    assert predict in said(at) and notes not in said(at) and not charts(at)
    button(at, "Next").click().run()
    assert "### 9 · " in said(at) and notes in said(at) and charts(at)
    button(at, "Next").click().run()
    assert "### 10 · " in said(at) and QUESTIONS["weightings"][1] not in said(at)


def test_every_section_has_a_question_and_notes():
    assert list(QUESTIONS) == [write.__name__ for write in SECTIONS]
    assert all("?" in predict and notes.endswith(".") for predict, notes in QUESTIONS.values())


def test_in_a_lecture_the_last_step_is_revealed_and_ends(open_app):
    at = open_app("learn", lecture="true", learn_step=str(len(SECTIONS)))
    button(at, "Next").click().run()
    assert QUESTIONS["ceiling_on_rho"][1] in said(at) and button(at, "Next").disabled


def test_the_exercises_compute_their_solutions(open_app):
    at = open_app("learn", chapter="Exercises")
    assert not at.exception and not at.error
    at.toggle(key="hint 2").set_value(True).run()
    at.toggle(key="solution 2").set_value(True).run()
    assert "Φ(−a) = 0.05" in at.main.info[0].value
    assert "4.359" in at.main.success[0].value and "1.645" in at.main.success[0].value
