"""Whether a box around a plan keeps its promise: the level and every rule but the budget."""

import itertools

import numpy as np
from scipy.optimize import brentq

from dirrac_core.arrays import Array
from dirrac_core.feasible import FeasibleSet
from dirrac_core.feasible.checks import TOLERANCE
from dirrac_core.recourse.problem import RecourseProblem
from dirrac_core.robustness import Objective, signed_score


class BoxPromise:
    """Whether a box around x keeps the level and every condition but the budget.

    The box is x + Σ τ_i direction_i with −down_i ≤ τ_i ≤ up_i, the `directions` being the rows of
    (n, D). Linear conditions are judged by their largest value on the box, the others at its
    corners.
    """

    def __init__(self, problem: RecourseProblem, x: Array, directions: Array, level: float) -> None:
        feasible, objective = problem.unbounded, problem.objective
        mixture, doubt = objective.mixture, objective.doubt
        self._radii = doubt.radii
        self._scores = _floors(objective, x, level)
        self._m = (mixture.means @ x, mixture.means @ directions.T)
        factors = mixture.factors.transpose(0, 2, 1)
        self._s = (factors @ x, factors @ directions.T)
        # Gᵀx of every component; x itself, once for all, when the metric is M = I.
        self._lengths: tuple[Array, Array] = (x[None], directions.T[None])
        if doubt.factors is not None:
            metric = doubt.factors.transpose(0, 2, 1)
            self._lengths = (metric @ x, metric @ directions.T)
        self._margin = feasible.margins - TOLERANCE * (np.abs(mixture.means) @ np.abs(x))
        rows, limits = _linear_conditions(feasible, x)
        self._rows, self._limits = rows @ directions.T, limits
        people = feasible.actions.plausible
        self._people: tuple[Array, Array, float] | None = None
        if people is not None:
            at = people.factor @ (x[:-1] - people.centre)
            self._people = (at, people.factor @ directions[:, :-1].T, people.size)

    def holds(self, sides: Array) -> bool:
        """Whether the box with these sides (n, 2), down and up, keeps all conditions."""
        down, up = sides[:, 0], sides[:, 1]
        most = np.maximum(self._rows * up, -self._rows * down).sum(axis=1)
        if (most > self._limits).any():
            return False
        steps = np.array(list(itertools.product(*zip(-down, up, strict=True))))
        m = self._m[0] + steps @ self._m[1].T
        s = _norms(*self._s, steps)
        r = _norms(*self._lengths, steps) * self._radii
        if (signed_score(m, s, r) < self._scores).any() or (m - r < self._margin).any():
            return False
        if self._people is None:
            return True
        at, along, size = self._people
        distances = np.linalg.norm(at + steps @ along.T, axis=1)
        return bool((distances <= size * (1.0 + 0.1 * TOLERANCE)).all())


def _norms(at: Array, along: Array, steps: Array) -> Array:
    """(n, K): ‖at_k + along_k·step‖₂ for every step."""
    norms: Array = np.linalg.norm(at + (along @ steps.T).transpose(2, 0, 1), axis=2)
    return norms


def _linear_conditions(feasible: FeasibleSet, x: Array) -> tuple[Array, Array]:
    """(A, b) with A·change ≤ b for every range, direction and rule that is not an equation.

    b is how much room x itself leaves, never below 0: x passes its checklist.
    """
    bounds, actions = feasible.bounds, feasible.actions
    identity = np.eye(x.size)[:-1]
    rows, room = [identity, -identity], [bounds.upper - x[:-1], x[:-1] - bounds.lower]
    for rule in actions.linear:
        if rule.low < rule.high:
            row, level = np.append(rule.coefficients, 0.0), float(rule.coefficients @ x[:-1])
            rows += [row[None], -row[None]]
            room += [np.array([rule.high - level]), np.array([level - rule.low])]
    for condition in actions.conditional:
        share = min(float(x[condition.category]), 1.0)
        if share > TOLERANCE:
            c = condition.column
            low, high = bounds.in_force(condition, feasible.x0, share)
            rows += [identity[[c]], -identity[[c]]]
            room += [np.array([high - x[c]]), np.array([x[c] - low])]
    limits = np.concatenate(room)
    bounded = np.isfinite(limits)
    return np.vstack(rows)[bounded], np.maximum(limits[bounded], 0.0) + 0.1 * TOLERANCE


def _floors(objective: Objective, x: Array, level: float) -> Array:
    """Scores α_k ≤ a_k(x) whose probabilities, weighed, are the level.

    Each probability rises by the same share of what is left to 1, which keeps all of them ≤ 1.
    """
    f = objective.probabilities(x)

    def missing(t: float) -> float:
        return objective.weigh(f + t * (1.0 - f))[0] - level

    t = 1.0 if missing(1.0) <= 0.0 else 0.0
    if missing(0.0) < 0.0 < missing(1.0):
        t = float(brentq(missing, 0.0, 1.0, xtol=1e-14)) * (1.0 - 1e-12)
    scores: Array = objective.link.score(f + t * (1.0 - f))
    # Rounding must not leave the plan itself outside.
    return np.minimum(scores, objective.scores(x))
