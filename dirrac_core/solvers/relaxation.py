"""A convex relaxation of the mixture problem on a box of scores: the bound branch and bound uses.

On a box lo ≤ a ≤ hi, with s and n = √(xᵀMx) in known ranges, the products in (S),
    m ≥ a·s + b·ρ·n,   b = √(1 + a²),
are replaced by their convex (McCormick) underestimators, and each link by the largest convex
function below it. What is left is one cone program whose optimum no plan of the box can beat.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from dirrac_core.arrays import Array
from dirrac_core.conic import INFEASIBLE, SOLVED, ConeProgram, ConeSolver, Parts
from dirrac_core.progress import never
from dirrac_core.robustness import Link, Objective
from dirrac_core.solvers.score_program import SCORE_CEILING, ScoreProgram

# 1/(1 + a²) is concave below this score and convex above; Φ(−a) is convex for all a ≥ 0.
INFLECTION = {"chebyshev": 1.0 / np.sqrt(3.0), "gaussian": 0.0}
TANGENTS = 6
# Other weights are tried on a box while they promise more than this share of what is missing.
SMALL_CUT = 0.1
KEPT_CUTS = 12


@dataclass(frozen=True, eq=False)
class Relaxed:
    """The bound of a box (inf: it holds no plan), and the relaxation's plan and scores."""

    bound: float
    x: Array | None
    scores: Array | None


@dataclass(frozen=True, eq=False)
class _Ranges:
    """What is known of the terms of (S) in a piece: m, s and the norms √(xᵀMx), by component."""

    m_high: Array
    s_low: Array
    s_high: Array
    norm_low: Array
    norm_high: Array


