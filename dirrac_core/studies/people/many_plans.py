"""Plans and their measures for many people at once, where the batched kernel applies.

Whoever the kernel does not settle is left to the one who asked, to be planned for one by one.
"""

import time
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from dirrac_core.arrays import Array
from dirrac_core.case.realism import Allowed
from dirrac_core.data.many_actions import ManyActions
from dirrac_core.data.schema.many_people import changed_count
from dirrac_core.data.schema.plan_rules import ClosedRule
from dirrac_core.data.schema.schema import with_constant
from dirrac_core.feasible import FeasibleSet
from dirrac_core.methods.dirrac import Dirrac
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.recourse.kinds.alternatives import SAFEST
from dirrac_core.recourse.many import settle_crowd
from dirrac_core.recourse.many_units import in_whole_units
from dirrac_core.robustness import Objective
from dirrac_core.solvers.batch.build import accepted_today, crowd_from
from dirrac_core.solvers.batch.crowd import Crowd, shared_of
from dirrac_core.solvers.batch.pieces import Mask, Shared
from dirrac_core.solvers.batch.search import cheapest_plans
from dirrac_core.solvers.outcome import OPTIMAL
from dirrac_core.studies.intervals import share_of
from dirrac_core.studies.measures import Judge
from dirrac_core.studies.people.everybody import KERNEL

# The distances of so many plans to all real people are held at once.
PEOPLE_AT_ONCE = 512


@dataclass(frozen=True, eq=False)
class PlansTogether:
    """One entry per person, meaningful where `settled`; plans are (n, D).

    `cheapest_today` is the cost of the cheapest plan today's model accepts. `seconds` are those of
    the whole crowd, shared evenly.
    """

    settled: Mask
    x: Array
    cost: Array
    delta_min: Array
    worst_case: Array
    lower_bound: Array
    cheapest_today: Array
    seconds: Array


@dataclass(frozen=True, eq=False)
class ManyPlanner:
    """All that is needed to plan for people of one dataset together; plans are in whole units of
    the dataset's schema, or exact when not `rounded`."""

    dirrac: Dirrac
    allowed: Allowed
    rounded: bool

    @property
    def applies(self) -> bool:
        """Whether the kernel knows this question at all; otherwise everybody goes one by one."""
        safest = self.allowed.settings.plan_kind == SAFEST
        return safest and self.dirrac.together and self.dirrac.current_model is not None

    def __call__(self, X: Array) -> PlansTogether:
        """The plans of the people X (n, D − 1)."""
        begin = time.perf_counter()
        people, size = X.shape
        settled = np.zeros(people, dtype=bool)
        x = np.full((people, size + 1), np.nan)
        cost, least, value, lower, today = (np.full(people, np.nan) for _ in range(5))
        for places, actions in self.allowed.many_actions(X):
            part = self._of_one_kind(X[places], actions)
            settled[places], x[places], cost[places] = part.settled, part.x, part.cost
            least[places], value[places] = part.delta_min, part.worst_case
            lower[places], today[places] = part.lower_bound, part.cheapest_today
        seconds = np.full(people, (time.perf_counter() - begin) / max(people, 1))
        return PlansTogether(settled, x, cost, least, value, lower, today, seconds)

    def _of_one_kind(self, X: Array, actions: ManyActions) -> PlansTogether:
        dirrac, people = self.dirrac, len(X)
        x0 = np.ascontiguousarray(with_constant(X).T)
        whole = dirrac.categories == "whole"
        objective = dirrac.objective()
        shared, radii, least = _shared(dirrac, x0[:, 0], objective)
        assert dirrac.current_model is not None
        today = accepted_today(dirrac.current_model, least, people)
        bound = replace(actions, linear=(*actions.linear, today))
        crowd = crowd_from(shared, radii, whole, x0, bound)
        free = np.full(people, np.nan)
        extra = np.full(people, dirrac.delta_add)
        found = settle_crowd(crowd, objective, extra, free, dirrac.gap)
        settled = found.settled & ~actions.refused
        x, value, cost = found.x, found.value, found.cost
        if self.rounded:
            x, value, settled = self._rounded(crowd, objective, found.delta, x, value, settled)
            cost = crowd.cost_of(x)
        cheapest = self._cheapest_today(x0, actions)
        return PlansTogether(
            settled & np.isfinite(cheapest),
            x.T,
            cost,
            found.delta_min,
            value,
            found.lower_bound,
            cheapest,
            free,
        )

    def _rounded(
        self,
        crowd: Crowd,
        objective: Objective,
        delta: Array,
        x: Array,
        value: Array,
        settled: Mask,
    ) -> tuple[Array, Array, Mask]:
        """The settled plans in whole units."""
        who = np.flatnonzero(settled)
        narrow = self.allowed.people is not None or any(
            not isinstance(rule, ClosedRule) for rule in self.allowed.rules
        )
        plans = in_whole_units(
            self.allowed.dataset.schema,
            *(crowd.chosen(who), objective, delta[who], x[:, who], value[who], narrow),
        )
        x, value, settled = x.copy(), value.copy(), settled.copy()
        x[:, who], value[who], settled[who] = plans.x, plans.value, plans.settled
        return x, value, settled

    def _cheapest_today(self, x0: Array, actions: ManyActions) -> Array:
        """The cost of the cheapest plan today's model accepts; NaN where it is not proved."""
        dirrac = self.dirrac
        assert isinstance(dirrac.current, LinearModel)
        shared, radii = _certain(
            dirrac.current, dirrac.cost, dirrac.margin, dirrac.categories, plain_metric(dirrac)
        )
        crowd = crowd_from(shared, radii, dirrac.categories == "whole", x0, actions)
        plans = cheapest_plans(crowd)
        return np.where(plans.settled, plans.cost, np.nan)


