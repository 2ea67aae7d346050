"""The small pictures: what they draw is what the core computes, and no text of a table acts."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from dirrac_core.case.case import make_case, solve
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.schema.feature import Feature
from dirrac_core.figures.plane.geometry_marks import Landmark
from dirrac_core.figures.small.bars import WIDTH, Bars, small_bars
from dirrac_core.figures.small.plane import small_plane
from dirrac_core.figures.small.steps import small_steps
from dirrac_core.figures.small.svg import Panel, line, text
from dirrac_core.geometry.axes import feature_axis
from dirrac_core.geometry.case_plane import case_plane, telling_features
from dirrac_core.recourse import find_recourse
from dirrac_core.studies.quick_frontier import (
    DELTA_ADDS,
    Point,
    dirrac_points,
    efficient,
    roar_plans,
    roar_points,
)
from tests.small_problems import slice_at


@pytest.fixture(scope="module")
def case():
    return make_case(Scenario("synthetic", 2, components=2))


def drawn(svg):
    return ElementTree.fromstring(svg)


def words(svg):
    return [each.text for each in drawn(svg).iter("text")]


def test_a_panel_puts_the_corners_of_its_window_at_its_own():
    panel = Panel((0.0, 10.0, -1.0, 1.0), 100.0, 80.0, 10.0, 10.0, 5.0, 15.0)
    assert panel.at(0.0, -1.0) == (10.0, 65.0) and panel.at(10.0, 1.0) == (90.0, 5.0)


def test_a_line_breaks_at_gaps_and_leaves_out_what_nobody_sees():
    points = np.array([[0, 0], [0.1, 0.1], [5, 5], [np.nan, np.nan], [9, 9], [12, 9]])
    assert "d='M0.0 0.0L5.0 5.0M9.0 9.0L12.0 9.0'" in line(points)
    assert line(np.empty((0, 2))) == ""


def test_words_of_a_table_are_only_words():
    assert "<b>" not in text(0, 0, "<b>bold</b> & 'x'")
    svg = small_bars(Bars((0.1, 0.2, 0.2), (0.1, 0.1, 0.1)), None, ("<img src=x>", "a & b"))
    assert "<img src=x>" in words(svg)


def test_long_names_of_one_kind_can_be_told_apart():
    names = tuple(f"Population drift: people with Status “{word}” grow" for word in "ab")
    svg = small_bars(Bars((0.1, 0.2, 0.2), (0.1, 0.1, 0.1)), None, names)
    cut = [word for word in words(svg) if "…" in word]
    assert len(set(cut)) == 2 and all(len(word) <= 35 for word in cut)


def test_the_plane_shows_the_set_and_the_points(case):
    x = solve(case).plan.x
    plane = case_plane(case, telling_features(case, x), x)
    marks = [Landmark("applicant", case.x0), Landmark("plan", x)]
    svg = small_plane(plane.slice, plane.axes, marks)
    titles = [each.text for each in drawn(svg).iter("title")]
    assert titles == ["Applicant", "Certified plan"]
    assert "The feasible set is shaded." in drawn(svg).get("aria-label")
    beyond = slice_at(np.full(2, 50.0), plane.slice)
    empty = small_plane(beyond, plane.axes, marks)
    assert "The feasible set is empty." in empty
    assert [each.text for each in drawn(empty).iter("title")] == ["Applicant"]


def test_a_unit_is_not_said_twice():
    staff = Feature("Employees", "integer", unit="employees", high=10.0)
    term = Feature("Term", "integer", unit="months", high=10.0)
    assert (feature_axis(staff).title, feature_axis(term).title) == ("Employees", "Term (months)")


def test_the_bars_count_up_and_show_the_state_before():
    now, before = Bars((0.181, 0.3, 0.25), (0.01, 0.02, 0.02)), Bars((0.4, 0.3, 0.35), (0.1,) * 3)
    shown = words(small_bars(now, before, None))
    assert "35 → 25" in shown and "40 → 19" in shown and "30" in shown
    assert [w for w in shown if w in ("0", "25", "50", "75", "100")][-5:] == [
        *("0", "25", "50", "75", "100")
    ]
    # The axis ends at 100, where a bar of everybody ends.
    whole = drawn(small_bars(Bars((1.0, 1.0), (1.0, 1.0)), None, None))
    bar = next(rect for rect in whole.iter("rect") if rect.get("fill", "").startswith("rgba"))
    assert float(bar.get("x")) + float(bar.get("width")) == WIDTH - 48.0
    # With another number of components only the total can be compared.
    fewer = Bars((0.4, 0.4), (0.1, 0.1))
    assert [w for w in words(small_bars(now, fewer, None)) if "→" in w] == ["40 → 25"]


def test_the_points_of_the_frontier_are_those_of_the_solver(case):
    points = dirrac_points(case)
    for add, point in zip(DELTA_ADDS, points, strict=True):
        other = case.problem.variant(delta=case.problem.delta_min + add)
        plan = find_recourse(other, gap=case.scenario.gap)
        assert point.worst_case == plan.worst_case_probability and point.cost == plan.cost
    for plan, point in zip(roar_plans(case), roar_points(case, roar_plans(case)), strict=True):
        assert point.worst_case == pytest.approx(case.problem.objective.value(plan.x))
    nobody = make_case(replace(case.scenario, radii=50.0))
    assert dirrac_points(nobody) == ()


def test_steps_go_through_efficient_plans_only():
    x = np.zeros(1)
    good, dear, worse = Point(x, 1.0, 0.2), Point(x, 2.0, 0.1), Point(x, 1.5, 0.3)
    assert efficient([dear, worse, good]) == (good, dear)
    rule = Point(x, 0.5, 0.05, broken=True)
    svg = small_steps([good, dear, worse, rule], [], None, "This plan")
    assert "effort 1.00, at most 20; effort 2.00, at most 10" in drawn(svg).get("aria-label")
    assert "ROAR: no plan that keeps every rule." in drawn(svg).get("aria-label")
    filled = {
        group[0].text: group[1].get("fill")
        for group in drawn(svg).iter("g")
        if len(group) == 2 and group[0].tag == "title"
    }
    broken = [fill for words, fill in filled.items() if "breaks a rule" in words]
    legal = [fill for words, fill in filled.items() if "breaks a rule" not in words]
    assert broken == ["none"] and "none" not in legal
