"""Random recourse problems for fuzzing: all formulations, every corner, many units.

Problem i depends only on (seed, i). Most problems are built around a planted plan, a point known
to satisfy every condition, so that "no plan" and bounds can be judged without trusting the core.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dirrac_core import Actions, ParameterMixture, RecourseProblem, WeightBall
from dirrac_core.arrays import Array
from dirrac_core.feasible import FeasibleSet
from dirrac_core.robustness import DIVERGENCES

COVARIANCES = ("full", "rank one", "zero", "tiny", "huge", "mixed")
UNITS = ("plain", "plain", "plain", "all columns", "each column", "models")
LINKS = ("chebyshev", "gaussian")
# Powers of ten of the units; the middle of the range is drawn more often than its ends.
LARGEST_POWER = 8.0


@dataclass(frozen=True, eq=False)
class FuzzProblem:
    """A problem, a plan known to be valid with room to spare (or None), and what was drawn.

    Whether the planted plan is affordable depends on the budget: compare its cost with δ.
    """

    problem: RecourseProblem
    planted: Array | None
    formulation: str
    tags: tuple[str, ...]


@dataclass
class _Draft:
    """What has been drawn so far; columns 0 … d − 1 are features, means end with the bias."""

    rng: np.random.Generator
    d: int
    k: int
    groups: tuple[tuple[int, ...], ...]
    tags: list[str]
    # Whether the plan lies between two categories, as it must when the applicant is locked there.
    split: bool = False
    x0: Array = field(default_factory=lambda: np.zeros(0))
    plan: Array = field(default_factory=lambda: np.zeros(0))
    lower: Array | None = None
    upper: Array | None = None
    locked: tuple[int, ...] = ()
    only_up: tuple[int, ...] = ()
    only_down: tuple[int, ...] = ()
    weights: Array | None = None
    linear: list[tuple[Array, float, float]] = field(default_factory=list)
    conditional: list[tuple[int, int, float, float]] = field(default_factory=list)
    means: Array = field(default_factory=lambda: np.zeros(0))
    factors: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def numbers(self) -> list[int]:
        """The columns that belong to no group."""
        grouped = {c for group in self.groups for c in group}
        return [c for c in range(self.d) if c not in grouped]

    def chance(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def pick(self, *choices: Any) -> Any:
        return choices[self.rng.integers(len(choices))]

    def power(self) -> float:
        """A unit between 1e-8 and 1e8."""
        return float(10.0 ** (LARGEST_POWER * (2.0 * self.rng.beta(1.5, 1.5) - 1.0)))


def fuzz_problem(seed: int, index: int) -> FuzzProblem:
    """Problem number `index` of the sequence `seed`."""
    rng = np.random.default_rng([seed, index])
    d = int(
        rng.choice([1, 2, 3, 4, 5, 6, 8, 12], p=[0.1, 0.12, 0.13, 0.15, 0.15, 0.15, 0.12, 0.08])
    )
    k = int(rng.choice([1, 2, 3, 5, 7, 10], p=[0.34, 0.26, 0.2, 0.1, 0.05, 0.05]))
    draft = _Draft(rng, d, k, _groups(rng, d), [])
    _draw_applicant(draft)
    _draw_restrictions(draft)
    _draw_models(draft)
    _draw_units(draft)
    return _assembled(draft)


def _groups(rng: np.random.Generator, d: int) -> tuple[tuple[int, ...], ...]:
    if d < 3 or rng.random() < 0.45:
        return ()
    sizes = {3: [(2,), (3,)], 4: [(2,), (3,), (2, 2)], 5: [(3,), (2, 3)]}.get(
        d, [(3,), (2, 3), (4,)] if d < 8 else [(4, 3), (2, 2, 2), (5,)]
    )
    chosen = sizes[rng.integers(len(sizes))]
    ends = np.cumsum(chosen)
    return tuple(tuple(range(end - size, end)) for size, end in zip(chosen, ends, strict=True))


def _draw_applicant(draft: _Draft) -> None:
    """x0, the planted plan, box, locks and directions, all in units of about 1."""
    rng, d = draft.rng, draft.d
    draft.x0, draft.plan = rng.random(d), rng.random(d)
    if draft.chance(0.1):
        draft.x0 = np.round(draft.x0)
    if draft.chance(0.05):
        draft.x0[:] = 0.0
    for group in draft.groups:
        for point in (draft.x0, draft.plan):
            point[list(group)] = 0.0
            point[rng.choice(group)] = 1.0
    if draft.groups and draft.chance(0.05):
        # An applicant between two categories: no one-hot row, but a legal point to start from.
        group = list(draft.groups[0])
        draft.x0[group] = rng.dirichlet(np.ones(len(group)))
        draft.tags.append("split applicant")
    order = rng.permutation(d)
    lock = str(rng.choice(["none", "some", "all but one", "all"], p=[0.4, 0.4, 0.12, 0.08]))
    count = {"none": 0, "some": int(rng.integers(0, max(d // 2, 1) + 1)), "all": d}.get(lock, d - 1)
    draft.locked = tuple(int(c) for c in order[:count])
    if count == d:
        draft.tags.append("everything locked")
    for group in draft.groups:
        if set(group) & set(draft.locked):
            draft.plan[list(group)] = draft.x0[list(group)]
            draft.split = draft.split or bool((draft.x0[list(group)] % 1.0).any())
    draft.plan[list(draft.locked)] = draft.x0[list(draft.locked)]
    one_way = [int(c) for c in order[count:] if c in draft.numbers and draft.chance(0.3)]
    draft.only_up = tuple(c for c in one_way if draft.plan[c] >= draft.x0[c])
    draft.only_down = tuple(c for c in one_way if draft.plan[c] < draft.x0[c])
    if draft.chance(0.8):
        draft.lower, draft.upper = np.zeros(d), np.ones(d)
        if draft.chance(0.2):
            loose = rng.random(d) < 0.5
            draft.lower[loose], draft.upper[~loose] = -np.inf, np.inf
        if draft.chance(0.1):
            # A box the applicant may lie outside of; the plan never does.
            narrow = 0.2 * rng.random(d)
            draft.lower = np.maximum(draft.lower, np.minimum(draft.plan - narrow, 0.9))
            draft.upper = np.minimum(draft.upper, np.maximum(draft.plan + narrow, 0.1))


def _draw_restrictions(draft: _Draft) -> None:
    """Feature weights, linear and conditional rules the planted plan satisfies."""
    rng, d = draft.rng, draft.d
    if draft.chance(0.4):
        spread = draft.pick(1.0, 1.0, 3.0)
        draft.weights = 10.0 ** (spread * (rng.random(d) - 0.5))
    if draft.chance(0.3):
        for _ in range(int(rng.integers(1, 3))):
            row = rng.normal(size=d) * (rng.random(d) < 0.7)
            room = draft.pick(0.0, 0.1, 1.0)
            level = float(row @ draft.plan)
            kind = draft.pick("at most", "at least", "between", "equal")
            low = level - room if kind != "at most" else -np.inf
            high = level + room if kind != "at least" else np.inf
            if kind == "equal":
                low = high = level
            draft.linear.append((row, low, high))
    bounded = draft.lower is not None and draft.upper is not None
    numbers = [
        c
        for c in draft.numbers
        if bounded and np.isfinite(draft.lower[c]) and np.isfinite(draft.upper[c])
    ]
    if draft.groups and numbers and draft.chance(0.4):
        group, column = draft.pick(*draft.groups), int(rng.choice(numbers))
        value = draft.plan[column]
        low, high = float(value - 0.3 * rng.random()), float(value + 0.3 * rng.random())
        draft.conditional.append((int(rng.choice(group)), column, low, high))


def _draw_models(draft: _Draft) -> None:
    """Means and covariance factors in units of about 1; the bias comes last, with the units."""
    rng, d, k = draft.rng, draft.d, draft.k
    shared = rng.normal(size=d + 1)
    if draft.chance(0.1):
        shared[rng.random(d + 1) < 0.5] = 0.0
        draft.tags.append("columns of no use")
    means = shared + draft.pick(0.0, 0.05, 0.3, 1.0) * rng.normal(size=(k, d + 1))
    kind = draft.pick(*COVARIANCES)
    sizes = {"tiny": 10.0 ** rng.uniform(-7, -3), "huge": 10.0 ** rng.uniform(2, 7)}
    factors = rng.normal(size=(k, d + 1, d + 1)) * sizes.get(kind, 10.0 ** rng.uniform(-2.5, 0.5))
    if kind == "rank one":
        factors[:, :, 1:] = 0.0
    elif kind == "zero":
        factors[:] = 0.0
    elif kind == "mixed":
        factors *= 10.0 ** rng.uniform(-4, 3, size=(k, 1, 1)) * (rng.random((k, 1, 1)) < 0.8)
    draft.tags.append(f"{kind} covariance")
    if draft.chance(0.4):
        _duplicate_columns(draft, means, factors)
    # Models under which the plan is a step in the right direction.
    change = np.append(draft.plan - draft.x0, 0.0)
    means[means @ change < 0.0] *= -1.0
    draft.means, draft.factors = means, factors


def _duplicate_columns(draft: _Draft, means: Array, factors: Array) -> None:
    if len(draft.numbers) < 2:
        return
    first, second = draft.numbers[:2]
    if {first, second} & {*draft.locked, *draft.only_up, *draft.only_down}:
        return
    means[:, second], factors[:, second] = means[:, first], factors[:, first]
    draft.x0[second] = draft.x0[first]
    draft.tags.append("duplicated columns")


def _draw_units(draft: _Draft) -> None:
    """Write the same problem in other units: x → c·x with models and cost weights divided by c."""
    units = np.ones(draft.d)
    kind = draft.pick(*UNITS)
    if kind == "all columns":
        units[draft.numbers] = draft.power()
    elif kind == "each column":
        units[draft.numbers] = [draft.power() for _ in draft.numbers]
    if kind != "plain":
        draft.tags.append(f"units of {kind}")
    for name in ("x0", "plan", "lower", "upper"):
        if getattr(draft, name) is not None:
            setattr(draft, name, getattr(draft, name) * units)
    if (units != 1.0).any() and draft.chance(0.7):
        draft.weights = (np.ones(draft.d) if draft.weights is None else draft.weights) / units
    draft.means[:, :-1] /= units
    draft.factors[:, :-1] /= units[:, None]
    draft.linear = [(row / units, low, high) for row, low, high in draft.linear]
    draft.conditional = [
        (z, c, low * units[c], high * units[c]) for z, c, low, high in draft.conditional
    ]
    if kind == "models":
        size = draft.power()
        draft.means *= size
        draft.factors *= size


def _assembled(draft: _Draft) -> FuzzProblem:
    """Bias, radii, margin and budget, so that the planted plan has room to spare."""
    rng, k = draft.rng, draft.k
    x0, plan = np.append(draft.x0, 1.0), np.append(draft.plan, 1.0)
    gain = draft.means @ (plan - x0)
    size = float(np.abs(draft.means * plan).sum(axis=1).max()) or 1.0
    reference = np.where(gain > 1e-3 * size, gain, 0.3 * size)
    share = draft.pick(0.0, 0.01, 0.1, 0.5)
    radii = share * reference.min() / np.linalg.norm(plan) * np.ones(k)
    if k > 1 and draft.chance(0.2):
        radii *= rng.random(k) * (rng.random(k) < 0.8)
    margin = 1e-3 * draft.pick(size, size, size, 1.0, 0.0)
    room = rng.uniform(0.01, 1.0, k) * reference
    draft.means[:, -1] -= draft.means @ plan - (radii * np.linalg.norm(plan) + margin + room)
    planted = draft.chance(0.85)
    if not planted:
        draft.means[:, -1] -= rng.uniform(0.0, 3.0) * size
        draft.tags.append("nothing planted")
    actions = Actions(
        draft.lower,
        draft.upper,
        draft.locked,
        draft.only_up,
        draft.only_down,
        draft.groups,
        draft.weights,
        draft.linear,
        draft.conditional,
    )
    mixture = ParameterMixture(
        rng.dirichlet(3.0 * np.ones(k)) * 0.9 + 0.1 / k,
        draft.means,
        draft.factors @ draft.factors.transpose(0, 2, 1),
    )
    options = {"actions": actions, "cost": draft.pick("l1", "l2"), "margin": margin}
    categories = "relaxed" if draft.split else draft.pick("relaxed", "whole")
    current_model = None
    if draft.chance(0.15):
        current_model = draft.means[0] + 0.1 * np.abs(draft.means[0]) * rng.normal(size=x0.size)
        current_model[-1] -= current_model @ plan - margin - 0.3 * size
        draft.tags.append("current model")
    feasible = FeasibleSet(x0, mixture, radii, categories=categories, **options)
    price = feasible.cost_of(plan)
    delta_add, delta = _budget(draft, price)
    if share > 0.0 and draft.chance(0.12):
        ceiling = feasible.with_delta(np.inf if delta is None else delta).largest_radius()
        radii = np.full(
            k, ceiling * (1.0 + draft.pick(-1.0, -1.0, 1.0) * 10.0 ** rng.uniform(-9, -1))
        )
        draft.tags.append("radius near the ceiling")
        planted = False
    link = draft.pick(*LINKS)
    weighting = draft.pick("nominal", "worst-component", *sorted(DIVERGENCES))
    name = weighting
    if weighting in DIVERGENCES:
        weighting = WeightBall(weighting, float(draft.pick(0.0, 1e-6, 0.01, 0.1, 1.0, 10.0)))
    problem = RecourseProblem(
        x0,
        mixture,
        radii,
        delta_add=delta_add,
        link=link,
        weighting=weighting,
        categories=categories,
        delta=delta,
        current_model=current_model,
        **options,
    )
    formulation = f"{link} {name} {'K=1' if k == 1 else 'K>1'}"
    return FuzzProblem(problem, plan if planted else None, formulation, tuple(draft.tags))


def _budget(draft: _Draft, price: float) -> tuple[float, float | None]:
    """(delta_add, delta): an extra on top of δ_min, or a budget given the planted plan's price."""
    kind = draft.pick("extra", "extra", "plan", "plan", "none", "tight", "zero")
    unit = price if price > 0.0 else 1.0
    if kind == "extra":
        return float(draft.pick(1e-6, 0.01, 0.3, 1.0, 3.0, 1e3) * unit), None
    if kind == "none":
        draft.tags.append("no extra budget")
        return 0.0, None
    if kind == "zero":
        draft.tags.append("zero budget")
        return 0.0, 0.0
    if kind == "tight":
        return 0.0, float(price * draft.pick(0.5, 0.9, 1.0))
    return 0.0, float(price * draft.pick(1.001, 1.3, 2.0, 10.0))
