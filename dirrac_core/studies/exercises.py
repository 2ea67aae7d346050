"""Ten exercises about robust recourse, each with the numbers of its solution, computed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from statistics import NormalDist
from types import MappingProxyType

import numpy as np

from dirrac_core.case.case import make_case, solve_scenario
from dirrac_core.case.facts import facts_of
from dirrac_core.case.outlook import LESSON
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.robustness import score_terms, worst_weights
from dirrac_core.robustness.demonstrations import two_point_law
from dirrac_core.studies.intervals import exact_interval

GERMAN = Scenario("german", 1, components=1)
_ASKED = {"upper": 100, "few": 10}
WEIGHTS, CASES, RADIUS = (0.5, 0.3, 0.2), (0.10, 0.35, 0.60), 0.05


@dataclass(frozen=True)
class Exercise:
    """A task for one page of the dashboard, a hint, and a solution.

    `page` and `query` open the dashboard where the task is solved. `solution` is a sentence with
    the names of the numbers that `numbers` computes in braces.
    """

    title: str
    task: str
    hint: str
    page: str
    query: Mapping[str, str]
    solution: str
    numbers: Callable[[], dict[str, float]]

    def solved(self) -> str:
        """The solution with its numbers."""
        return self.solution.format(**self.numbers())


def _terms(scenario: Scenario) -> tuple[float, float, float, float]:
    """m, s, r and the robust score of the plan of a scenario with one component."""
    solution = solve_scenario(scenario)
    problem, x = solution.case.problem, solution.plan.x
    assert x is not None
    (m,), (s,), (r,) = score_terms(x, problem.mixture, problem.doubt)
    return float(m), float(s), float(r), float(problem.objective.scores(x)[0])


def _by_hand() -> dict[str, float]:
    m, s, r, a = _terms(GERMAN)
    return {"m": m, "s": s, "r": r, "a": a, "worst": 100.0 / (1.0 + a * a)}


def _five_in_hundred() -> dict[str, float]:
    return {"any": float(np.sqrt(1.0 / 0.05 - 1.0)), "bell": -NormalDist().inv_cdf(0.05)}


def _twice_the_doubt() -> dict[str, float]:
    once, twice = (solve_scenario(replace(GERMAN, radii=rho)).plan for rho in (0.1, 0.2))
    return {
        "once": 100.0 * once.worst_case_probability,
        "twice": 100.0 * twice.worst_case_probability,
    }


def _ceiling() -> dict[str, float]:
    problem = make_case(GERMAN).problem
    return {
        "largest": problem.unbounded.largest_radius(),
        "length": float(np.sqrt(np.sum(problem.mixture.means[0] ** 2))),
    }


def _one_plan() -> dict[str, float]:
    plans = [solve_scenario(replace(GERMAN, link=link)).plan for link in ("chebyshev", "gaussian")]
    first, second = (plan.x for plan in plans)
    assert first is not None and second is not None
    return {
        "apart": float(np.abs(first - second).max()),
        "any": 100.0 * plans[0].worst_case_probability,
        "bell": 100.0 * plans[1].worst_case_probability,
    }


def _cheapest() -> dict[str, float]:
    problem = make_case(GERMAN).problem
    cheapest = problem.unbounded.cheapest
    assert cheapest is not None
    return {"worst": 100.0 * problem.objective.value(cheapest.x), "effort": problem.delta_min}


def _two_points() -> dict[str, float]:
    law = two_point_law(2.0, 1.0)
    return {"declined": 100.0 * law.declined, "other": law.accepted_at}


def _worst_weights() -> dict[str, float]:
    found = worst_weights("kl", WEIGHTS, CASES, RADIUS)
    first, second, third = (float(p) for p in found.weights)
    return {
        "nominal": 100.0 * float(np.dot(WEIGHTS, CASES)),
        "worst": 100.0 * found.value,
        "first": first,
        "second": second,
        "third": third,
        "largest": 100.0 * max(CASES),
    }


def _declined(scenario: Scenario) -> tuple[float, int]:
    solution = solve_scenario(scenario)
    assert solution.plan.x is not None
    facts = facts_of(solution.case, solution.plan.x)
    return 100.0 * facts.guarantee, facts.declined


def _trap() -> dict[str, float]:
    bold = replace(GERMAN, delta_add=2.0)
    promised, declined = _declined(bold)
    _, locked = _declined(replace(bold, edits=(FeatureRule("Status", "no"),)))
    weaker, declared = _declined(replace(bold, shifts=LESSON))
    return {
        "promised": promised,
        "declined": declined,
        "locked": locked,
        "weaker": weaker,
        "declared": declared,
    }


def _observed() -> dict[str, float]:
    # A one-sided 95 % bound is the upper end of the two-sided 90 % interval.
    return {name: 100.0 * exact_interval(0, n, 0.9).high for name, n in _ASKED.items()}


_OPEN = MappingProxyType({"dataset": "german", "applicant": "1", "k": "1"})

EXERCISES = (
    Exercise(
        "The score by hand",
        "Read m, s and r of the plan off the Learn page and compute the robust score a and the "
        "worst case with a pocket calculator.",
        "a = (m² − r²)/(m·s + r·√(m² + s² − r²)), and the worst case is 1/(1 + a²).",
        "learn",
        _OPEN,
        "m = {m:.4f}, s = {s:.4f}, r = {r:.4f}, so a = {a:.3f} and at most {worst:.1f} of 100 "
        "models decline.",
        _by_hand,
    ),
    Exercise(
        "Five in a hundred",
        "Which robust score does a plan need so that at most 5 of 100 future models decline it, "
        "for any distribution, and if Gaussian?",
        "Solve 1/(1 + a²) = 0.05 and Φ(−a) = 0.05.",
        "learn",
        _OPEN,
        "a = √19 = {any:.3f} for any distribution, a = {bell:.3f} if Gaussian: not knowing the "
        "shape asks for more than twice the distance.",
        _five_in_hundred,
    ),
    Exercise(
        "Twice the doubt",
        "Set ρ from 0.1 to 0.2. Does the worst case double?",
        "r doubles, but a depends on m, s and r together, and the plan moves as well.",
        "recourse",
        _OPEN,
        "It goes from {once:.1f} to {twice:.1f} of 100.",
        _twice_the_doubt,
    ),
    Exercise(
        "The ceiling",
        "Find the largest ρ for which this applicant still has a plan, first by trying, then on "
        "the Learn page. Why can it never exceed the length of the average model?",
        "Within a distance of ‖θ̂‖ lies θ = 0, which accepts nobody.",
        "learn",
        _OPEN,
        "ρ = {largest:.3f}; the length of the average model is {length:.3f}. The range of what may "
        "change ends it earlier.",
        _ceiling,
    ),
    Exercise(
        "One plan, two numbers",
        "With K = 1, switch from “any distribution” to “Gaussian”. What changes and what does "
        "not? Prove it.",
        "Both 1/(1 + a²) and Φ(−a) fall when a rises.",
        "recourse",
        _OPEN,
        "The plan is the same (largest difference {apart:.1g}), the number goes from {any:.1f} to "
        "{bell:.2f} of 100. With one component both problems maximise the same score a.",
        _one_plan,
    ),
    Exercise(
        "The cheapest valid plan",
        "Set δ_add to 0. How many models may decline the cheapest valid plan, and why?",
        "On the edge of the allowed set m = r, so what is left for a·s?",
        "geometry",
        _OPEN,
        "At an effort of {effort:.3f}, {worst:.0f} of 100: where m = r the robust score is 0.",
        _cheapest,
    ),
    Exercise(
        "Who attains it?",
        "Find a distribution of scores with mean 2 and deviation 1 that declines as often as any "
        "can.",
        "Two points are enough, one of them at 0.",
        "learn",
        _OPEN,
        "{declined:.0f} of 100 at 0 and the others at {other:.1f}: 1/(1 + 2²) = 0.2.",
        _two_points,
    ),
    Exercise(
        "The worst weights",
        "Three components fail with 0.10, 0.35 and 0.60; their weights are 0.5, 0.3 and 0.2. "
        "How bad can the mixture be if the weights may move by ε = 0.05 in Kullback–Leibler "
        "divergence, and what is the limit for large ε?",
        "The worst weights are p ∝ p̂·exp(f/λ).",
        "learn",
        MappingProxyType({**_OPEN, "k": "3", "weights": "ball", "divergence": "kl", "eps": "0.05"}),
        "From {nominal:.1f} to {worst:.1f} of 100, with weights {first:.3f}, {second:.3f} and "
        "{third:.3f}; for large ε all weight moves to the worst component, {largest:.0f} of 100.",
        _worst_weights,
    ),
    Exercise(
        "The trap",
        "With δ_add = 2, compare the promise of the plan with what the corrected models say. Then "
        "lock Status, or declare the correction. What do you learn?",
        "A proof is about the futures that were declared.",
        "recourse",
        MappingProxyType({**_OPEN, "add": "2"}),
        "Promised: at most {promised:.0f} of 100; {declined:.0f} of 100 corrected models decline. "
        "With Status locked {locked:.0f} decline; with the correction declared {declared:.0f}, at "
        "a promise of {weaker:.0f}.",
        _trap,
    ),
    Exercise(
        "Nought of a hundred",
        "None of 100 observed models declines a plan. What can you say about the next one with "
        "95 % confidence? And after 10 models?",
        "If the true share of declines were q, 100 acceptances would have the probability "
        "(1 − q)¹⁰⁰; which q makes that 5 %?",
        "recourse",
        _OPEN,
        "At most {upper:.1f} of 100; after 10 models at most {few:.0f} "
        "of 100. And only if the next model is of the same kind.",
        _observed,
    ),
)
