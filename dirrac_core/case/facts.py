"""What is worth knowing about any point x of a case: three kinds of facts, and what things cost."""

from dataclasses import dataclass, replace

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.case.promise_kind import promise_kind
from dirrac_core.case.realism import allowed_actions
from dirrac_core.data.actionability import FeatureRule, edited_rules
from dirrac_core.feasible import FeasibleSet
from dirrac_core.models.classifiers import Decisions
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.recourse import RecourseProblem, find_recourse
from dirrac_core.robustness import LINKS


@dataclass(frozen=True, eq=False)
class Facts:
    """Three different things said of one point.

    `guarantee` is the worst-case probability of failing over all distributions within the radii;
    `if_gaussian` the same when the future models are Gaussian, both under the scenario's
    weighting. `observed` (n,) is what n re-trained models decided, True where they accept, and
    `accepted_today` what today's own model says. `approximated`: both figures are about the linear
    surrogate of a non-linear model. They then rest on an assumption, and on nothing at all where
    the model itself declines: see `promise`.
    """

    guarantee: float
    if_gaussian: float
    observed: Decisions
    accepted_today: bool
    approximated: bool = False

    @property
    def promise(self) -> str | None:
        """What `guarantee` may be called: GUARANTEE, ASSUMPTION, or None, not to be shown."""
        return promise_kind(self.approximated, self.accepted_today)

    @property
    def declined(self) -> int:
        """How many of the re-trained models decline."""
        return int((~self.observed).sum())


@dataclass(frozen=True)
class Price:
    """The cost of the cheapest valid plan, and of the cheapest one for today's model alone."""

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
        replace(problem.objective, link=LINKS[link]).value(x) for link in ("chebyshev", "gaussian")
    )
    observed = case.bundle.future.accepts(x)
    approximated = case.surrogate is not None
    return Facts(guarantee, if_gaussian, observed, case.accepted_today(x), approximated)


def price_of_robustness(case: Case) -> Price:
    """δ_min against the cost of the cheapest plan for today's model; infinite without a plan.

    Where today's model is not linear, its linear surrogate stands for it.
    """
    return Price(case.problem.delta_min, _set_of_today(case).delta_min())


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
    scenario = case.scenario
    edits = [edit for edit in scenario.edits if edit.feature != rule.feature]
    changed = replace(scenario, edits=(*edits, rule))
    actions = allowed_actions(case.dataset, changed, case.x0, case.dirrac)
    return case.dirrac.problem(case.x0, actions, delta)


def plan_for_today(case: Case) -> Array | None:
    """The cheapest plan today's linear model accepts, with no thought of later ones.

    None when nothing allowed satisfies it, or when today's model is not linear.
    """
    if case.problem.current_model is None:
        return None
    cheapest = _set_of_today(case).cheapest
    return None if cheapest is None else cheapest.x


def _set_of_today(case: Case) -> FeasibleSet:
    """Every allowed plan that today's model accepts, or its linear surrogate, at any cost."""
    problem = case.problem
    if problem.current_model is None:
        return replace(problem.unbounded, radii=np.zeros(problem.mixture.components))
    today = problem.current_model
    certain = ParameterMixture([1.0], today[None], np.zeros((1, today.size, today.size)))
    # The margin stays that of the case: relative where its radii are in deviations.
    return replace(problem.unbounded, mixture=certain, radii=np.zeros(1))
