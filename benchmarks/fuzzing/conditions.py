"""Every condition on a plan from the problem's own numbers, for many points at once."""

from typing import NamedTuple

import numpy as np

from dirrac_core import RecourseProblem
from dirrac_core.arrays import Array

# Which end of what rounding leaves open a number is taken at: against the point, or for it.
AGAINST, NEITHER, FOR = 1.0, 0.0, -1.0


class Missed(NamedTuple):
    """A condition, and by how much each point misses it (n,), relative to the terms in it."""

    name: str
    by: Array


def shortfalls(
    problem: RecourseProblem, points: Array, delta: float = np.inf, doubtful: float = AGAINST
) -> list[Missed]:
    """What each of `points` (n, D) misses at the budget `delta`; nothing where it is ≤ 0.

    `doubtful` says at which end r(x) is taken, where rounding leaves it open (see `spreads`).
    """
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
    given[[c for group in actions.groups for c in group]] = 1.0
    numbers = np.maximum(np.abs(y), given)
    # A plan a trace away from a person of zeros is as large as that trace, and no unit.
    size = np.where(given > 0.0, numbers, np.maximum(numbers, _felt(problem)))
    locked = np.isin(np.arange(d), actions.locked)
    moved = (y - x0) / size

    def worst(by: Array) -> Array:
        return np.asarray(by.max(axis=1, initial=-np.inf))

    found = [
        Missed("the constant", np.abs(points[:, -1] - 1.0)),
        Missed("a lock", worst(np.abs(moved)[:, locked])),
        Missed("the box", worst((np.maximum(lower - y, y - upper) / size)[:, ~locked])),
        Missed("only up", worst(-moved[:, list(actions.only_up)])),
        Missed("only down", worst(moved[:, list(actions.only_down)])),
    ]
    for group in actions.groups:
        part = y[:, list(group)]
        off = np.abs(part.sum(axis=1) - 1.0)
        found.append(Missed("a group", np.maximum(off, -part.min(axis=1))))
        if problem.unbounded.whole:
            found.append(Missed("a whole category", worst(np.abs(part - np.round(part)))))
    # A column that cannot move is exact: it lends a rule no more room than its number.
    lent = np.where(_reach(problem) > 0.0, size, numbers)
    for rule in actions.linear:
        terms = lent @ np.abs(rule.coefficients)
        level = y @ rule.coefficients
        outside = np.maximum(rule.low - level, level - rule.high)
        found.append(Missed(rule.name, outside / np.where(terms > 0.0, terms, 1.0)))
    for condition in actions.conditional:
        c = condition.column
        outside = np.maximum(condition.low - y[:, c], y[:, c] - condition.high) / size[:, c]
        in_force = y[:, condition.category] >= 1.0
        found.append(Missed("a conditional rule", np.where(in_force, outside, -np.inf)))
    if like is not None:
        outside = np.maximum(like.lower - y, y - like.upper) / size
        found.append(Missed("the range of real people", worst(outside[:, ~locked])))
        far = np.linalg.norm((y - like.centre) @ like.factor.T, axis=1) - like.size
        terms = np.linalg.norm((size + np.abs(like.centre)) @ np.abs(like.factor).T, axis=1)
        found.append(Missed("likeness", far / np.maximum(terms, like.size)))
    if np.isfinite(delta):
        found.append(Missed("the budget", _over(problem, y, delta, size)))
    terms = np.column_stack([numbers, np.ones(len(y))])
    return found + [
        Missed("validity", short) for short in _invalid(problem, points, terms, doubtful)
    ]


