"""What must hold of every answer, judged from the problem's own numbers, not the core's lists."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.special import ndtr

from benchmarks.fuzz_problems import FuzzProblem, fuzz_problem
from dirrac_core import Recourse, RecourseProblem, WeightBall, find_recourse
from dirrac_core.arrays import Array
from dirrac_core.errors import DirracError, InvalidInput
from dirrac_core.robustness import divergence_named

# A condition may be missed by this much, relative to the size of the terms in it.
MISSED = 2e-6
# A lower bound may exceed a value by this much: the promise the fuzzing is about.
BOUND = 1e-6
# A certified plan may be worse than Algorithm 1's by this much, whatever gap was asked for.
WORSE = 1e-4
GAP = 1e-2
# By the clock: generous, so that a busy machine does not decide what is compared.
TIME_LIMIT = 1.0
# Work that has begun is finished: one piece, one cone program, the explanation's next question.
GRACE = 1.0
# Steps of Algorithm 1 are slow, and a few show whether it beats the certificate.
PAPER_TIME_LIMIT = 0.02


Draw = Callable[[int, int], FuzzProblem]


@dataclass
class Finding:
    """One line of the log; `seconds` of both solvers together, of this process alone."""

    index: int
    formulation: str
    tags: tuple[str, ...]
    status: str = ""
    paper_status: str = ""
    seconds: float = 0.0
    gap: float = 0.0
    violations: list[str] = field(default_factory=list)


def examine(seed: int, index: int, draw: Draw = fuzz_problem) -> Finding:
    """Solve problem `index` both ways and list everything that must not be."""
    finding = Finding(index, "not built", ())
    begin = time.process_time()
    try:
        case = draw(seed, index)
        finding.formulation, finding.tags = case.formulation, case.tags
        plan = find_recourse(case.problem, gap=GAP, time_limit=TIME_LIMIT)
        took = time.process_time() - begin
        paper = find_recourse(case.problem, "projected_gradient", time_limit=PAPER_TIME_LIMIT)
    except InvalidInput as error:
        # What makes no problem is refused by name; the generator of this project draws no such.
        finding.status = f"refused: {type(error).__name__}"
        if draw is fuzz_problem:
            finding.violations.append(f"{finding.status}: {error}")
    except DirracError as error:
        finding.status = type(error).__name__
        finding.violations.append(f"{finding.status}: {error}")
    except Exception as error:  # noqa: BLE001  any other exception is exactly what is looked for
        finding.status = type(error).__name__
        finding.violations.append(f"unnamed {finding.status}: {error}")
    else:
        finding.status, finding.paper_status = plan.status, paper.status
        finding.gap = float(plan.gap)
        finding.violations += _single(case, plan) + [f"paper: {v}" for v in _single(case, paper)]
        finding.violations += _pair(case.problem, plan, paper)
        if took > TIME_LIMIT + GRACE:
            finding.violations.append(f"took {took:.2f} s of {TIME_LIMIT} s")
    finding.seconds = time.process_time() - begin
    return finding


def _single(case: FuzzProblem, plan: Recourse) -> list[str]:
    """What must hold of one answer by itself, and against the planted plan."""
    problem = case.problem
    affordable = (
        case.planted is not None
        and problem.unbounded.cost_of(case.planted) * (1.0 + 1e-9) <= plan.delta
    )
    cheaper = [] if case.planted is None else _cheaper(case, plan)
    if plan.x is None:
        found = cheaper if plan.message.strip() else ["no plan and no reason"]
        if affordable and plan.status == "infeasible":
            found.append("called infeasible although a plan was planted")
        return found
    found = cheaper
    found += [f"misses {name} by {by:.2e}" for name, by in misses(problem, plan.x) if by > MISSED]
    value = plan.worst_case_probability
    if not 0.0 <= plan.lower_bound <= value + BOUND <= 1.0 + 2 * BOUND:
        found.append(f"bound {plan.lower_bound:.9g} against value {value:.9g}")
    if plan.gap != value - plan.lower_bound:
        found.append("the gap is not value − bound")
    if plan.status == "optimal" and plan.gap > GAP * (1.0 + 1e-6) + 1e-9:
        found.append(f"optimal with a gap of {plan.gap:.3g}")
    if affordable and case.planted is not None:
        planted = problem.objective.value(case.planted)
        if plan.lower_bound > planted + BOUND:
            found.append(f"bound {plan.lower_bound:.9g} above the planted {planted:.9g}")
    return found + _values(problem, plan)


def _cheaper(case: FuzzProblem, plan: Recourse) -> list[str]:
    """δ_min, called the cost of the cheapest valid plan, against a plan that is valid."""
    cost = case.problem.unbounded.cost_of(case.planted)
    unit = case.problem.unbounded.cost_of(case.problem.x0 + 1.0)
    if plan.delta_min <= cost * (1.0 + MISSED) + 1e-9 * unit:
        return []
    return [f"δ_min is {plan.delta_min:.6g}, and a valid plan costs {cost:.6g}"]


def _pair(problem: RecourseProblem, plan: Recourse, paper: Recourse) -> list[str]:
    """`certified` against Algorithm 1 on the same problem."""
    if plan.x is None or paper.x is None:
        # "Out of reach" says nothing about the set, so it contradicts nothing.
        settled = [p for p in (plan, paper) if p.status != "out of reach"]
        same = len({p.x is None for p in settled}) <= 1
        return [] if same else [f"one plan only: {plan.status} and {paper.status}"]
    found = []
    other = paper.worst_case_probability
    if plan.lower_bound > other + _slack(problem, paper):
        found.append(f"bound {plan.lower_bound:.9g} above Algorithm 1's {other:.9g}")
    # Where the certificate was not reached, it excuses nothing.
    allowed = WORSE if plan.status == "optimal" else BOUND
    if plan.worst_case_probability > other + allowed:
        found.append(f"{plan.worst_case_probability:.9g} worse than Algorithm 1's {other:.9g}")
    if paper.lower_bound > plan.worst_case_probability + _slack(problem, plan):
        found.append(f"bound {paper.lower_bound:.9g} of Algorithm 1 above certified")
    return found


def _slack(problem: RecourseProblem, plan: Recourse) -> float:
    """How far a plan may undercut a bound: one that uses its tolerances lies outside the exact set
    the bound is about, and without spread or room the value is steep there."""
    assert plan.x is not None
    return BOUND if max(by for _, by in misses(problem, plan.x)) <= 1e-9 else WORSE


def misses(problem: RecourseProblem, x: Array) -> list[tuple[str, float]]:
    """Every condition with how far it is missed, relative to the terms in it."""
    actions, x0, y = problem.unbounded.actions, problem.x0[:-1], x[:-1]
    d = y.size
    lower = np.full(d, -np.inf) if actions.lower is None else actions.lower
    upper = np.full(d, np.inf) if actions.upper is None else actions.upper
    weights = np.ones(d) if actions.weights is None else actions.weights
    ends = np.abs(np.array([np.where(np.isfinite(e), e, 0.0) for e in (lower, upper)]))
    size = np.max([np.abs(y), np.abs(x0), *ends], axis=0)
    size[[c for group in actions.groups for c in group]] = 1.0
    safe = np.where(size > 0.0, size, 1.0)
    locked = np.isin(np.arange(d), actions.locked)
    found = [("the constant", abs(x[-1] - 1.0))]
    found += [("a lock", float((np.abs(y - x0) / safe)[locked].max(initial=0.0)))]
    outside = np.maximum(lower - y, y - upper) / safe
    found += [("the box", float(outside[~locked].max(initial=0.0)))]
    up, down = list(actions.only_up), list(actions.only_down)
    found += [("only up", float(((x0 - y) / safe)[up].max(initial=0.0)))]
    found += [("only down", float(((y - x0) / safe)[down].max(initial=0.0)))]
    for group in actions.groups:
        part = y[list(group)]
        found.append(("a group", max(abs(part.sum() - 1.0), -part.min())))
        if problem.unbounded.whole:
            found.append(("a whole category", float(np.abs(part - np.round(part)).max())))
    for rule in actions.linear:
        terms = float(np.abs(rule.coefficients) @ size) or 1.0
        level = float(rule.coefficients @ y)
        found.append((rule.name, max(rule.low - level, level - rule.high) / terms))
    for rule in actions.conditional:
        if y[rule.category] >= 1.0:
            outside_by = max(rule.low - y[rule.column], y[rule.column] - rule.high)
            found.append(("a conditional rule", outside_by / safe[rule.column]))
    change = weights * (y - x0)
    cost = float(
        np.abs(change).sum() if problem.unbounded.cost == "l1" else np.hypot.reduce(change)
    )
    delta = problem.feasible_set.delta
    # A column that starts at 0 without bounds tells no unit but 1.
    known = np.max([np.abs(x0), *ends], axis=0) > 0.0
    free = ~locked & (upper > lower)
    unit = float((weights * np.where(known, safe, 1.0))[free].min(initial=np.inf))
    least = unit if np.isfinite(unit) else 1.0
    found.append(("the budget", (cost - delta) / max(delta, least)))
    length = float(np.linalg.norm(x))
    for theta, rho in zip(problem.mixture.means, problem.radii, strict=True):
        terms = float(np.abs(theta) @ np.append(size, 1.0)) + rho * length
        short = problem.unbounded.margin - (float(theta @ x) - rho * length)
        found.append(("validity", short / max(terms, problem.unbounded.margin, 1e-300)))
    return found


def _values(problem: RecourseProblem, plan: Recourse) -> list[str]:
    """The probabilities from the angles α + β, and the worst weights from their definition."""
    assert plan.x is not None and plan.component_probabilities is not None
    assert plan.worst_weights is not None
    x, mixture, weighting = plan.x, problem.mixture, problem.objective.weighting
    m = mixture.means @ x
    s = np.sqrt([max(float(x @ sigma @ x), 0.0) for sigma in mixture.covariances])
    r = problem.radii * np.linalg.norm(x)
    f, weights = plan.component_probabilities, plan.worst_weights
    found = []
    sure = m > r
    angle = np.arctan2(s, m) + np.arcsin(np.clip(r / np.maximum(np.hypot(m, s), 1e-300), 0.0, 1.0))
    gaussian = problem.objective.link.name == "gaussian"
    with np.errstate(divide="ignore"):
        own = ndtr(-1.0 / np.tan(angle)) if gaussian else np.sin(angle) ** 2
    # x Σ x cancels where Σ is singular; a score beyond that is known to be at least this large.
    rounding = 1e-7 * np.sqrt([np.abs(sigma).sum() * (x @ x) for sigma in mixture.covariances])
    known = sure & (rounding <= 1e-7 * np.maximum(s, m))
    worst = float(np.abs(own - f)[known].max(initial=0.0))
    if worst > BOUND:
        found.append(f"a component's probability is off by {worst:.2e}")
    value = float(weights @ f)
    if abs(value - plan.worst_case_probability) > 1e-9:
        found.append(f"weights and probabilities give {value:.9g}")
    if abs(weights.sum() - 1.0) > 1e-9 or weights.min() < 0.0:
        found.append("the worst weights are no weights")
    if isinstance(weighting, WeightBall):
        phi = divergence_named(weighting.divergence)
        apart = float(mixture.weights @ phi.phi(weights / mixture.weights))
        if not apart <= weighting.radius * (1.0 + 1e-6) + 1e-9:
            found.append(f"the worst weights lie {apart:.9g} from the estimate")
        if plan.worst_case_probability < float(mixture.weights @ f) - 1e-9:
            found.append("the worst weights are better than the estimated ones")
    elif weighting.name == "worst-component" and value < f.max() - 1e-12:
        found.append("not the worst component")
    return found
