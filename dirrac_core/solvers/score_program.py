"""Cone programs about the robust scores of one piece, and the largest score it contains.

With t_s ≥ s_k(x) and t_n ≥ √(xᵀM_k x) as variables, condition (S) for a fixed score a,
m_k ≥ a·s_k + √(1+a²)·ρ_k√(xᵀM_k x), is one linear row: the level sets of the score are convex.
"""

import itertools
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.conic import INFEASIBLE, ConeProgram, ConeSolution, ConeSolver, Parts
from dirrac_core.feasible.piece import Piece
from dirrac_core.progress import never
from dirrac_core.robustness import Objective

# A trial score lies this much (relative) above the best known one, so that a dual objective
# ≤ 0 proves the best known one optimal up to this much. A probability moves by at most half.
FIRST_STEP = 4e-7
LAST_STEP = 0.3
# After this many trials the iteration is converging slowly, and asks for more at each.
PATIENCE = 20
# Scores above this fail with a probability below 1e-12: as good as never.
SCORE_CEILING = 1e6


@dataclass(frozen=True, eq=False)
class Trial:
    """A solve for a trial score: `bound` ≤ 0 proves that no point of the piece reaches it."""

    bound: float
    x: Array | None


@dataclass(frozen=True, eq=False)
class CheapPoint:
    """No point costs less than `bound` (∞: there is none); `x` and the program's `v` attain it."""

    bound: float
    x: Array | None
    v: Array | None


@dataclass(frozen=True, eq=False)
class BestScore:
    """No point has a score above `upper` (−inf: no point at all); `x` scored best on the way."""

    upper: float
    x: Array | None


class ScoreProgram:
    """The rows of one piece plus blocks ("s", k) for the components in `components`.

    Validity may be missed by `slack` (K,), so that a bound covers plans with rounded digits.
    """

    def __init__(
        self,
        piece: Piece,
        delta: float,
        components: Iterable[int],
        slack: Array | float = 0.0,
    ) -> None:
        self.piece = piece
        self.delta = delta
        self.components = tuple(components)
        rows = piece.rows(delta, slack)
        self.program: ConeProgram = rows.program
        self._rows = rows
        for k in self.components:
            self._add_deviation(k)
        self.solves = 0

    @cached_property
    def _solver(self) -> ConeSolver:
        return self.program.solver()

    def shortfall(self, k: int, a: float, unit: float = 1.0) -> tuple[Parts, float]:
        """(row, c): row · v − c = −(m_k − a s_k − √(1+a²) r_k) / √(1+a²), in `unit`s."""
        piece = self.piece
        b = np.hypot(1.0, a)
        row: dict[Hashable, npt.ArrayLike] = {"y": -(piece.mixture.means[k, piece.free] / b) / unit}
        if ("s", k) in self.program:
            row["s", k] = self._slope(k, a) / unit
        if ("length", k) in self.program and not self._is_shared(k):
            row["length", k] = piece.doubt.radii[k] / unit
        return row, float(piece.mixture.means[k] @ piece.base) / b / unit

    def try_score(self, k: int, a: float) -> Trial:
        """Maximise the slack of component k at score a."""
        row, constant = self.shortfall(k, a)
        return self._trial(self._solver.minimise(self.program.row(row)), constant)

    def try_common(self, scores: Array) -> Trial:
        """Maximise the smallest slack of all components, component k at scores[k].

        Each slack is measured by the size of the terms in it; only the sign is of interest.
        """
        program = self.program.copy()
        program.add("least")
        for k in self.components:
            unit = self.piece.terms[k] / np.hypot(1.0, scores[k])
            if ("s", k) in program:
                size = float(program.part(program.size, ("s", k))[0])
                unit += self._slope(k, scores[k]) * size
            row, constant = self.shortfall(k, scores[k], unit)
            program.at_most({**row, "least": 1.0}, constant)
        return self._trial(program.solver().minimise(program.row({"least": -1.0})), 0.0)

    def least_cost(self, scores: Array) -> CheapPoint:
        """The cheapest point at which every component k reaches scores[k]."""
        program = self.program.copy()
        for k in self.components:
            program.at_most(*self.shortfall(k, scores[k]))
        return self.minimise_cost(program)

    def minimise_cost(self, program: ConeProgram) -> CheapPoint:
        """The cheapest point of a program that extends this one."""
        self.solves += 1
        solution = program.solver().minimise(program.row(self._rows.cost))
        if not solution.usable:
            empty = solution.status == INFEASIBLE
            return CheapPoint(np.inf if empty else 0.0, None, None)
        bound = max(self._rows.cost_constant + solution.bound, 0.0)
        x = self.piece.embed(solution.v) if solution.accurate else None
        return CheapPoint(bound, x, solution.v if solution.accurate else None)

    def _is_shared(self, k: int) -> bool:
        """Whether one block stands for s_k and for √(xᵀM_k x)."""
        return self.piece.doubt.in_deviations and ("length", k) in self.program

    def _slope(self, k: int, a: float) -> float:
        """The entry of block ("s", k) in the shortfall."""
        own = a / np.hypot(1.0, a)
        return float(own + self.piece.doubt.radii[k] if self._is_shared(k) else own)

    def _trial(self, solution: ConeSolution, constant: float) -> Trial:
        self.solves += 1
        if solution.usable:
            x = self.piece.embed(solution.v) if solution.accurate else None
            return Trial(constant - solution.bound, x)
        proved_empty = solution.status == INFEASIBLE
        return Trial(-np.inf if proved_empty else np.inf, None)

    def _add_deviation(self, k: int) -> None:
        """Block ("s", k) ≥ s_k(x), unless that is 0 for every x of the piece."""
        if self._is_shared(k):
            self.program.alias(("s", k), ("length", k))
            return
        deviation, constant = self.piece.deviation(k)
        if constant.size:
            at_start = np.abs(deviation @ self.piece.start + constant)
            size = float(np.linalg.norm(np.abs(deviation) @ self._rows.steps + at_start))
            self.program.add(("s", k), 1, size)
            self.program.norm({"y": deviation}, constant, {("s", k): 1.0})