def _felt(problem: RecourseProblem) -> Array:
    """The change of each column (D − 1,) that some model feels like all of the person, at most 1.

    The unit of a column that is 0 and has no bounds, so that no number given tells its size. With
    g = |θ̂| + √diag Σ̂, a change u of column c moves mean or deviation by up to g_c·u, and they are
    of the size max_j g_j|x0_j|, or the margin: their ratio follows every rescaling of the column.
    It is never more than 1, which is what the checklist measures such a column by.
    """
    variances = np.diagonal(problem.mixture.covariances, axis1=1, axis2=2)
    g = np.abs(problem.mixture.means) + np.sqrt(np.maximum(variances, 0.0))
    whole = np.maximum((g * np.abs(problem.x0)).max(axis=1), _margins(problem))
    ratios = np.divide(whole[:, None], g[:, :-1], out=np.ones_like(g[:, :-1]), where=g[:, :-1] > 0)
    least = np.minimum(ratios.min(axis=0), 1.0)
    return np.where(least > 0.0, least, 1.0)


def _over(problem: RecourseProblem, y: Array, delta: float, size: Array) -> Array:
    """The cost above the budget, relative to it or to what a unit of a column costs."""
    actions, d = problem.unbounded.actions, y.shape[1]
    weights = np.ones(d) if actions.weights is None else actions.weights
    change = weights * (y - problem.x0[:-1])
    ell_1 = problem.unbounded.cost == "l1"
    cost = np.abs(change).sum(axis=1) if ell_1 else np.hypot.reduce(change, axis=1)
    free = _reach(problem) > 0.0
    least = (weights * size)[:, free].min(axis=1, initial=np.inf)
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


def _margins(problem: RecourseProblem) -> Array:
    """ε of every model (K,)."""
    margin = problem.unbounded.margin * np.ones(problem.mixture.components)
    if isinstance(problem.metric, str) and problem.metric == "deviations":
        margin = margin * np.linalg.norm(problem.mixture.means, axis=1)
    return np.asarray(margin)


def _invalid(problem: RecourseProblem, points: Array, size: Array, doubtful: float) -> Array:
    """How far θᵀx − r(x) ≥ ε is missed by every model (K, n)."""
    means, margin = problem.mixture.means, _margins(problem)
    radius = doubts(problem, points, doubtful)
    terms = np.abs(means) @ size.T + radius
    short = margin[:, None] - (means @ points.T - radius)
    return np.asarray(short / np.maximum(np.maximum(terms, margin[:, None]), 1e-300))


def doubts(problem: RecourseProblem, points: Array, doubtful: float = NEITHER) -> Array:
    """r_k(x) = ρ_k√(xᵀM_k x) of every component and point (K, n), from M_k itself."""
    if isinstance(problem.metric, str) and problem.metric == "weights":
        lengths = np.linalg.norm(points, axis=1)[None, :]
    else:
        named = isinstance(problem.metric, str)
        matrices = problem.mixture.covariances if named else problem.metric
        lengths = spreads(matrices, points, doubtful)
    return np.asarray(problem.radii[:, None] * lengths)


def spreads(matrices: Array, points: Array, doubtful: float = NEITHER) -> Array:
    """√(xᵀM x) of every matrix (K, D, D) and point (n, D): (K, n).

    Every entry of M is rounded to half an eps of itself, and the two products with x add no more
    than D·eps: xᵀMx is known to (D + 1)·eps·|x|ᵀ|M||x|. Where M is singular and x lies in its
    kernel that is all there is of it, and the root of it is a hundred million times as large.
    """
    squares = np.einsum("nd,kde,ne->kn", points, matrices, points, optimize=True)
    if doubtful:
        terms = np.einsum(
            "nd,kde,ne->kn", np.abs(points), np.abs(matrices), np.abs(points), optimize=True
        )
        squares = squares + doubtful * (points.shape[1] + 1) * np.finfo(float).eps * terms
    return np.sqrt(np.maximum(squares, 0.0))


def misses(problem: RecourseProblem, x: Array) -> list[tuple[str, float]]:
    """Every condition with how far one plan surely misses it, its budget among them."""
    found = shortfalls(problem, x[None, :], problem.feasible_set.delta, FOR)
    return [(missed.name, float(missed.by[0])) for missed in found]


def surely_kept(problem: RecourseProblem, x: Array) -> bool:
    """Whether a plan keeps every condition and the budget, without any tolerance."""
    found = shortfalls(problem, x[None, :], problem.feasible_set.delta)
    return all(missed.by[0] <= 0.0 for missed in found)
