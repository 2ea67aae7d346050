"""The cheapest plan that lasts: the smallest cost with a worst case of at most a given level.

For one score (K = 1, or the worst component) the plans with a worst case ≤ level are those with
(S) at the score a of the level: a convex set, so the cheapest of them is one cone program per
piece. For mixtures majorise–minimise steps make a plan cheaper while its majorant stays at the
level, and boxes of scores bound from below what any plan costs.
"""

import heapq
import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.feasible import FeasibleSet, Piece
from dirrac_core.robustness import Objective
from dirrac_core.solvers.best_alone import best_alone
from dirrac_core.solvers.boxes import Box, raised_floors, split_in_two
from dirrac_core.solvers.majorise import Majoriser
from dirrac_core.solvers.relaxation import Relaxation, Relaxed
from dirrac_core.solvers.score_program import SCORE_CEILING, ScoreProgram

# A plan counts as reaching the level when it misses it by no more than this probability.
LEVEL_TOLERANCE = 1e-6
# The share of the cost that may be left between plan and bound for mixtures.
GAP = 5e-3
MOST_STEPS = 12
MOST_NODES = 60


@dataclass(frozen=True, eq=False)
class CheapestLasting:
    """A plan with a worst case ≤ level and its cost; no such plan costs less than `bound`.

    `x` is None when no plan of the set reaches the level, which is proved.
    """

    x: Array | None
    cost: float
    bound: float
    solves: int


def solve_cheapest(
    feasible: FeasibleSet,
    objective: Objective,
    level: float,
    start: Array | None = None,
    deadline: float = np.inf,
) -> CheapestLasting:
    """The cheapest plan of the set with a worst case of at most `level`.

    `start` is a plan that has one, if it is known; mixtures need it. What was not looked at by
    `deadline` (of `time.perf_counter`) is bounded by the cost of its categories alone.
    """
    search = _Search(feasible, objective, level, start, deadline)
    return search.one_score() if objective.is_one_score else search.mixture()


class _Search:
    def __init__(
        self,
        feasible: FeasibleSet,
        objective: Objective,
        level: float,
        start: Array | None,
        deadline: float,
    ) -> None:
        self.feasible, self.objective, self.level = feasible, objective, level
        self.deadline = deadline
        self.k = objective.mixture.components
        self.solves, self.bound = 0, np.inf
        self.x: Array | None = None
        self.cost = np.inf
        self._offer(start)

    def one_score(self) -> CheapestLasting:
        """One cone program per piece, exact."""
        score = float(self.objective.link.score(self.level))
        floors = np.full(self.k, min(score, SCORE_CEILING))
        for piece in self._affordable_pieces():
            program = ScoreProgram(piece, self.feasible.budget(), range(self.k))
            found = program.least_cost(floors)
            self.solves += 1
            self.bound = min(self.bound, found.bound)
            self._offer(found.x)
        return self._answer()

    def mixture(self) -> CheapestLasting:
        """Cheaper plans from above, boxes of scores from below."""
        queue: list[tuple[float, int, Box]] = []
        order = itertools.count()
        for piece in self._affordable_pieces():
            box = self._open(piece)
            if box is not None:
                heapq.heappush(queue, (box.relaxed.bound, next(order), box))
        for _ in range(MOST_NODES):
            if not queue or queue[0][0] >= self._target() or self._late():
                break
            bound, _, box = heapq.heappop(queue)
            halves = split_in_two(self.objective, box.lo, box.hi, box.relaxed)
            if halves is None:
                self.bound = min(self.bound, bound)
                continue
            for lo, hi in halves:
                part = self._bounded(box.relaxation, lo, hi, bound)
                if part is not None:
                    heapq.heappush(queue, (part.relaxed.bound, next(order), part))
        if queue:
            self.bound = min(self.bound, queue[0][0])
        return self._answer()

    def _affordable_pieces(self) -> Iterator[Piece]:
        """Pieces whose categories alone cost less than the best plan so far."""
        for piece in self.feasible.pieces():
            if piece.fixed_cost >= self._target() or self._late():
                # Pieces come cheapest categories first: every later one costs at least as much.
                self.bound = min(self.bound, piece.fixed_cost)
                return
            yield piece

    def _late(self) -> bool:
        return time.perf_counter() > self.deadline

    def _target(self) -> float:
        """Only plans that cost less than this are still of interest."""
        return self.cost * (1.0 - GAP) if np.isfinite(self.cost) else np.inf

    def _answer(self) -> CheapestLasting:
        return CheapestLasting(self.x, self.cost, min(self.bound, self.cost), self.solves)

    def _offer(self, x: Array | None) -> bool:
        """Keep x when it reaches the level, passes the checklist and is the cheapest so far."""
        if x is None or self.feasible.cost_of(x) >= self.cost:
            return False
        if self.objective.value(x) > self.level + LEVEL_TOLERANCE or not self.feasible.contains(x):
            return False
        self.x, self.cost = x, self.feasible.cost_of(x)
        return True

    def _open(self, piece: Piece) -> Box | None:
        """The box of all plans of a piece that reach the level; the best plan made cheaper."""
        budget = min(self.feasible.budget(), self.cost)
        program = ScoreProgram(piece, budget, range(self.k))
        if self.x is not None and piece.holds(self.x):
            self._descend(program, self.x)
        alone = best_alone(piece, budget, np.zeros(self.k))
        self.solves += alone.solves
        if alone.empty:
            return None
        relaxation = Relaxation(program, self.objective)
        return self._bounded(relaxation, np.zeros(self.k), alone.upper, piece.fixed_cost)

    def _bounded(self, relaxation: Relaxation, lo: Array, hi: Array, least: float) -> Box | None:
        """The box with its bound; None when it holds no plan worth looking for."""
        worst_at_best, weights = self.objective.weigh(self.objective.link.probability(hi))
        if worst_at_best > self.level:
            return None
        lo = raised_floors(self.objective, lo, hi, self.level, weights)
        if (lo > hi).any():
            return None
        relaxed = relaxation.least_cost(lo, hi, [weights], self.level)
        self.solves += 1
        if relaxed.bound == np.inf:
            return None
        if self._offer(relaxed.x) and relaxed.x is not None:
            self._descend(relaxation.program, relaxed.x)
        bound = max(least, relaxed.bound)
        if bound >= self._target():
            self.bound = min(self.bound, bound)
            return None
        return Box(relaxation, lo, hi, Relaxed(bound, relaxed.x, relaxed.scores))

    def _descend(self, program: ScoreProgram, x: Array) -> None:
        """Cheaper and cheaper plans whose majorant stays at the level."""
        majoriser = Majoriser(program, self.objective)
        majoriser.learn(x)
        for _ in range(MOST_STEPS):
            before = self.cost
            found = majoriser.cheapen(x, self.level)
            if found is None:
                break
            majoriser.learn(found)
            self._offer(found)
            if self.objective.value(found) > self.level + LEVEL_TOLERANCE:
                # Other weights are worse at the new point: the same step with them in sight.
                continue
            x = found
            if before - self.cost < 0.1 * GAP * self.cost:
                break
        self.solves += majoriser.solves
