"""Room to move: every point of the box keeps the promise, and no end can go further."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from dirrac_core.case.case import bundle_of, solve_scenario
from dirrac_core.case.scenario import Scenario
from dirrac_core.errors import InvalidInput
from dirrac_core.recourse.room import room_to_move

CASES = [("german", 1), ("german", 5), ("sba-no-leak", 1), ("student", 1), ("synthetic", 5)]


def solved(name, components, number=2):
    base = Scenario(name, 0, components=components, plausibility=0.05, domain_rules=True)
    found = []
    for row in bundle_of(base).declined:
        solution = solve_scenario(replace(base, applicant=int(row)))
        if solution.plan.x is not None and solution.plan.rounded:
            found.append(solution)
        if len(found) == number:
            break
    return found


def box_of(solution, room):
    """The intervals in encoded columns: {column: (low, high)}, and the direction of each."""
    schema = solution.case.dataset.schema
    return {
        schema.columns_of(each.feature)[0]: [
            schema.feature(each.feature).scaled(end) for end in (each.low, each.high)
        ]
        for each in room.intervals
    }


@pytest.mark.parametrize("name, components", CASES)
def test_dense_samples_and_all_corners_keep_the_promise_and_every_rule(name, components):
    rng = np.random.default_rng(0)
    for solution in solved(name, components):
        problem, x = solution.case.problem, solution.plan.x
        room = room_to_move(solution.case.dataset, problem, x)
        assert len(room.corners) == 2 ** len(room.intervals)
        weights = rng.dirichlet(np.full(len(room.corners), 0.3), size=200)
        for point in itertools.chain(room.corners, weights @ room.corners):
            assert problem.objective.value(point) <= room.level + 1e-6
            assert problem.unbounded.contains(point)
        assert room.worst <= room.level + 1e-6
        for column, (low, high) in box_of(solution, room).items():
            assert low - 1e-9 <= x[column] <= high + 1e-9


def test_the_box_cannot_grow_by_a_unit():
    grown = 0
    for solution in solved("german", 1, number=4):
        problem, x = solution.case.problem, solution.plan.x
        room = room_to_move(solution.case.dataset, problem, x)
        box = box_of(solution, room)
        for column, end in itertools.product(box, (0, 1)):
            feature = next(
                f
                for f in solution.case.dataset.schema.features
                if solution.case.dataset.schema.columns_of(f.name)[0] == column
            )
            wider = {c: list(ends) for c, ends in box.items()}
            wider[column][end] += (2 * end - 1) * feature.step / (feature.high - feature.low)
            corners = []
            for ends in itertools.product(*wider.values()):
                corner = x.copy()
                corner[list(wider)] = ends
                corners.append(corner)
            kept = all(
                problem.objective.value(c) <= room.level and bool(problem.unbounded.contains(c))
                for c in corners
            )
            grown += kept
    assert grown == 0


def test_a_larger_level_gives_no_smaller_room_and_a_smaller_one_is_refused():
    solution = solved("german", 1, number=1)[0]
    dataset, problem, x = solution.case.dataset, solution.case.problem, solution.plan.x
    value = problem.objective.value(x)
    rooms = [room_to_move(dataset, problem, x, value + more) for more in (0.01, 0.1)]
    volumes = [np.prod([1 + each.high - each.low for each in room.intervals]) for room in rooms]
    assert volumes[0] <= volumes[1]
    with pytest.raises(InvalidInput, match="keeps its level"):
        room_to_move(dataset, problem, x, value - 0.01)
