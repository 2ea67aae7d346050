"""Majorise–minimise: from one plan to a better one by a single cone program, for K > 1.

Condition (S) is not convex in (x, a), but u·v ≤ ½(c·v² + u²/c) for any c > 0 turns it into
    m ≥ ½c·s² + ½e·r² + ½(1/c)(w − 1) + ½(1/e)w,      w ≥ 1/β = 1 + a²,
which is convex in (x, β), implies (S), and is tight at the current plan for c = a/s and
e = √(1+a²)/r. The objective is a convex increasing function of β = (β_1, …, β_K): each link is
convex in β (for the first link it is β itself), each weighting is convex and increasing. Tangents
at the points seen stand for both, so one program serves every link and every weighting.
"""

from collections.abc import Callable

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.conic import ConeProgram
from dirrac_core.robustness import Objective, score_terms, signed_score
from dirrac_core.solvers.score_program import ScoreProgram, never

# Scores outside this range are treated as the nearest end when a tangent or a quadratic is
# placed: the majorant stays valid, only not tight where nothing is at stake.
LOWEST_SCORE, HIGHEST_SCORE = 1e-3, 1e4
# The same for s and r, relative to m.
SMALLEST_TERM = 1e-4
# Where tangents to the Gaussian link are placed around the current score.
TANGENT_OFFSETS = (-1.0, -0.5, -0.2, 0.0, 0.2, 0.5, 1.0)
MAX_STEPS = 40
MAX_HALVINGS = 6


