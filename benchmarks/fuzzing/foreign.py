"""Random problems as somebody else would draw them, for the same checks as those of `problems`.

Nothing is planted and nothing is kept tidy: heavy-tailed people, singular and nearly singular
covariances, repeated and contradictory models, weights down to 1e-12, boxes of no width, rules
twice or against each other, ρ in every metric, likeness to people far away. Whether a plan exists
is asked of points thrown at the conditions.
"""

from typing import Any

import numpy as np

from benchmarks.fuzzing.problems import FuzzProblem
from benchmarks.fuzzing.witnesses import witness
from dirrac_core import Actions, ParameterMixture, RecourseProblem, WeightBall
from dirrac_core.arrays import Array
from dirrac_core.data.schema.plausible_set import PlausibleSet
from dirrac_core.robustness import DIVERGENCES

LINKS = ("chebyshev", "gaussian")


def foreign_problem(seed: int, index: int) -> FuzzProblem:
    """Problem number `index` of the sequence `seed`; a point that keeps every rule, if one is
    found. A combination that makes no problem is refused by name."""
    rng = np.random.default_rng([seed, index, 77])
    tags: list[str] = []
    d = int(rng.integers(1, 16))
    k = int(min(1 + rng.geometric(0.45), 12)) if rng.random() < 0.7 else 1
    y0 = _person(rng, d, tags)
    groups = _groups(rng, y0, tags)
    x0 = np.append(y0, 1.0)
    mixture = ParameterMixture(
        _weights(rng, k, tags), _models(rng, k, x0, tags), _spreads(rng, k, d + 1, tags)
    )
    weighting: Any = _one(rng, "nominal", "worst-component", "ball", "ball")
    if weighting == "ball":
        radius = float(_one(rng, 0.0, 1e-9, 1e-3, 0.05, 0.5, 3.0, 50.0))
        weighting = WeightBall(str(rng.choice(sorted(DIVERGENCES))), radius)
    link = str(rng.choice(LINKS))
    budgets = {"delta_add": float(_one(rng, 0.0, 1e-9, 0.1, 1.0, 30.0, 1e6))}
    if rng.random() < 0.4:
        budgets = {"delta": float(_one(rng, 0.0, 1e-9, 0.1, 1.0, 30.0, 1e6))}
    radii, metric = _doubt(rng, mixture, x0, tags)
    problem = RecourseProblem(
        x0,
        mixture,
        radii,
        cost=str(rng.choice(["l1", "l2"])),
        link=link,
        weighting=weighting,
        actions=_actions(rng, y0, groups, tags),
        categories=str(rng.choice(["relaxed", "whole"])),
        margin=float(_one(rng, 0.0, 1e-6, 1e-3, 1.0)),
        current_model=_today(rng, mixture, tags),
        metric=metric,
        **budgets,
    )
    name = weighting if isinstance(weighting, str) else weighting.divergence
    formulation = f"{link} {name} {'K=1' if k == 1 else 'K>1'}"
    return FuzzProblem(problem, witness(problem, rng), formulation, tuple(tags))


def _one(rng: np.random.Generator, *choices: Any) -> Any:
    return choices[rng.integers(len(choices))]


def _person(rng: np.random.Generator, d: int, tags: list[str]) -> Array:
    kind = str(rng.choice(["normal", "heavy", "lognormal", "counts", "tiny", "zero"]))
    tags.append(f"{kind} person")
    drawn = {
        "normal": rng.normal(size=d),
        "heavy": rng.standard_t(1.5, size=d),
        "lognormal": rng.lognormal(0.0, 3.0, size=d),
        "counts": rng.integers(0, 1000, size=d).astype(float),
        "tiny": 1e-7 * rng.normal(size=d),
        "zero": np.zeros(d),
    }
    return drawn[kind]


def _groups(rng: np.random.Generator, y0: Array, tags: list[str]) -> list[list[int]]:
    """The first columns made one-hot, in the person too."""
    groups: list[list[int]] = []
    begin = 0
    while rng.random() < 0.3 and begin + 2 <= y0.size:
        size = int(min(rng.integers(2, 6), y0.size - begin))
        groups.append(list(range(begin, begin + size)))
        y0[groups[-1]] = np.eye(size)[rng.integers(size)]
        begin += size
    if groups:
        tags.append("categories")
    return groups


def _doubt(
    rng: np.random.Generator, mixture: ParameterMixture, x0: Array, tags: list[str]
) -> tuple[float, Any]:
    """ρ and its metric: weights, deviations, or matrices that have nothing to do with either."""
    kind = str(rng.choice(["weights", "deviations", "matrices"], p=[0.45, 0.4, 0.15]))
    tags.append(f"ρ in {kind}")
    if kind == "deviations":
        return float(_one(rng, 0.0, 1e-12, 0.05, 0.5, 3.0)), kind
    radii = float(_one(rng, 0.0, 0.0, 1e-12, 1e-3, 0.05, 1.0)) / max(np.linalg.norm(x0), 1.0)
    if kind == "weights":
        return radii, kind
    return radii, _spreads(rng, mixture.components, x0.size, [])


def _today(rng: np.random.Generator, mixture: ParameterMixture, tags: list[str]) -> Array | None:
    if rng.random() < 0.8:
        return None
    tags.append("today's model")
    return np.asarray(mixture.means[0] * (1.0 + 0.3 * rng.normal(size=mixture.dimension)))


