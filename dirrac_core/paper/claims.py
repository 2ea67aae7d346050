"""What the mathematics promises, tried out on numbers that anybody can compute again."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import pandas as pd
from scipy.special import ndtr

from dirrac_core.arrays import Array, checked_choice
from dirrac_core.case.case import Case
from dirrac_core.errors import InvalidInput
from dirrac_core.methods import Plan
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.paper.published_solver import PublishedDirrac
from dirrac_core.recourse import RecourseProblem, find_recourse
from dirrac_core.recourse.plane import radius_profile
from dirrac_core.robustness import (
    LINKS,
    Doubt,
    Objective,
    WeightBall,
    score_terms,
    signed_score,
    worst_case_model,
)
from dirrac_core.robustness.weightings import Weighting

PAIRS = 1_000
FUTURES = 2_000
MODELS = 20_000
GAPS = (0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001)
RADII = 13


def printed_probabilities(link: str, m: Array, s: Array, r: Array) -> Array:
    """f_k or f_k^N (K,) as the paper prints them, for m > r; with A = −m, B = s, C = r.

    Proposition “Worst-case probability”: ((−AC + B√(A² + B² − C²)) / (A² + B²))², and its Gaussian
    version 1 − Φ((A² − C²) / (−AB + C√(A² + B² − C²))).
    """
    checked_choice("The link", link, LINKS)
    if not (m > r).all():
        raise InvalidInput(
            "The printed formulas need θ̂ᵀx > ρ‖x‖ for every component, got one without"
        )
    A, B, C = -m, s, r
    root = np.sqrt(A**2 + B**2 - C**2)
    if link == "chebyshev":
        return ((-A * C + B * root) / (A**2 + B**2)) ** 2
    with np.errstate(divide="ignore"):  # B = C = 0: a model that is certain never fails
        return 1.0 - ndtr((A**2 - C**2) / (-A * B + C * root))


def formulations(
    x: Array, mixture: ParameterMixture, doubt: Doubt, ball: WeightBall
) -> pd.DataFrame:
    """The paper's six objectives at x: two links times three weightings.

    `by_score` goes through the robust score a_k alone, `printed` through the paper's own formula
    of each component; both end in the same weighting.
    """
    terms = score_terms(x, mixture, doubt)
    rows = []
    for link in LINKS:
        printed = printed_probabilities(link, *terms)
        weightings: dict[str, str | Weighting] = {
            "nominal": "nominal",
            "ball": ball,
            "worst-component": "worst-component",
        }
        for name, weighting in weightings.items():
            objective = Objective(mixture, doubt.radii, link, weighting, doubt.metric)
            value = objective.weigh(printed)[0]
            rows.append((link, name, objective.value(x), value))
    return pd.DataFrame(rows, columns=["link", "weighting", "by_score", "printed"])


@dataclass(frozen=True)
class Midpoints:
    """`pairs` of points and the point halfway between: how often it scored below both ends."""

    pairs: int
    below: int


def midpoints(people: Array, mixture: ParameterMixture, doubt: Doubt, seed: int = 0) -> Midpoints:
    """Random pairs of `people` (n, D) with a positive robust score, and the points halfway.

    {x : a(x) ≥ t} is a second-order cone for every t ≥ 0, so a middle never scores below both.
    """
    if mixture.components != 1:
        raise InvalidInput(f"One robust score needs K = 1, got {mixture.components} components")
    scores = _scores(people, mixture, doubt)
    safe, ends = people[scores > 0.0], scores[scores > 0.0]
    if len(safe) < 2:
        return Midpoints(0, 0)
    rng = np.random.default_rng(seed)
    first, second = rng.integers(len(safe), size=(2, PAIRS))
    lower = np.minimum(ends[first], ends[second])
    gain = _scores(0.5 * (safe[first] + safe[second]), mixture, doubt) - lower
    # Two equal people are their own middle: rounding decides the sign.
    tiny = 1e-12 * np.maximum(1.0, np.abs(lower))
    return Midpoints(PAIRS, int((gain < -tiny).sum()))


def _scores(points: Array, mixture: ParameterMixture, doubt: Doubt) -> Array:
    """The robust score of many points (n, D) to the one component."""
    scattered = points @ mixture.factors[0]
    doubted = points if doubt.factors is None else points @ doubt.factors[0]
    s, length = (np.sqrt((each**2).sum(axis=1)) for each in (scattered, doubted))
    return signed_score(points @ mixture.means[0], s, doubt.radii[0] * length)


def published_plans(case: Case) -> dict[str, Plan] | None:
    """DiRRAc and Gaussian DiRRAc by the published solver, which stops early and knows no box.

    None where today's model is not linear.
    """
    current, problem = case.bundle.current, case.problem
    if not isinstance(current, LinearModel):
        return None
    actions = case.actions
    binary = tuple(column for group in actions.groups for column in group)
    method = PublishedDirrac(
        current, problem.mixture, binary, float(problem.radii.max()), problem.delta_add
    )
    return {
        link: replace(method, link=link).recourse(case.x0, replace(actions, linear=()))
        for link in LINKS
    }


def certificates(
    problem: RecourseProblem, gaps: Sequence[float] = GAPS, time_limit: float | None = None
) -> pd.DataFrame:
    """The certified answer for each gap requested: value, lower bound, gap, and what it took."""
    rows = []
    for asked in gaps:
        begin = time.perf_counter()
        plan = find_recourse(problem, gap=asked, time_limit=time_limit)
        seconds = time.perf_counter() - begin
        found = plan.worst_case_probability, plan.lower_bound, plan.gap, plan.solves, plan.nodes
        rows.append((asked, *found, seconds))
    columns = ["asked", "value", "lower_bound", "gap", "solves", "nodes", "seconds"]
    return pd.DataFrame(rows, columns=columns)


def rival_ratios(
    x: Array, mixture: ParameterMixture, doubt: Doubt, component: int = 0, seed: int = 0
) -> Array:
    """Mean/deviation of θᵀx for FUTURES random futures at the edge of the ball, (FUTURES,).

    Mean θ̂ + Gu and covariance (F + GE)(F + GE)ᵀ with Σ̂ = FFᵀ, M = GGᵀ the metric of the radii
    and ‖u‖² + ‖E‖² = ρ²: by the definition of the Gelbrich distance they lie at most ρ away. Half
    of the directions lean towards Gᵀx, where futures do most harm.
    """
    rng = np.random.default_rng(seed)
    factor, mean = mixture.factors[component], mixture.means[component]
    d, rank = factor.shape
    moves = rng.standard_normal((FUTURES, d, rank + 1))
    seen = x if doubt.factors is None else x @ doubt.factors[component]
    along = seen / np.sqrt(seen @ seen)
    half = FUTURES // 2
    moves[:half] += 3.0 * rng.standard_normal((half, 1, rank + 1)) * along[None, :, None]
    moves *= doubt.radii[component] / np.sqrt((moves**2).sum(axis=(1, 2)))[:, None, None]
    means = mean @ x + moves[:, :, 0] @ seen
    deviations = np.sqrt(((x @ factor + seen @ moves[:, :, 1:]) ** 2).sum(axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return cast(Array, means / deviations)


def declining_share(
    x: Array, mixture: ParameterMixture, doubt: Doubt, component: int = 0, seed: int = 0
) -> float:
    """The share of MODELS Gaussian models drawn from the adversary's moments that decline x."""
    worst = worst_case_model(x, mixture, doubt.radii, component, doubt.metric)
    rng = np.random.default_rng(seed)
    drawn = rng.multivariate_normal(worst.mean, worst.covariance, MODELS, method="eigh")
    return float((drawn @ x <= 0.0).mean())


def effort_over_radius(problem: RecourseProblem, beyond: float = 1.2) -> pd.DataFrame:
    """δ_min for radii from 0 to `beyond` times the ceiling; infinite above it.

    The radii keep their proportions, `rho` being the largest; all equal where all are 0.
    """
    profile = radius_profile(problem)
    ceiling = problem.unbounded.largest_radius(profile)
    rho = ceiling * np.append(np.linspace(0.0, 0.995, RADII), beyond)
    return pd.DataFrame({"rho": rho, "effort": [effort_at(problem, each) for each in rho]})


def effort_at(problem: RecourseProblem, rho: float) -> float:
    """δ_min when the largest radius is rho."""
    return replace(problem.unbounded, radii=rho * radius_profile(problem)).delta_min()