class Relaxation:
    """Relaxations of one piece; the ranges of m, s and √(xᵀMx) are found once."""

    def __init__(
        self, program: ScoreProgram, objective: Objective, late: Callable[[], bool] = never
    ) -> None:
        self.program = program
        self._objective = objective
        self._late = late
        self.solves = 0

    def bound(self, lo: Array, hi: Array, weight_cuts: list[Array]) -> Relaxed:
        """A lower bound on the objective over the plans of the piece with lo ≤ scores ≤ hi.

        `weight_cuts` are weights the weighting may pick; each gives Σ p_k f_k ≤ value.
        """
        self.solves += 1
        scores = self.program
        program = self._box(lo, hi, weight_cuts)
        solution = program.solver().minimise(program.row({"total": 1.0}))
        if solution.status == INFEASIBLE:
            return Relaxed(np.inf, None, None)
        if not solution.accurate:
            return Relaxed(0.0, None, None)
        # A dual objective of reduced accuracy proves nothing; its plan and scores still guide.
        bound = solution.bound if solution.status == SOLVED else 0.0
        return Relaxed(bound, scores.piece.embed(solution.v), program.part(solution.v, "a"))

    def sharpened(
        self, lo: Array, hi: Array, cuts: list[Array], best: float, target: float
    ) -> Relaxed:
        """`bound` by the weights `cuts`, to which those are added that its own plans are worst for.

        Until the bound meets the `target`, or other weights promise little of what is missing to
        the value of the `best` plan.
        """
        relaxed = self.bound(lo, hi, cuts)
        for _ in range(KEPT_CUTS):
            if relaxed.scores is None or relaxed.bound >= target or self._late():
                break
            # The relaxation's plan may be worse for weights it was not judged by.
            f = self._objective.link.probability(relaxed.scores)
            value, worst = self._objective.weigh(f)
            missed = value - max(cut @ f for cut in cuts)
            if missed <= SMALL_CUT * (best - relaxed.bound):
                break
            cuts.append(worst)
            again = self.bound(lo, hi, cuts)
            relaxed = replace(again, bound=max(again.bound, relaxed.bound))
        return relaxed

    def least_cost(self, lo: Array, hi: Array, weight_cuts: list[Array], level: float) -> Relaxed:
        """A lower bound on the cost of the plans with lo ≤ scores ≤ hi and a value ≤ level."""
        self.solves += 1
        program = self._box(lo, hi, weight_cuts)
        program.at_most({"total": 1.0}, level)
        found = self.program.minimise_cost(program)
        scores = None if found.v is None else program.part(found.v, "a")
        return Relaxed(found.bound, found.x, scores)

    def _box(self, lo: Array, hi: Array, weight_cuts: list[Array]) -> ConeProgram:
        """The relaxed program of a box: blocks a, b = √(1+a²), a·s, b·r, f and the total."""
        scores = self.program
        hi = np.minimum(hi, SCORE_CEILING)
        program = scores.program.copy()
        count = len(scores.components)
        terms = scores.piece.terms[list(scores.components)]
        for name in ("a", "b"):
            program.add(name, count, np.hypot(1.0, hi))
        for name in ("a·s", "b·r"):
            program.add(name, count, terms)
        program.add("f", count)
        program.add("total")
        rows, limits = scores.shortfalls(lo)
        for k in range(count):
            if lo[k] > 0.0:
                program.at_most(rows[k : k + 1], limits[k])
            self._add_component(program, k, lo[k], hi[k])
        for p in weight_cuts:
            program.at_most({"f": p, "total": -1.0}, 0.0)
        return program

    @cached_property
    def _ranges(self) -> _Ranges:
        """Two cone programs for each component and one for each √(xᵀMx) that is not an s; upper
        ends from the box. Once it is late, the ranges not found are as wide as the box."""
        scores, piece = self.program, self.program.piece
        solver = scores.program.solver()
        count = len(scores.components)
        step = scores.delta / piece.weights
        reach = np.maximum(
            np.abs(np.maximum(piece.lower, piece.start - step)),
            np.abs(np.minimum(piece.upper, piece.start + step)),
        )
        # ‖x − x0‖₂ over the free columns is at most the budget over the smallest weight.
        length = scores.delta / piece.weights.min(initial=np.inf)
        m_high, s_low, s_high = np.full(count, np.inf), np.zeros(count), np.zeros(count)
        for k in range(count):
            top = self._least(solver, {"y": -piece.mixture.means[k, piece.free]})
            m_high[k] = piece.mixture.means[k] @ piece.base - top
            if ("s", k) not in scores.program:
                continue
            s_low[k] = max(self._least(solver, {("s", k): 1.0}), 0.0)
            s_high[k] = _largest(*piece.deviation(k), piece.start, reach, length)
        if piece.doubt.in_deviations:
            norms = s_low, s_high
        else:
            norms = self._norm_ranges(solver, reach, length)
        self.solves += solver.solves
        return _Ranges(m_high, s_low, s_high, *norms)

    def _norm_ranges(self, solver: ConeSolver, reach: Array, length: float) -> tuple[Array, Array]:
        """The smallest and the largest √(xᵀM_k x) of every component."""
        scores, piece = self.program, self.program.piece
        low, high = np.zeros(len(scores.components)), np.zeros(len(scores.components))
        common = piece.doubt.factors is None
        for k in range(len(scores.components)):
            if ("length", k) not in scores.program:
                continue
            if common and k > 0:
                low[k], high[k] = low[0], high[0]
                continue
            rows, constant = piece.length_rows(k)
            # The paper's ‖x‖ has the fixed columns as a row of its own.
            least = abs(constant[-1]) if common else 0.0
            low[k] = max(least, self._least(solver, {("length", k): 1.0}))
            high[k] = _largest(rows, constant, piece.start, reach, length)
        return low, high

    def _least(self, solver: ConeSolver, parts: Parts) -> float:
        """A lower bound on parts·v over the piece; −∞ where there is none, or no time for one."""
        if self._late():
            return -np.inf
        found = solver.minimise(self.program.program.row(parts))
        return found.bound if found.usable else -np.inf

    def _add_component(self, program: ConeProgram, k: int, lo: float, hi: float) -> None:
        piece, ranges = self.program.piece, self._ranges
        one = np.eye(len(self.program.components))[k]
        b_lo, b_hi = np.hypot(1.0, lo), np.hypot(1.0, hi)
        rho = piece.doubt.radii[k]
        mean = piece.mixture.means[k]
        program.at_most({"y": -mean[piece.free], "a·s": one, "b·r": one}, float(mean @ piece.base))
        for name, low, high in (("a", lo, hi), ("b", b_lo, b_hi)):
            program.at_most({name: one}, high)
            program.at_most({name: -one}, -low)
        program.norm({"a": np.outer([1.0, 0.0], one)}, [0.0, 1.0], {"b": one})
        n_range = (ranges.norm_low[k], ranges.norm_high[k])
        s_high = ranges.s_high[k]
        if lo > 0.0:
            s_high = min(s_high, (ranges.m_high[k] - b_lo * rho * ranges.norm_low[k]) / lo)
        s_range = (ranges.s_low[k], max(s_high, ranges.s_low[k]))
        s = ("s", k) if ("s", k) in program else None
        _add_product(program, ("a·s", "a"), one, (lo, hi), s, 1.0, s_range)
        norm = ("length", k) if ("length", k) in program and rho > 0.0 else None
        _add_product(program, ("b·r", "b"), one, (b_lo, b_hi), norm, rho, n_range)
        for slope, height in link_tangents(self._objective.link, lo, hi):
            program.at_most({"a": slope * one, "f": -one}, -height)


