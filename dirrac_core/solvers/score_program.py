"""Cone programs about the robust scores of one piece, and the largest score it contains.

With t_s ≥ s_k(x) and t_n ≥ √(xᵀM_k x) as variables, condition (S) for a fixed score a,
m_k ≥ a·s_k + √(1+a²)·ρ_k√(xᵀM_k x), is one linear row: the level sets of the score are convex.
"""

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.conic import (
    INFEASIBLE,
    ChangingRows,
    ConeProgram,
    ConeSolution,
    ConeSolver,
)
from dirrac_core.feasible.piece import Piece
from dirrac_core.progress import never

Places = npt.NDArray[np.intp]
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

    @cached_property
    def _trials(self) -> tuple[ChangingRows, Array]:
        """The program with the smallest slack as its last variable, and that as objective."""
        program = self.program.copy()
        program.add("least")
        return ChangingRows(program), program.row({"least": -1.0})

    @cached_property
    def _terms(self) -> "_Terms":
        return _Terms.of(self)

    def shortfalls(self, scores: Array, units: Array | float = 1.0) -> tuple[Array, Array]:
        """(rows, c): rows · v − c = −(m − a·s − √(1+a²)·r) / √(1+a²) in `units`, one row for each
        of the components, at a = scores."""
        terms, b = self._terms, np.hypot(1.0, scores)
        rows = np.zeros((scores.size, self.program.columns))
        rows[:, : terms.means.shape[1]] -= terms.means / b[:, None] / np.reshape(units, (-1, 1))
        for (who, columns), entries in (
            (terms.deviations, terms.slopes(scores)),
            (terms.lengths, terms.radii),
        ):
            rows[who, columns] += (entries / units)[who]
        return rows, terms.constants / b / units

    def try_score(self, a: float) -> Trial:
        """Maximise the slack of the only component at score a."""
        (row,), (constant,) = self.shortfalls(np.array([a]))
        return self._trial(self._solver.minimise(row), float(constant))

    def try_common(self, scores: Array) -> Trial:
        """Maximise the smallest slack of all components, each at its own score.

        Each slack is measured by the size of the terms in it; only the sign is of interest.
        """
        terms, (program, smallest_slack) = self._terms, self._trials
        units = terms.sizes / np.hypot(1.0, scores) + terms.slopes(scores) * terms.deviation_sizes
        rows, limits = self.shortfalls(scores, units)
        with_least = np.column_stack([rows, np.ones(scores.size)])
        return self._trial(program.minimise(smallest_slack, with_least, limits), 0.0)

    def least_cost(self, scores: Array) -> CheapPoint:
        """The cheapest point at which every component reaches its score."""
        program = self.program.copy()
        program.at_most(*self.shortfalls(scores))
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

    def is_shared(self, k: int) -> bool:
        """Whether one block stands for s_k and for √(xᵀM_k x)."""
        return self.piece.doubt.in_deviations and ("length", k) in self.program

    def _trial(self, solution: ConeSolution, constant: float) -> Trial:
        self.solves += 1
        if solution.usable:
            x = self.piece.embed(solution.v) if solution.accurate else None
            return Trial(constant - solution.bound, x)
        proved_empty = solution.status == INFEASIBLE
        return Trial(-np.inf if proved_empty else np.inf, None)

    def _add_deviation(self, k: int) -> None:
        """Block ("s", k) ≥ s_k(x), unless that is 0 for every x of the piece."""
        if self.is_shared(k):
            self.program.alias(("s", k), ("length", k))
            return
        deviation, constant = self.piece.deviation(k)
        if constant.size:
            at_start = np.abs(deviation @ self.piece.start + constant)
            size = float(np.linalg.norm(np.abs(deviation) @ self._rows.steps + at_start))
            self.program.add(("s", k), 1, size)
            self.program.norm({"y": deviation}, constant, {("s", k): 1.0})


@dataclass(frozen=True, eq=False)
class _Terms:
    """What a shortfall is made of, for each of the components of a program.

    `deviations` and `lengths` are (components, columns): who has such a variable, and where.
    """

    means: Array
    constants: Array
    radii: Array
    shared: Array
    sizes: Array
    deviation_sizes: Array
    deviations: tuple[Places, Places]
    lengths: tuple[Places, Places]

    @classmethod
    def of(cls, scores: ScoreProgram) -> "_Terms":
        piece, program, chosen = scores.piece, scores.program, list(scores.components)
        sizes = np.zeros(len(chosen))
        deviations = program.columns_of([("s", k) for k in chosen])
        sizes[deviations[0]] = program.size[deviations[1]]
        means = piece.mixture.means
        return cls(
            means[chosen][:, piece.free],
            # One by one: the last digit of a product depends on its shape.
            np.array([float(means[k] @ piece.base) for k in chosen]),
            piece.doubt.radii[chosen],
            np.array([scores.is_shared(k) for k in chosen], dtype=float),
            piece.terms[chosen],
            sizes,
            deviations,
            program.columns_of([None if scores.is_shared(k) else ("length", k) for k in chosen]),
        )

    def slopes(self, scores: Array) -> Array:
        """The entries of the deviations in the shortfalls; one variable may stand for s and r."""
        own: Array = scores / np.hypot(1.0, scores)
        return own + self.shared * self.radii


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
