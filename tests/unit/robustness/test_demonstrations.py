"""What the demonstrations claim, against the core and against what they must refuse."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dirrac_core.case.case import make_case, solve_scenario
from dirrac_core.case.outlook import LESSON
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import with_constant
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.palette import alt_text
from dirrac_core.figures.lessons.claims import certificate_lines, effort_lines
from dirrac_core.paper import claims
from dirrac_core.paper.claims import (
    certificates,
    declining_share,
    effort_at,
    effort_over_radius,
    formulations,
    midpoints,
    printed_probabilities,
    published_plans,
    rival_ratios,
)
from dirrac_core.paper.experiment import Run, Settings
from dirrac_core.paper.german_lesson import (
    BLIND,
    DECLARED,
    LOCKED,
    PREPARED,
    german_lesson,
    lesson_table,
)
from dirrac_core.robustness import (
    LINKS,
    Doubt,
    WeightBall,
    gelbrich_distance,
    worst_case_model,
)

SIX = Settings(applicants=6, jobs=1)


@pytest.fixture(scope="module")
def several():
    """A plan of three components."""
    return solve_scenario(Scenario("german", 1, components=3))


@pytest.fixture(scope="module", params=["weights", "deviations"])
def single(request):
    """A plan of one component, with the paper's effort; ρ in either unit."""
    scenario = Scenario("german", 1, components=1, delta_add=1.0, radius_unit=request.param)
    return solve_scenario(scenario)


def parts(solution):
    problem = solution.case.problem
    return solution.plan.x, problem.mixture, problem.radii


def test_six_formulations_are_the_papers_formulas(several):
    x, mixture, _ = parts(several)
    six = formulations(x, mixture, several.case.problem.doubt, WeightBall("kl", 0.1))
    assert set(zip(six["link"], six["weighting"], strict=True)) == {
        (link, weighting)
        for link in ("chebyshev", "gaussian")
        for weighting in ("nominal", "ball", "worst-component")
    }
    np.testing.assert_allclose(six["by_score"], six["printed"], rtol=1e-9, atol=1e-15)
    value = six.set_index(["link", "weighting"])["by_score"]
    assert value["chebyshev", "nominal"] == pytest.approx(
        several.plan.worst_case_probability, rel=1e-12
    )
    for link in ("chebyshev", "gaussian"):
        ordered = value[link][["nominal", "ball", "worst-component"]]
        assert ordered.is_monotonic_increasing and ordered.is_unique


def test_the_printed_formulas_need_a_valid_point():
    with pytest.raises(InvalidInput, match="need θ̂ᵀx > ρ"):
        printed_probabilities("chebyshev", np.array([1.0]), np.array([1.0]), np.array([1.0]))


def test_a_middle_never_scores_below_both_ends(single):
    people = with_constant(single.case.dataset.present.X)
    told = midpoints(people, single.case.problem.mixture, single.case.problem.doubt)
    assert (told.pairs, told.below) == (1_000, 0)


def test_a_score_that_is_not_quasi_concave_would_be_seen(single, monkeypatch):
    people = with_constant(single.case.dataset.present.X)
    monkeypatch.setattr(claims, "signed_score", lambda m, s, r: s)
    assert midpoints(people, single.case.problem.mixture, single.case.problem.doubt).below > 100


def test_midpoints_need_one_component_and_two_people(several, single):
    people = with_constant(single.case.dataset.present.X)
    with pytest.raises(InvalidInput, match="K = 1, got 3"):
        midpoints(people, several.case.problem.mixture, several.case.problem.doubt)
    assert midpoints(people[:1], single.case.problem.mixture, single.case.problem.doubt).pairs == 0


def test_both_variants_have_one_plan_and_the_published_solver_has_two(single):
    gaussian = solve_scenario(replace(single.case.scenario, link="gaussian"))
    np.testing.assert_allclose(single.plan.x, gaussian.plan.x, atol=1e-9)
    published = published_plans(single.case)
    first, second = (plan.x for plan in published.values())
    assert np.abs(first - second).max() > 0.1


def test_smaller_gaps_close_the_bound_on_the_value():
    case = make_case(
        Scenario("german", 1, shifts=LESSON, delta_add=1.0, categories="relaxed", preset="free")
    )
    rows = certificates(case.problem, (0.03, 0.003, 0.0003))
    assert (rows["gap"] <= rows["asked"] * (1 + 1e-6)).all()
    assert (rows["lower_bound"] <= rows["value"].min() + 1e-12).all()
    assert rows["lower_bound"].is_monotonic_increasing and rows["lower_bound"].is_unique
    assert rows["solves"].is_monotonic_increasing
    figure = certificate_lines(rows, "dark")
    assert list(figure.data[0].y) == list(100 * rows["lower_bound"])
    assert list(figure.data[1].y) == list(100 * rows["value"])
    assert f"to {100 * rows['lower_bound'].iloc[-1]:.2f} in 100" in alt_text(figure)


