"""The frontier of a case: its methods by family, and one applicant's rows."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.arrays import checked_choice
from dirrac_core.case.case import Case
from dirrac_core.data.schema.actions import Actions
from dirrac_core.methods import (
    ActionableRecourse,
    Cepm,
    Dirrac,
    Method,
    Plan,
    Rbr,
    Roar,
    RoarEnsemble,
    RoarPublished,
    Wachter,
)
from dirrac_core.methods.protocol import Answer, AskedOtherwise, SearchMethod, planned
from dirrac_core.models.classifiers import Classifier, LinearModel
from dirrac_core.recourse import Recourse, find_recourse
from dirrac_core.robustness import Objective
from dirrac_core.studies.frontier import DELTA_ADDS, LAMBDAS, frontier_methods
from dirrac_core.studies.measures import Judge, Measures, measure_methods, table
from dirrac_core.studies.people.applicants import Applicant
from dirrac_core.studies.staircase import telling_parameters

DIRRAC, ROAR, PUBLISHED, OTHERS = "dirrac", "roar", "roar-published", "others"
FAMILIES = (DIRRAC, ROAR, PUBLISHED, OTHERS)
CURRENT = "current setting"
# Of one applicant at most so many plans of a sweep are shown; they are found among so many
# budgets, or from so many λ on.
MOST, BUDGETS, FIRST_LAMBDAS = 12, 101, 4
# Digits of λ in the name of a plan.
SHOWN = 3
# One applicant's plans of today's model are kept for about four widths of the usual limits.
MOST_KEPT = 64


@dataclass(frozen=True, eq=False)
class OnStandIn(AskedOtherwise):
    """A method for linear models asked about a stand-in; its plan is judged by the real model."""

    method: Roar | RoarPublished
    current: Classifier

    def recourse(self, x0: npt.ArrayLike, actions: Actions) -> Plan:
        """The method's plan with the real model's decision on its checklist."""
        return self.judged(self.method.recourse(x0, actions), x0, actions)

    def judged(self, plan: Plan, x0: npt.ArrayLike, actions: Actions) -> Plan:
        """A plan of the method with the real model's decision on its checklist."""
        return plan.judged_by(x0, actions, self.current, self.method.categories == "whole")


@dataclass(frozen=True, eq=False)
class Answered(AskedOtherwise):
    """A method whose plan for this applicant is known already."""

    plan: Plan

    def recourse(self, x0: npt.ArrayLike, actions: Actions) -> Plan:
        """The plan that is known."""
        return self.plan


class TodaysPlans:
    """Plans for one applicant that were made with today's model alone, by method and parameter.

    They are the same whatever later models are like, so they are found once and judged by several.
    Where usual limits give way to later models, they are found once for every width of the limits,
    or once for all if the method does not know of those limits. The last MOST_KEPT are kept.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, float], Plan] = {}
        self._lock = Lock()

    def answered(self, case: Case, method: Method, find: Callable[[], Plan]) -> Method:
        """The method with its plan, which `find` finds; one that asks other models as it is."""
        if not isinstance(method, SearchMethod | AskedOtherwise) or method.asks_later_models:
            return method
        # Without a parameter it is NaN, which equals nothing.
        is_bound = method.knows_usual_limits(case.actions)
        limits = case.widened if is_bound else 1.0
        key = method.name, str(method.parameter), limits
        plan = self._found.get(key) or find()
        with self._lock:
            # The last one asked for is the last one to go.
            self._found.pop(key, None)
            self._found[key] = plan
            if len(self._found) > MOST_KEPT:
                del self._found[next(iter(self._found))]
        if not is_bound:
            plan = method.judged(plan, case.x0, case.actions)
        return Answered(method, plan)

    def of(self, case: Case, methods: Iterable[Method]) -> list[Method]:
        """The methods with their plans for the applicant of the case."""
        asked = [(method, partial(method.recourse, case.x0, case.actions)) for method in methods]
        return [self.answered(case, method, find) for method, find in asked]


def linear_stand_in(case: Case) -> LinearModel:
    """Today's model if it is linear, else its linear surrogate around the applicant."""
    if isinstance(case.bundle.current, LinearModel):
        return case.bundle.current
    # Not that around DiRRAc's plan: a method that knows no later model does not know that plan.
    assert case.surrogate is not None
    return LinearModel(case.surrogate.mixture.means[0])


