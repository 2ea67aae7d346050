"""Every condition on a plan from the problem's own numbers, for many points at once."""

from typing import NamedTuple

import numpy as np

from dirrac_core import RecourseProblem
from dirrac_core.arrays import Array


class Missed(NamedTuple):
    """A condition, and by how much each point misses it (n,), relative to the terms in it."""

    name: str
    by: Array


def shortfalls(problem: RecourseProblem, points: Array, delta: float = np.inf) -> list[Missed]:
    """What each of `points` (n, D) misses at the budget `delta`; nothing where it is ≤ 0."""
    actions, x0, y = problem.unbounded.actions, problem.x0[:-1], points[:, :-1]
    d = x0.size
    lower, upper = (
        np.full(d, empty) if end is None else end
        for end, empty in ((actions.lower, -np.inf), (actions.upper, np.inf))
    )
    like = actions.plausible
    told = [lower, upper] if like is None else [lower, upper, like.lower, like.upper]
    ends = np.abs([np.where(np.isfinite(end), end, 0.0) for end in told])
    given = np.max([np.abs(x0), *ends], axis=0)
    size = np.maximum(np.abs(y), given)
    size[:, [c for group in actions.groups for c in group]] = 1.0
    safe = np.where(size > 0.0, size, 1.0)
    locked = np.isin(np.arange(d), actions.locked)
    moved = (y - x0) / safe

    def worst(by: Array) -> Array:
        return np.asarray(by.max(axis=1, initial=-np.inf))

    found = [
        Missed("the constant", np.abs(points[:, -1] - 1.0)),
        Missed("a lock", worst(np.abs(moved)[:, locked])),
        Missed("the box", worst((np.maximum(lower - y, y - upper) / safe)[:, ~locked])),
        Missed("only up", worst(-moved[:, list(actions.only_up)])),
        Missed("only down", worst(moved[:, list(actions.only_down)])),
    ]
    for group in actions.groups:
        part = y[:, list(group)]
        off = np.abs(part.sum(axis=1) - 1.0)
        found.append(Missed("a group", np.maximum(off, -part.min(axis=1))))
        if problem.unbounded.whole:
            found.append(Missed("a whole category", worst(np.abs(part - np.round(part)))))
    for rule in actions.linear:
        terms = size @ np.abs(rule.coefficients)
        level = y @ rule.coefficients
        outside = np.maximum(rule.low - level, level - rule.high)
        found.append(Missed(rule.name, outside / np.where(terms > 0.0, terms, 1.0)))
    for condition in actions.conditional:
        c = condition.column
        outside = np.maximum(condition.low - y[:, c], y[:, c] - condition.high) / safe[:, c]
        in_force = y[:, condition.category] >= 1.0
        found.append(Missed("a conditional rule", np.where(in_force, outside, -np.inf)))
    if like is not None:
        outside = np.maximum(like.lower - y, y - like.upper) / safe
        found.append(Missed("the range of real people", worst(outside[:, ~locked])))
        far = np.linalg.norm((y - like.centre) @ like.factor.T, axis=1) - like.size
        terms = np.linalg.norm((size + np.abs(like.centre)) @ np.abs(like.factor).T, axis=1)
        found.append(Missed("likeness", far / np.maximum(terms, like.size)))
    if np.isfinite(delta):
        found.append(Missed("the budget", _over(problem, y, delta, safe, given > 0.0)))
    return found + [
        Missed("validity", short)
        for short in _invalid(problem, points, np.column_stack([size, np.ones(len(y))]))
    ]


def _over(problem: RecourseProblem, y: Array, delta: float, safe: Array, known: Array) -> Array:
    """The cost above the budget, relative to it or to what a unit of a column costs."""
    actions, d = problem.unbounded.actions, y.shape[1]
    weights = np.ones(d) if actions.weights is None else actions.weights
    change = weights * (y - problem.x0[:-1])
    ell_1 = problem.unbounded.cost == "l1"
    cost = np.abs(change).sum(axis=1) if ell_1 else np.hypot.reduce(change, axis=1)
    free = _reach(problem) > 0.0
    # A column that starts at 0 without bounds tells no unit but 1.
    units = (weights * np.where(known, safe, 1.0))[:, free]
    least = units.min(axis=1, initial=np.inf)
    return np.asarray((cost - delta) / np.maximum(delta, np.where(np.isfinite(least), least, 1.0)))


def _reach(problem: RecourseProblem) -> Array:
    """How far each column may move at all, by its box, its lock, its direction and its group."""
    actions, x0 = problem.unbounded.actions, problem.x0[:-1]
    low = np.full(x0.size, -np.inf) if actions.lower is None else actions.lower.copy()
    high = np.full(x0.size, np.inf) if actions.upper is None else actions.upper.copy()
    grouped = [column for group in actions.groups for column in group]
    low[grouped], high[grouped] = np.maximum(low, 0.0)[grouped], np.minimum(high, 1.0)[grouped]
    up, down, locked = list(actions.only_up), list(actions.only_down), list(actions.locked)
    low[up], high[down] = np.maximum(low, x0)[up], np.minimum(high, x0)[down]
    low[locked] = high[locked] = x0[locked]
    return np.asarray(high - low)


def _invalid(problem: RecourseProblem, points: Array, size: Array) -> Array:
    """How far θᵀx − r(x) ≥ ε is missed by every model (K, n)."""
    means = problem.mixture.means
    radius = doubts(problem, points)
    margin = problem.unbounded.margin * np.ones(len(means))
    if isinstance(problem.metric, str) and problem.metric == "deviations":
        margin = margin * np.linalg.norm(means, axis=1)
    terms = np.abs(means) @ size.T + radius
    short = margin[:, None] - (means @ points.T - radius)
    return np.asarray(short / np.maximum(np.maximum(terms, margin[:, None]), 1e-300))


def doubts(problem: RecourseProblem, points: Array) -> Array:
    """r_k(x) = ρ_k√(xᵀM_k x) of every component and point (K, n), from M_k itself."""
    if isinstance(problem.metric, str) and problem.metric == "weights":
        lengths = np.linalg.norm(points, axis=1)[None, :]
    else:
        named = isinstance(problem.metric, str)
        matrices = problem.mixture.covariances if named else problem.metric
        lengths = spreads(matrices, points)
    return np.asarray(problem.radii[:, None] * lengths)


def spreads(matrices: Array, points: Array) -> Array:
    """√(xᵀM x) of every matrix (K, D, D) and point (n, D): (K, n)."""
    squares = np.einsum("nd,kde,ne->kn", points, matrices, points, optimize=True)
    return np.sqrt(np.maximum(squares, 0.0))


def misses(problem: RecourseProblem, x: Array) -> list[tuple[str, float]]:
    """Every condition with how far one plan misses it, its budget among them."""
    found = shortfalls(problem, x[None, :], problem.feasible_set.delta)
    return [(missed.name, float(missed.by[0])) for missed in found]