def plain_metric(dirrac: Dirrac) -> str:
    """Without radii the metric only says whether the margin is relative."""
    return dirrac.metric if isinstance(dirrac.metric, str) else "weights"


def _shared(dirrac: Dirrac, x0: Array, objective: Objective) -> tuple[Shared, Array, float]:
    """What all people share, the radii, and the θᵀx that today's model needs of a plan."""
    common = FeasibleSet(
        x0,
        dirrac.mixture,
        dirrac.radii,
        cost=dirrac.cost,
        margin=dirrac.margin,
        categories=dirrac.categories,
        metric=dirrac.metric,
    )
    assert dirrac.current_model is not None
    least = float(common.doubt.margins(dirrac.margin, dirrac.current_model[None])[0])
    return shared_of(common, objective), common.radii, least


@lru_cache(maxsize=8)
def certain(today: LinearModel) -> ParameterMixture:
    """Today's model as a mixture without any doubt; the same for every applicant."""
    theta = today.theta
    return ParameterMixture([1.0], theta[None], np.zeros((1, theta.size, theta.size)))


@lru_cache(maxsize=8)
def _certain(
    today: LinearModel, cost: str, margin: float, categories: str, metric: str
) -> tuple[Shared, Array]:
    mixture = certain(today)
    x0 = np.append(np.zeros(mixture.dimension - 1), 1.0)
    kept = FeasibleSet(
        x0, mixture, 0.0, cost=cost, margin=margin, categories=categories, metric=metric
    )
    return shared_of(kept, Objective(mixture, 0.0, metric=metric)), kept.radii


@dataclass(frozen=True, eq=False)
class ManyMeasures:
    """How many plans fare: one entry per plan, as `plan_row` has them."""

    m1: Mask
    m2: Array
    m2_low: Array
    m2_high: Array
    features_changed: Array
    plausibility: Array


def kernel_columns(
    planner: ManyPlanner, judge: Judge, X: Array, plans: PlansTogether
) -> dict[str, Any]:
    """What every row of a plan by the kernel holds, of the people X (n, D − 1) it settled."""
    settled = plans.settled
    value, lower = plans.worst_case[settled], plans.lower_bound[settled]
    measures = measure_together(planner, judge, X[settled], plans.x[settled])
    return {
        "status": OPTIMAL,
        "solved_by": KERNEL,
        "cost": plans.cost[settled],
        "delta_min": plans.delta_min[settled],
        "price_of_robustness": (plans.delta_min - plans.cheapest_today)[settled],
        "worst_case": value,
        "lower_bound": lower,
        "gap": value - lower,
        **{field.name: getattr(measures, field.name) for field in fields(measures)},
    }


def measure_together(planner: ManyPlanner, judge: Judge, X0: Array, x: Array) -> ManyMeasures:
    """The measures of the plans x (n, D) of the people X0 (n, D − 1)."""
    accepted = judge.future.accept_all(x)
    models = len(accepted)
    shares = [share_of(count, models) for count in range(models + 1)]
    counts = accepted.sum(axis=0)
    value, low, high = (
        np.array([getattr(share, end) for share in shares])[counts]
        for end in ("value", "low", "high")
    )
    X = x[:, :-1]
    parts = range(0, len(X), PEOPLE_AT_ONCE)
    nearest = [
        cdist(X[first : first + PEOPLE_AT_ONCE], judge.favourable, "cityblock").min(axis=1)
        for first in parts
    ]
    return ManyMeasures(
        planner.dirrac.current.decision(X),
        value,
        low,
        high,
        changed_count(planner.allowed.dataset.schema, X0, X),
        np.concatenate(nearest) if nearest else np.zeros(0),
    )