def case_methods(
    case: Case, family: str, telling: bool = False, today: TodaysPlans | None = None
) -> list[Method]:
    """The methods of one family with this case's settings, at every value of their parameter.

    "dirrac": over δ_add. "roar" and "roar-published": over λ. "others": methods without a
    frontier, one point each. With `telling` the parameters of "dirrac" and "roar" are those at
    which this applicant's plan changes, instead of the same ones for everybody. `today` has the
    plans that are known already, and is given those found now.
    """
    checked_choice("A family", family, FAMILIES)
    if family == DIRRAC:
        return _telling_dirrac(case) if telling else frontier_methods(case.dirrac)
    if family == ROAR and telling:
        return _telling_roar(case, TodaysPlans() if today is None else today)
    methods = _others(case) if family == OTHERS else _swept_roar(case, family)
    return methods if today is None else today.of(case, methods)


def _swept_roar(case: Case, family: str) -> list[Method]:
    """ROAR over λ, exact or as published, judged by today's own model."""
    kind = Roar if family == ROAR else RoarPublished
    swept = frontier_methods(
        case.dirrac,
        [kind(linear_stand_in(case), categories=case.scenario.categories)],
        delta_adds=(),
    )
    return [_judged_by(case, method) for method in swept]


def _judged_by(case: Case, method: Method) -> Method:
    """A method for linear models, judged by today's own model."""
    current = case.bundle.current
    if isinstance(current, LinearModel) or not isinstance(method, Roar | RoarPublished):
        return method
    return OnStandIn(method, current)


def case_frontier(
    case: Case, family: str, telling: bool = False, today: TodaysPlans | None = None
) -> pd.DataFrame:
    """One row per method of the family: columns of `table`, `applicant` and the guarantee."""
    return _rows(case, case_methods(case, family, telling, today))


def case_plan(case: Case, method: Dirrac) -> Recourse:
    """The plan of the case's DiRRAc at another budget, link or weighting.

    All of them have the same valid plans, so the cheapest one is sought only once.
    """
    objective = Objective(
        *(case.problem.mixture, case.problem.radii, method.link, method.weighting),
        case.problem.metric,
    )
    asked = case.problem.variant(delta_add=method.delta_add, objective=objective)
    return find_recourse(asked, method.solver, method.gap)


def known(case: Case, method: Dirrac, found: Recourse) -> Answered:
    """DiRRAc with the plan that was found for the applicant of the case."""
    answer = Answer(found.x, found.message)
    asked = (method.name, case.x0, case.actions, case.bundle.current)
    plan = planned(*asked, method.categories == "whole", lambda _: answer)
    return Answered(method, replace(plan, seconds=found.seconds))


def case_measures(case: Case, methods: Sequence[Method]) -> list[Measures]:
    """The methods' plans for the applicant of the case, judged by the case's later models."""
    applicant = Applicant(case.scenario.applicant, case.x0, case.actions)
    return measure_methods(applicant, methods, Judge.of(case.bundle))


def with_guarantee(rows: pd.DataFrame, case: Case) -> pd.DataFrame:
    """The same plans with the `worst_case` of this case's future models, and 1 − that.

    ROAR and the others do not know ρ, K's weights or the link, so their plans can be kept while
    an analyst changes those.
    """
    worst = [np.nan if x is None else case.problem.objective.value(x) for x in rows["x"]]
    return rows.assign(worst_case=worst, guaranteed=1.0 - np.array(worst))


def current_setting(case: Case, safest: Recourse | None = None) -> pd.DataFrame:
    """One row: DiRRAc at the δ_add that is set now; `safest` is its plan where it is known."""
    method = case.dirrac if safest is None else known(case, case.dirrac, safest)
    return _rows(case, [method]).assign(method=CURRENT)