class Majoriser:
    """Improves plans inside one piece; remembers the tangents it has collected."""

    def __init__(self, program: ScoreProgram, objective: Objective) -> None:
        self._scores = program
        self._objective = objective
        self._weight_cuts: list[Array] = []
        self.solves = 0
        # Whether a step could not be computed, so that there may be more to gain.
        self.stalled = False

    def improve(
        self, x: Array, tolerance: float, late: Callable[[], bool] = never
    ) -> tuple[Array, float]:
        """Step until the value falls by less than `tolerance`, or until it is `late`.

        It never returns a worse plan.
        """
        value = self._objective.value(x)
        self._weight_cuts.append(self._objective.worst_weights(x))
        for _ in range(MAX_STEPS):
            if late():
                break
            target = self._step(x, value)
            if target is None:
                self.stalled = True
                break
            self._weight_cuts.append(self._objective.worst_weights(target))
            better, better_value = self._descend(x, value, target)
            gained = value - better_value
            x, value = better, better_value
            if gained < tolerance:
                break
        return x, value

    def _descend(self, x: Array, value: float, target: Array) -> tuple[Array, float]:
        """The first point between target and x (the piece is convex) that lowers the value."""
        fraction = 1.0
        for _ in range(MAX_HALVINGS):
            candidate = x + fraction * (target - x)
            candidate_value = self._objective.value(candidate)
            if candidate_value < value:
                return candidate, candidate_value
            fraction /= 2
        return x, value

    def cheapen(self, x: Array, level: float) -> Array | None:
        """The cheapest point whose majorant at x stays at the level; x itself is one of them."""
        program, total, unit = self._majorant(x, self._objective.value(x))
        row = np.zeros(program.columns)
        row[total] = 1.0
        program.at_most(row, level / unit)
        self.solves += 1
        return self._scores.minimise_cost(program).x

    def learn(self, x: Array) -> None:
        """Keep the weights that are worst at x: a later majorant has to cover them."""
        self._weight_cuts.append(self._objective.worst_weights(x))

    def _step(self, x: Array, value: float) -> Array | None:
        """Minimise the majorant at x."""
        self.solves += 1
        program, total, _ = self._majorant(x, value)
        objective = np.zeros(program.columns)
        objective[total] = 1.0
        solution = program.solver().minimise(objective)
        return self._scores.piece.embed(solution.v) if solution.accurate else None

    def _majorant(self, x: Array, value: float) -> tuple[ConeProgram, int, float]:
        """The program of the majorant at x, the column of its total, and the unit of that."""
        scores, piece = self._scores, self._scores.piece
        program = scores.program.copy()
        k_count = len(scores.components)
        # Columns, all scaled to about 1 at x: β_k, w_k, q_k, f_k (probabilities), total.
        beta = program.add_columns(4 * k_count + 1)
        w, q, f = beta + k_count, beta + 2 * k_count, beta + 3 * k_count
        total = beta + 4 * k_count
        m, s, r = score_terms(x, piece.mixture, piece.doubt)
        a = np.clip(signed_score(m, s, r), LOWEST_SCORE, HIGHEST_SCORE)
        scale = max(value, 1e-12)
        for k in range(k_count):
            self._add_component(program, k, (beta + k, w + k, q + k), (m[k], s[k], r[k], a[k]))
            self._add_tangents(program, beta + k, f + k, a[k], scale)
        for p in self._weight_cuts:
            row = np.zeros(program.columns)
            row[f : f + k_count] = p
            row[total] = -1.0
            program.at_most(row, 0.0)
        return program, total, scale

    def _add_component(
        self,
        program: ConeProgram,
        k: int,
        columns: tuple[int, int, int],
        terms: tuple[float, float, float, float],
    ) -> None:
        scores, piece = self._scores, self._scores.piece
        beta, w, q = columns
        m, s, r, a = terms
        b_squared = 1.0 + a * a
        m = max(m, 1e-12 * piece.terms[k])
        # Row: m(x)/m̄ ≥ q + ½(1/c)(w − 1)/m̄ + ½(1/e)w/m̄ with q ≥ (½c·s² + ½e·r²)/m̄.
        row = np.zeros(program.columns)
        row[: piece.free.size] = -piece.mixture.means[k, piece.free] / m
        constant = float(piece.mixture.means[k] @ piece.base) / m
        row[q] = 1.0
        squares = []
        deviation = scores.deviation_column[k]
        if deviation is not None:
            c = a / max(s, SMALLEST_TERM * m / a)
            row[w] += 0.5 * b_squared / (c * m)
            constant += 0.5 / (c * m)
            squares.append((deviation, np.sqrt(2.0 * c / m)))
        norm, rho = scores.norm_columns[k], piece.doubt.radii[k]
        if norm is not None and rho > 0.0:
            e = np.sqrt(b_squared) / max(r, SMALLEST_TERM * m / np.sqrt(b_squared))
            row[w] += 0.5 * b_squared / (e * m)
            squares.append((norm, np.sqrt(2.0 * e / m) * rho))
        program.at_most(row, constant)
        cone = np.zeros((2 + len(squares), program.columns))
        cone[0, q] = cone[1, q] = 1.0
        for i, (column, factor) in enumerate(squares):
            cone[2 + i, column] = factor
        program.norm(cone, np.concatenate([[1.0, -1.0], np.zeros(len(squares))]))
        hyperbola = np.zeros((3, program.columns))
        hyperbola[0, [beta, w]] = 1.0, 1.0
        hyperbola[1, [beta, w]] = 1.0, -1.0
        program.norm(hyperbola, np.array([0.0, 0.0, 2.0]))

    def _add_tangents(
        self, program: ConeProgram, beta: int, f: int, a: float, scale: float
    ) -> None:
        """f ≥ tangents of the link as a function of β; β is in units of its value at x."""
        unit = 1.0 / (1.0 + a * a)
        places = np.clip(a + np.array(TANGENT_OFFSETS), LOWEST_SCORE, HIGHEST_SCORE)
        if self._objective.link.name == "chebyshev":
            places = places[:1]
        for at in np.unique(places):
            at_beta = 1.0 / (1.0 + at * at)
            # dβ/da = −2a β², hence d(probability)/dβ = (d probability/da) / (−2a β²).
            slope = float(self._objective.link.derivative(at)) / (-2.0 * at * at_beta**2)
            height = float(self._objective.link.probability(at))
            row = np.zeros(program.columns)
            row[beta], row[f] = slope * unit / scale, -1.0
            program.at_most(row, (slope * at_beta - height) / scale)
