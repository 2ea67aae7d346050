"""What is worth knowing about any point x of a case: three kinds of facts, and what things cost."""

from dataclasses import dataclass, replace

import numpy as np

from dirrac_core.actionability import FeatureRule, edited_actions, edited_rules
from dirrac_core.arrays import Array
from dirrac_core.feasible import Explanation, explain
from dirrac_core.models.classifiers import Decisions
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.recourse import RecourseProblem, find_recourse
from dirrac_core.robustness import Objective
from dirrac_core.scenario import Case


@dataclass(frozen=True, eq=False)
class Facts:
    """Three different things said of one point.

    `guarantee` is the worst-case probability of failing over all distributions within the radii;
    `if_gaussian` the same when the future models are Gaussian, both under the scenario's
    weighting. `observed` (n,) is what n re-trained models decided, True where they accept, and
    `accepted_today` what today's own model says.
    """

    guarantee: float
    if_gaussian: float
    observed: Decisions
    accepted_today: bool

    @property
    def declined(self) -> int:
        """How many of the re-trained models decline."""
        return int((~self.observed).sum())


@dataclass(frozen=True)
class Price:
    """The cost of the cheapest valid plan with the radii as set, and with radius 0."""

    robust: float
    plain: float

    @property
    def extra(self) -> float:
        """What robustness adds."""
        return self.robust - self.plain


@dataclass(frozen=True)
class UnlockValue:
    """What freeing one restricted feature would bring at the same budget δ.

    `probability` is None when there is still no plan within that budget.
    """

    feature: str
    delta_min: float
    probability: float | None


def facts_of(case: Case, x: Array) -> Facts:
    """The three kinds of facts about x (D,), a plan or any what-if."""
    problem = case.problem
    guarantee, if_gaussian = (
        Objective(problem.mixture, problem.radii, link, problem.objective.weighting).value(x)
        for link in ("chebyshev", "gaussian")
    )
    observed = case.bundle.future.accepts(x)
    return Facts(guarantee, if_gaussian, observed, case.accepted_today(x))


def price_of_robustness(case: Case) -> Price:
    """δ_min at the radii as set against δ_min at radius 0; infinite where there is no plan."""
    plain = replace(case.problem.unbounded, radii=np.zeros(case.problem.mixture.components))
    return Price(case.problem.delta_min, plain.delta_min())


def value_of_unlocking(case: Case, delta: float) -> tuple[UnlockValue, ...]:
    """For each locked or one-way feature: the plan it would allow at budget `delta`, best first."""
    scenario = case.scenario
    rules = edited_rules(case.dataset, scenario.preset, scenario.edits)
    values = []
    for name, rule in rules.items():
        if rule.move == "both":
            continue
        problem = problem_with_rule(case, unlocked_rule(rule), delta)
        plan = find_recourse(problem, gap=scenario.gap)
        probability = None if plan.x is None else plan.worst_case_probability
        values.append(UnlockValue(name, problem.delta_min, probability))
    return tuple(
        sorted(values, key=lambda v: (1.0 if v.probability is None else v.probability, v.delta_min))
    )


def unlocked_rule(rule: FeatureRule) -> FeatureRule:
    """The same feature, free to move both ways within its range."""
    return replace(rule, move="both")


def problem_with_rule(case: Case, rule: FeatureRule, delta: float) -> RecourseProblem:
    """The case's problem at budget `delta` with one feature's rule replaced."""
    scenario, problem = case.scenario, case.problem
    edits = [edit for edit in scenario.edits if edit.feature != rule.feature]
    actions = edited_actions(case.dataset, scenario.preset, (*edits, rule), case.x0)
    return RecourseProblem(
        case.x0,
        problem.mixture,
        radii=problem.radii,
        cost=scenario.cost,
        link=scenario.link,
        weighting=scenario.weighting_choice,
        actions=actions,
        categories=scenario.categories,
        delta=delta,
        current_model=problem.current_model,
    )


def why_no_plan(case: Case) -> Explanation | None:
    """Why no plan exists at any budget, with the ways out; None when there is one.

    The budget of a scenario follows δ_min, so the budget itself is never to blame: the ways out
    are searched with the largest cost a plan inside the present ranges can have.
    """
    problem = case.problem
    weights = problem.unbounded.bounds.weights
    return explain(problem.unbounded.with_delta(float(weights.sum())))


def plan_for_today(case: Case) -> Array | None:
    """The cheapest plan today's linear model accepts, with no thought of later ones.

    None when nothing allowed satisfies it, or when today's model is not linear.
    """
    today = case.problem.current_model
    if today is None:
        return None
    size = today.size
    certain = ParameterMixture([1.0], today[None], np.zeros((1, size, size)))
    open_set = replace(case.problem.unbounded, mixture=certain, radii=np.zeros(1))
    return None if open_set.cheapest is None else open_set.cheapest.x