def _largest(rows: Array, constant: Array, start: Array, reach: Array, length: float) -> float:
    """No ‖rows·y + constant‖ is larger, for |y| ≤ reach and ‖y − start‖ ≤ length."""
    steepest = float(np.linalg.norm(rows, 2)) if rows.size else 0.0
    return min(
        float(np.linalg.norm(np.abs(rows) @ reach + np.abs(constant))),
        float(np.linalg.norm(rows @ start + constant)) + length * steepest,
    )


def _add_product(
    program: ConeProgram,
    names: tuple[str, str],
    one: Array,
    u_range: tuple[float, float],
    v: Hashable | None,
    factor: float,
    v_range: tuple[float, float],
) -> None:
    """product ≥ factor·u·v by (u − u_lo)(v − v_lo) ≥ 0 and (u_hi − u)(v_hi − v) ≥ 0.

    `names` are the blocks of the product and of u; `one` picks the component in both.
    """
    product, u = names
    if v is None:
        program.at_most({product: -one}, 0.0)
        return
    for u_end, v_end in zip(u_range, v_range, strict=True):
        if not np.isfinite(u_end * v_end):
            continue
        below: dict[Hashable, npt.ArrayLike] = {u: factor * v_end * one, product: -one}
        below[v] = factor * u_end
        program.at_most(below, factor * u_end * v_end)


def link_tangents(link: Link, lo: float, hi: float) -> list[tuple[float, float]]:
    """Lines (slope, height at 0) below the link on [lo, hi], touching its convex envelope."""
    inflection = INFLECTION[link.name]
    first = lo
    if lo < inflection:
        # The envelope starts with the line from (lo, link(lo)) that touches the convex part.
        def above(at: float) -> float:
            line = _tangent(link, at)
            return line[0] * lo + line[1] - float(link.probability(lo))

        if hi <= inflection or above(hi) > 0.0:
            ends = float(link.probability(lo)), float(link.probability(hi))
            slope = (ends[1] - ends[0]) / (hi - lo) if hi > lo else 0.0
            return [(slope, ends[0] - slope * lo)]
        # The concave part may be so short that rounding leaves no sign to change.
        first = float(brentq(above, inflection, hi)) if above(inflection) > 0.0 else inflection
    levels = np.linspace(float(link.probability(first)), float(link.probability(hi)), TANGENTS)
    places = np.clip(link.score(levels), first, hi)
    return [_tangent(link, float(at)) for at in np.unique(places)]


def _tangent(link: Link, at: float) -> tuple[float, float]:
    slope = float(link.derivative(at))
    return slope, float(link.probability(at)) - slope * at
