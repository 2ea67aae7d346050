"""What must hold of every answer, judged from the problem's own numbers, not the core's lists."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from unittest.mock import patch

import numpy as np
from scipy.special import ndtr

from benchmarks.fuzzing.conditions import AGAINST, doubts, misses, spreads, surely_kept
from benchmarks.fuzzing.problems import FuzzProblem, fuzz_problem
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
# In seconds of CPU, which is what the solvers' clock shows here (see `_solved`).
TIME_LIMIT = 1.0
# What took longer than this of CPU is asked once more with this limit, which must be kept.
SHORT_LIMIT = 0.1
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


def examine(seed: int, index: int, draw: Draw = fuzz_problem, both: bool = True) -> Finding:
    """Solve problem `index`, both ways if asked to, and list everything that must not be."""
    finding = Finding(index, "not built", ())
    begin = time.process_time()
    case = None
    try:
        case = draw(seed, index)
        finding.formulation, finding.tags = case.formulation, case.tags
        plan, took = _timed(case.problem, TIME_LIMIT)
        finding.status, finding.gap = plan.status, float(plan.gap)
        finding.violations += _single(case, plan) + _late(took, TIME_LIMIT)
        if took > SHORT_LIMIT:
            again = draw(seed, index)
            short, took = _timed(again.problem, SHORT_LIMIT)
            finding.violations += _single(again, short) + _late(took, SHORT_LIMIT)
        if both:
            paper = _solved(case.problem, PAPER_TIME_LIMIT, "projected_gradient")
            finding.paper_status = paper.status
            finding.violations += [f"paper: {v}" for v in _single(case, paper)]
            finding.violations += _pair(case.problem, plan, paper)
    except InvalidInput as error:
        # What makes no problem is refused by name; the generator of this project draws no such.
        finding.status = f"refused: {type(error).__name__}"
        if case is not None or draw is fuzz_problem:
            finding.violations.append(f"{finding.status}: {error}")
    except DirracError as error:
        finding.status = type(error).__name__
        finding.violations.append(f"{finding.status}: {error}")
    except Exception as error:  # noqa: BLE001  any other exception is exactly what is looked for
        finding.status = type(error).__name__
        finding.violations.append(f"unnamed {finding.status}: {error}")
    finding.seconds = time.process_time() - begin
    return finding


def _timed(problem: RecourseProblem, limit: float) -> tuple[Recourse, float]:
    begin = time.process_time()
    plan = _solved(problem, limit)
    return plan, time.process_time() - begin


def _solved(
    problem: RecourseProblem, limit: float, solver: str = "certified", gap: float = GAP
) -> Recourse:
    """An answer whose time limit is one of CPU: how busy the machine is must decide nothing."""
    with patch.object(time, "perf_counter", time.process_time):
        return find_recourse(problem, solver, gap=gap, time_limit=limit)


def _late(took: float, limit: float) -> list[str]:
    return [f"took {took:.2f} s of {limit} s"] if took > limit + GRACE else []


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
    # "Out of reach" claims nothing, and its δ_min is no number.
    claimed = plan.status != "out of reach"
    if not claimed or plan.delta_min <= cost * (1.0 + MISSED) + 1e-9 * unit:
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
    if _undercuts(problem, paper, plan.lower_bound):
        found.append(f"bound {plan.lower_bound:.9g} above Algorithm 1's {other:.9g}")
    # Where the certificate was not reached, it excuses nothing.
    allowed = WORSE if plan.status == "optimal" else BOUND
    if _outdoes(problem, paper, plan.worst_case_probability - allowed, allowed):
        found.append(f"{plan.worst_case_probability:.9g} worse than Algorithm 1's {other:.9g}")
    if _undercuts(problem, plan, paper.lower_bound):
        found.append(f"bound {paper.lower_bound:.9g} of Algorithm 1 above certified")
    return found


def _undercuts(problem: RecourseProblem, plan: Recourse, bound: float) -> bool:
    """Whether a plan refutes a bound on the best value.

    One that uses its tolerances lies outside the set the bound is about. Then it must not be
    better than what is proved for the set that is just large enough for it.
    """
    assert plan.x is not None
    value = plan.worst_case_probability
    if bound <= value + BOUND:
        return False
    if surely_kept(problem, plan.x):
        return True
    wider = _solved(_widened(problem, plan.x), TIME_LIMIT, gap=1e-6)
    return wider.x is None or wider.lower_bound > value + BOUND


def _outdoes(problem: RecourseProblem, paper: Recourse, value: float, allowed: float) -> bool:
    """Whether Algorithm 1's plan shows that a better one than `value` was there to be found.

    The certified plan is held against the plans of the set asked about, and one that uses its
    tolerances is not among them. Where δ = δ_min that set is a point, the tolerance of the budget
    is all the room there is, and a ten-millionth of the budget can be worth more than `allowed`.
    So the certified solver is then asked about the set just large enough for Algorithm 1's plan:
    there it is a plan like any other, and must not be better by more than `allowed`.
    """
    assert paper.x is not None
    other = paper.worst_case_probability
    if other >= value:
        return False
    if surely_kept(problem, paper.x):
        return True
    wider = _solved(_widened(problem, paper.x), TIME_LIMIT)
    return wider.x is None or wider.worst_case_probability > other + allowed


def _widened(problem: RecourseProblem, x: Array) -> RecourseProblem:
    """The same question with bounds, rules, budget and margin moved so that x keeps them."""
    old, y = problem.unbounded, x[:-1]
    rules = tuple(
        replace(
            rule,
            low=min(rule.low, float(rule.coefficients @ y)),
            high=max(rule.high, float(rule.coefficients @ y)),
        )
        for rule in old.actions.linear
    )
    actions = replace(
        old.actions,
        lower=None if old.actions.lower is None else np.minimum(old.actions.lower, y),
        upper=None if old.actions.upper is None else np.maximum(old.actions.upper, y),
        linear=rules,
    )
    room = problem.mixture.means @ x - doubts(problem, x[None, :], AGAINST)[:, 0]
    if isinstance(problem.metric, str) and problem.metric == "deviations":
        room = room / np.linalg.norm(problem.mixture.means, axis=1)
    return RecourseProblem(
        problem.x0,
        problem.mixture,
        problem.radii,
        cost=old.cost,
        link=problem.objective.link.name,
        weighting=problem.objective.weighting,
        actions=actions,
        categories=old.categories,
        margin=max(0.0, min(old.margin, float(room.min()))),
        delta=max(problem.feasible_set.delta, old.cost_of(x)),
        metric=problem.metric,
    )


def _values(problem: RecourseProblem, plan: Recourse) -> list[str]:
    """The probabilities from the angles α + β, and the worst weights from their definition."""
    assert plan.x is not None and plan.component_probabilities is not None
    assert plan.worst_weights is not None
    x, mixture, weighting = plan.x, problem.mixture, problem.objective.weighting
    m = mixture.means @ x
    s = spreads(mixture.covariances, x[None, :])[:, 0]
    r = doubts(problem, x[None, :])[:, 0]
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