def best_component(
    program: ScoreProgram,
    objective: Objective,
    inside: Sequence[Array] = (),
    late: Callable[[], bool] = never,
) -> BestScore:
    """The largest score of the only component of a program, from points known to be `inside`.

    Its upper end is at most SCORE_CEILING.
    """
    (k,) = program.components

    def score_of(x: Array) -> float:
        return float(objective.scores(x)[k])

    start = max((score_of(x) for x in inside), default=0.0)
    found = best_score(lambda a: program.try_score(k, a), score_of, start, late)
    return replace(found, upper=min(found.upper, SCORE_CEILING))


def best_score(
    attempt: Callable[[float], Trial],
    score_of: Callable[[Array], float],
    start: float,
    late: Callable[[], bool] = never,
) -> BestScore:
    """The largest score of a piece, by the Dinkelbach iteration from `start`.

    Each trial maximises m − a·s − √(1+a²)·r just above the best score a known so far. A positive
    maximum gives a point with a better score; a maximum ≤ 0 proves there is none. Convergence is
    superlinear, two to four trials in practice. Once it is `late` nothing more is tried, and what
    was not proved is left open: `upper` is infinite.
    """
    a, step = max(start, 0.0), FIRST_STEP
    best: Array | None = None
    for trials in itertools.count():
        if trials > PATIENCE:
            step *= 8.0
        if step > LAST_STEP or late():
            break
        goal = a * (1.0 + step) + step
        if goal > SCORE_CEILING:
            break
        trial = attempt(goal)
        if trial.bound == -np.inf:
            return BestScore(-np.inf if best is None else a, best)
        if trial.bound <= 0.0:
            return BestScore(goal, best)
        reached = -np.inf if trial.x is None else score_of(trial.x)
        if reached > a:
            best = trial.x
        if reached > goal:
            a = reached
        else:
            # The maximum is too close to 0 for the solver's accuracy: ask for less.
            a, step = max(a, reached), 8.0 * step
    return BestScore(np.inf, best)