def test_the_adversary_is_on_the_ball_and_no_rival_is_worse(single):
    x, mixture, radii = parts(single)
    score = single.case.problem.objective.scores(x)[0]
    doubt = single.case.problem.doubt
    worst = worst_case_model(x, mixture, radii, metric=doubt.metric)
    distance = gelbrich_distance(
        worst.mean, worst.covariance, mixture.means[0], mixture.covariances[0], doubt.matrix(0)
    )
    assert distance == pytest.approx(0.1, abs=1e-9)
    rivals = rival_ratios(x, mixture, single.case.problem.doubt)
    assert rivals.min() > score
    # They do roam the ball: without any radius all of them are the estimate itself.
    assert np.ptp(rivals) > 0.1 and np.ptp(rival_ratios(x, mixture, Doubt.of(mixture, 0.0))) < 1e-9


def test_a_rival_lies_within_the_ball(single):
    x, mixture, _ = parts(single)
    metric = single.case.problem.metric
    tight = rival_ratios(x, mixture, Doubt.of(mixture, 0.05, metric)).min()
    wide = rival_ratios(x, mixture, Doubt.of(mixture, 0.2, metric)).min()
    calm = single.case.problem.objective.scores(x)[0]
    assert wide < tight
    worst = worst_case_model(x, mixture, 0.2, metric=metric)
    assert wide > float(worst.mean @ x / np.sqrt(x @ worst.covariance @ x))
    assert tight > calm


def test_models_of_the_adversary_decline_as_often_as_promised(single):
    x, mixture, _ = parts(single)
    promised = float(LINKS["gaussian"].probability(single.case.problem.objective.scores(x))[0])
    share = declining_share(x, mixture, single.case.problem.doubt)
    assert share == pytest.approx(promised, abs=4 * np.sqrt(promised / 20_000))


def test_effort_rises_to_the_ceiling_and_ends_there(several):
    problem = several.case.problem
    ceiling = problem.unbounded.largest_radius()
    table = effort_over_radius(problem)
    assert table["effort"].iloc[:-1].is_monotonic_increasing
    assert np.isfinite(table["effort"].iloc[:-1]).all() and table["effort"].iloc[-1] == np.inf
    assert np.isfinite(effort_at(problem, 0.999 * ceiling))
    assert effort_at(problem, 1.001 * ceiling) == np.inf
    assert effort_at(problem, 0.1) == pytest.approx(problem.delta_min)
    below = effort_lines(table, 0.1, effort_at(problem, 0.1))
    beyond = effort_lines(table, 2 * ceiling, np.inf)
    assert below.data[1].marker.symbol == "circle-open" and beyond.data[1].marker.symbol == "x"
    assert "there is none" in alt_text(beyond)


def test_the_lesson_in_small():
    told = []
    frame = german_lesson(Run(SIX, lambda part, words: told.append(part)))
    assert frame.attrs["complete"] and told[-1] == 1.0
    assert list(frame["prepared"][:3]) == list(PREPARED) and len(frame) == 18
    table = lesson_table(frame).set_index("prepared")
    assert (table["n"] == 6).all() and (table["plans"] == 6).all()
    assert table.loc[BLIND, "ends_misread"] == 1.0 and table.loc[BLIND, "m2"] < 0.7
    assert table.loc[DECLARED, "ends_misread"] == 0.0 and table.loc[DECLARED, "m2"] > 0.95
    assert table.loc[LOCKED, "uses_status"] == 0.0 and table.loc[LOCKED, "m2"] > 0.95
    assert (table["m2_low"] <= table["m2"]).all() and (table["m2"] <= table["m2_high"]).all()


def test_a_stopped_lesson_keeps_what_is_finished():
    asked = iter([False, False, True])
    frame = german_lesson(Run(SIX, cancel=lambda: next(asked)))
    assert not frame.attrs["complete"]
    assert len(frame) == 3 * frame["applicant"].nunique() < 18
    nothing = german_lesson(Run(SIX, cancel=lambda: True))
    assert nothing.empty and not nothing.attrs["complete"]


def test_a_lesson_without_plans_has_no_means():
    rows = [(way, 1, False, False, False, np.nan) for way in PREPARED]
    columns = ["prepared", "applicant", "found", "uses_status", "ends_misread", "m2"]
    table = lesson_table(pd.DataFrame(rows, columns=columns))
    assert (table["plans"] == 0).all() and table["m2"].isna().all()
