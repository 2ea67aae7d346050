"""Each component's best score by itself: right, and shared by every formulation of one question."""

import numpy as np
import pytest
from problems import LINKS, THREE_WEIGHTINGS, WEIGHTINGS, random_case

from dirrac_core import find_recourse
from dirrac_core.robustness import Objective
from dirrac_core.solvers.best_alone import BestAlone, best_alone
from dirrac_core.solvers.score_program import SCORE_CEILING

NO_SLACK = np.zeros(3)


def question(seed=51, **settings):
    return random_case(seed, components=3, spread=0.6).problem(
        "everything", categories="whole", delta_add=2.3, **settings
    )


@pytest.mark.parametrize("seed", [51, 52, 53])
def test_no_point_beats_it_and_its_points_attain_it(seed):
    problem = question(seed)
    feasible, scores = problem.feasible_set, problem.objective.scores
    rng = np.random.default_rng(seed)
    people = rng.uniform(size=(20, problem.x0.size - 1))
    seen = 0
    for piece in feasible.pieces():
        found = best_alone(piece, feasible.budget(), NO_SLACK)
        if found.empty:
            continue
        attained = np.max([scores(x) for x in found.points], axis=0)
        assert attained == pytest.approx(found.upper, rel=1e-6, abs=1e-6)
        inside = [feasible.project(np.append(person, 1.0)) for person in people]
        for x in inside:
            if piece.holds(x):
                seen += 1
                assert (scores(x) <= found.upper * (1 + 1e-6)).all()
    assert seen >= 10


def formulations(problem):
    """The plans of the six formulations, one after the other, on the pieces of one problem."""
    found = []
    for link in LINKS:
        for weighting in THREE_WEIGHTINGS:
            same = (problem.mixture, problem.radii, link, WEIGHTINGS[weighting], problem.metric)
            found.append(find_recourse(problem.variant(delta_add=2.3, objective=Objective(*same))))
    return found


def test_a_formulation_has_the_same_answer_whoever_was_asked_before():
    """To the last digit, and with the same number of cone programs to its name."""
    together = formulations(question())
    for link in LINKS:
        for weighting in THREE_WEIGHTINGS:
            plan, alone = together.pop(0), find_recourse(question(link=link, weighting=weighting))
            assert plan.x.tolist() == alone.x.tolist()
            assert plan.worst_case_probability == alone.worst_case_probability
            assert (plan.lower_bound, plan.solves) == (alone.lower_bound, alone.solves)


def test_formulations_share_it_and_another_budget_does_not():
    problem = question()
    piece = next(problem.feasible_set.pieces())
    budget = problem.delta_min + 0.01
    found = best_alone(piece, budget, NO_SLACK)
    assert best_alone(piece, budget, NO_SLACK) is found
    wider = best_alone(piece, budget + 0.5, NO_SLACK)
    assert (wider.upper > found.upper).any()
    assert best_alone(piece, budget + 0.5, NO_SLACK + 1e-3) is not wider
    with pytest.raises(ValueError, match="read-only"):
        wider.points[0][0] = 0.0


def test_what_was_left_for_want_of_time_is_not_kept():
    problem = question()
    piece = next(problem.feasible_set.pieces())
    hasty = best_alone(piece, problem.feasible_set.budget(), NO_SLACK, lambda: True)
    assert (hasty.upper == SCORE_CEILING).all() and (hasty.points, hasty.solves) == ((), 0)
    assert BestAlone not in piece.kept
    calm = best_alone(piece, problem.feasible_set.budget(), NO_SLACK)
    assert (calm.upper < 100.0).all() and calm.solves > 3