def _telling_dirrac(case: Case) -> list[Method]:
    """DiRRAc at the δ_add at which its best plan changes, up to the paper's largest."""
    dirrac = case.dirrac
    budgets = np.linspace(DELTA_ADDS[0], DELTA_ADDS[-1], BUDGETS)
    place = {float(add): index for index, add in enumerate(budgets)}
    grid = [float(budgets[index]) for index in (0, BUDGETS // 2, -1)]

    def asked(add: float) -> Recourse:
        return case_plan(case, replace(dirrac, delta_add=add))

    most = asked(grid[-1])
    found: dict[float, Recourse] = {grid[-1]: most}
    # The best plan within the largest budget is the best within every budget that pays for it;
    # without one there is none within a smaller budget either.
    enough = most.cost - most.delta_min if dirrac.solver == "certified" else np.inf

    def solved(add: float) -> tuple[float, float] | None:
        if add not in found:
            found[add] = most if most.x is None or add >= enough else asked(add)
        plan = found[add]
        return None if plan.x is None else (plan.cost, plan.worst_case_probability)

    def between(low: float, high: float) -> float:
        return float(budgets[(place[low] + place[high]) // 2])

    adds = telling_parameters(solved, grid, MOST, between)
    return [known(case, replace(dirrac, delta_add=add), found[add]) for add in adds]


def _telling_roar(case: Case, today: TodaysPlans) -> list[Method]:
    """Exact ROAR at the λ at which its plan changes, judged by the case's future models."""
    method = Roar(linear_stand_in(case), categories=case.scenario.categories)
    plan_at = method.over_cost_weight(case.x0, case.actions)
    asked: dict[float, Method] = {}
    # Of each plan: its cost, and the worst loss that ROAR weighs against it.
    weighed: dict[float, tuple[float, float]] = {}

    def found(own: Method, lam: float) -> Plan:
        plan = plan_at(lam)
        return own.judged(plan, case.x0, case.actions) if isinstance(own, OnStandIn) else plan

    def solved(lam: float) -> tuple[float, float] | None:
        own = _judged_by(case, replace(method, settings=replace(method.settings, lam=lam)))
        asked[lam] = today.answered(case, own, partial(found, own, lam))
        plan = asked[lam].recourse(case.x0, case.actions)
        if plan.x is None:
            return None
        weighed[lam] = plan.cost_l1, method.worst_loss(plan.x)
        return plan.cost_l1, case.problem.objective.value(plan.x)

    def between(low: float, high: float) -> float:
        """A λ next to the one at which both plans are worth the same to ROAR.

        The least of loss + λ·cost is concave in λ: where no third plan is better there, none is
        anywhere between. λ has as many digits as are shown of it; when both neighbours of the
        right one are known, the answer is an end.
        """
        if low not in weighed:
            # No point keeps the rules, whatever λ is.
            return low
        (cost, loss), (less, more) = weighed[low], weighed[high]
        if cost <= less or more <= loss:
            return low
        near = _shown_neighbours((more - loss) / (cost - less))
        return next((lam for lam in near if low < lam < high), low)

    grid = [float(lam) for lam in np.geomspace(LAMBDAS[0], LAMBDAS[-1], FIRST_LAMBDAS)]
    return [asked[lam] for lam in telling_parameters(solved, grid, MOST, between)]


def _shown_neighbours(number: float) -> tuple[float, float]:
    """A positive number rounded up and rounded down to SHOWN digits."""
    step = 10.0 ** (np.floor(np.log10(number)) + 1 - SHOWN)
    ends = (step * np.ceil(number / step), step * np.floor(number / step))
    return float(f"{ends[0]:.{SHOWN}g}"), float(f"{ends[1]:.{SHOWN}g}")


def _others(case: Case) -> list[Method]:
    """The methods that are one point each; AR and ROAR-Ensemble need linear models."""
    bundle, scenario = case.bundle, case.scenario
    current, categories = bundle.current, scenario.categories
    people = bundle.people
    methods: list[Method] = [
        Wachter(current, categories=categories),
        Cepm(current, people, seed=scenario.seed),
        Rbr(current, people, categories=categories, seed=scenario.seed),
    ]
    if isinstance(current, LinearModel) and bundle.parameters is not None:
        methods += [
            ActionableRecourse(current, people),
            RoarEnsemble(current, bundle.parameters, categories=categories),
        ]
    return methods


def _rows(case: Case, methods: Sequence[Method]) -> pd.DataFrame:
    rows = with_guarantee(table(case_measures(case, methods)), case)
    # Whose rows they are stands before the last column, the guarantee.
    rows.insert(len(rows.columns) - 1, "applicant", case.scenario.applicant)
    return rows