def _weights(rng: np.random.Generator, k: int, tags: list[str]) -> Array:
    if k > 1 and rng.random() < 0.35:
        tags.append("extreme weights")
        powers = -12.0 * rng.random(k)
        powers[0] = 0.0
        weights = 10.0**powers
    else:
        weights = rng.dirichlet(np.full(k, 0.5)) + 1e-6
    return np.asarray(weights / weights.sum())


def _models(rng: np.random.Generator, k: int, x0: Array, tags: list[str]) -> Array:
    size = 10.0 ** rng.uniform(-4.0, 4.0)
    means = size * rng.normal(size=(k, x0.size))
    kind = str(rng.choice(["free", "repeated", "nearly repeated", "contradictory", "sparse"]))
    if kind == "repeated":
        means[:] = means[0]
    elif kind == "nearly repeated":
        means = means[0] * (1.0 + 1e-12 * rng.normal(size=means.shape))
    elif kind == "contradictory" and k > 1:
        means[1] = -means[0]
    elif kind == "sparse":
        means[rng.random(means.shape) < 0.7] = 0.0
    if rng.random() < 0.6:
        # Today the person is declined, or accepted, by about as much as models differ.
        means[:, -1] -= means @ x0 - size * rng.normal(size=k)
    tags.append(f"{kind} models")
    return means


def _spreads(rng: np.random.Generator, k: int, n: int, tags: list[str]) -> Array:
    kind = str(rng.choice(["wishart", "few", "chain", "hilbert", "diagonal", "none"]))
    tags.append(f"{kind} covariance")
    made = []
    for _ in range(k):
        if kind == "wishart":
            factor = rng.normal(size=(n, 2 * n))
        elif kind == "few":
            factor = rng.normal(size=(n, max(n // 3, 1)))
        elif kind == "chain":
            steps = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
            factor = np.linalg.cholesky(0.999**steps + 1e-12 * np.eye(n))
        elif kind == "hilbert":
            places = np.add.outer(np.arange(n), np.arange(n)) + 1.0
            values, vectors = np.linalg.eigh(1.0 / places)
            factor = vectors * np.sqrt(np.maximum(values, 0.0))
        elif kind == "diagonal":
            factor = np.diag(10.0 ** rng.uniform(-6.0, 1.0, n))
        else:
            factor = np.zeros((n, n))
        factor = 10.0 ** rng.uniform(-3.0, 2.0) * factor
        made.append(factor @ factor.T)
    return np.array(made)


def _actions(
    rng: np.random.Generator, y0: Array, groups: list[list[int]], tags: list[str]
) -> Actions:
    d = y0.size
    width = np.abs(y0) + 1.0
    lower, upper = y0 - 3.0 * width * rng.random(d), y0 + 3.0 * width * rng.random(d)
    kind = str(rng.choice(["wide", "none", "narrow", "no width", "elsewhere"]))
    tags.append(f"{kind} box")
    given = {}
    if kind == "narrow":
        lower, upper = y0 - 1e-9 * width, y0 + 1e-9 * width
    elif kind == "no width":
        flat = rng.random(d) < 0.5
        lower[flat] = upper[flat] = y0[flat]
    elif kind == "elsewhere":
        moved = rng.random(d) < 0.3
        lower[moved], upper[moved] = (y0 + width)[moved], (y0 + 2.0 * width)[moved]
    if kind != "none":
        given = {"lower": lower, "upper": upper}
    grouped = [column for group in groups for column in group]
    if rng.random() < 0.7:
        lower[grouped], upper[grouped] = 0.0, 1.0
    linear = []
    if rng.random() < 0.4:
        row = rng.normal(size=d) * 10.0 ** rng.uniform(-3.0, 3.0)
        level = float(row @ y0)
        room = float(_one(rng, 0.0, 1e-9, 1.0)) * (abs(level) + 1.0)
        linear = [(row, level - room, level + room)] * int(rng.integers(1, 4))
        if rng.random() < 0.2:
            tags.append("contradictory rules")
            linear.append((row, level + 2.0 * room + 1.0, np.inf))
    conditional = []
    others = [column for column in range(d) if column not in grouped]
    if given and groups and others and rng.random() < 0.3:
        column = int(rng.choice(others))
        ends = np.sort(y0[column] + width[column] * rng.normal(size=2))
        conditional.append((int(rng.choice(grouped)), column, float(ends[0]), float(ends[1])))
    free = rng.random(d)
    return Actions(
        **given,
        locked=[int(c) for c in np.flatnonzero(free < 0.15)],
        only_up=[int(c) for c in np.flatnonzero((free > 0.15) & (free < 0.3))],
        only_down=[int(c) for c in np.flatnonzero((free > 0.3) & (free < 0.4))],
        groups=groups,
        weights=10.0 ** rng.uniform(-3.0, 3.0, d) if rng.random() < 0.3 else None,
        linear=linear,
        conditional=conditional,
        plausible=_alike(rng, y0, width, tags) if rng.random() < 0.2 else None,
    )


def _alike(rng: np.random.Generator, y0: Array, width: Array, tags: list[str]) -> PlausibleSet:
    """Ranges and an ellipsoid around somebody near, of full rank or flat."""
    d = y0.size
    tags.append("like real people")
    ends = np.where(rng.random((2, d)) < 0.3, np.inf, 5.0 * width * rng.random((2, d)))
    factor = rng.normal(size=(int(rng.integers(1, d + 1)), d)) / width
    centre = y0 + 0.3 * width * rng.normal(size=d)
    away = float(np.linalg.norm(factor @ (y0 - centre)))
    size = max(away, 1e-9) * float(_one(rng, 0.5, 1.0, 1.5, 5.0, 100.0))
    return PlausibleSet(y0 - ends[0], y0 + ends[1], factor, centre, size)
