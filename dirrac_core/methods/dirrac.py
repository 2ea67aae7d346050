"""DiRRAc in the protocol of the methods it is compared with."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy.typing as npt

from dirrac_core.arrays import Array, checked_choice
from dirrac_core.data.schema.actions import Actions
from dirrac_core.methods.protocol import CATEGORIES, Answer, Plan, SearchMethod, planned
from dirrac_core.models.classifiers import Classifier
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.recourse import RecourseProblem, find_recourse
from dirrac_core.recourse.find import promise_words
from dirrac_core.recourse.many import plan_many
from dirrac_core.robustness import Metric, Objective, Weighting
from dirrac_core.solvers.batch.search import knows

NAMES = {"chebyshev": "DiRRAc", "gaussian": "Gaussian DiRRAc"}


class EitherLink(SearchMethod):
    """DiRRAc or Gaussian DiRRAc by any solver: `link` says which, δ_add is the parameter."""

    link: str
    delta_add: float

    def __post_init__(self) -> None:
        checked_choice("A link", self.link, NAMES)

    @property
    def name(self) -> str:
        """What tables call it."""
        return NAMES[self.link]

    @property
    def parameter(self) -> float:
        """δ_add."""
        return self.delta_add


@dataclass(frozen=True, eq=False)
class Dirrac(EitherLink):
    """DiRRAc or Gaussian DiRRAc with everything but the applicant fixed.

    The fields are those of RecourseProblem and find_recourse. `current` judges the plan; with
    `current_model` (D,) a plan must also be accepted by that linear model.
    """

    current: Classifier
    mixture: ParameterMixture
    radii: npt.ArrayLike = 0.1
    delta_add: float = 1.0
    cost: str = "l1"
    link: str = "chebyshev"
    weighting: str | Weighting = "nominal"
    categories: str = "whole"
    margin: float = 1e-3
    current_model: Array | None = None
    metric: Metric = field(default="weights", kw_only=True)
    gap: float = field(default=1e-3, kw_only=True)
    solver: str = field(default="certified", kw_only=True)

    def __post_init__(self) -> None:
        checked_choice("categories", self.categories, CATEGORIES)
        super().__post_init__()

    def objective(self) -> Objective:
        """What it minimises: the worst-case probability that a future model declines."""
        return Objective(self.mixture, self.radii, self.link, self.weighting, self.metric)

    def problem(
        self, x0: npt.ArrayLike, actions: Actions, delta: float | None = None
    ) -> RecourseProblem:
        """The problem of one applicant; `delta` is the budget in the place of δ_min + δ_add."""
        return RecourseProblem(
            x0,
            self.mixture,
            radii=self.radii,
            delta_add=self.delta_add,
            cost=self.cost,
            link=self.link,
            weighting=self.weighting,
            actions=actions,
            categories=self.categories,
            margin=self.margin,
            delta=delta,
            current_model=self.current_model,
            metric=self.metric,
        )

    @property
    def together(self) -> bool:
        """Whether many people can be planned for at once."""
        return self.solver == "certified" and knows(self.objective())

    def search(self, x0: Array, actions: Actions) -> Answer:
        """The plan of `find_recourse`."""
        plan = find_recourse(self.problem(x0, actions), self.solver, self.gap)
        return Answer(plan.x, plan.message)

    def recourse_many(self, people: Sequence[tuple[Array, Actions]]) -> list[Plan]:
        """The plans of `recourse` for applicants with their actions, found together.

        The seconds are those of all plans, shared evenly.
        """
        begin = time.perf_counter()
        found = plan_many([self.problem(x0, actions) for x0, actions in people], self.gap)
        whole = self.categories == "whole"
        plans = []
        for place, (x0, actions) in enumerate(people):
            alone = found.one_by_one.get(place)
            if alone is None:
                value, lower = found.worst_case_probability[place], found.lower_bound[place]
                answer = Answer(found.x[place], promise_words(value, lower))
            else:
                answer = Answer(alone.x, alone.message)
            search = partial(_known, answer)
            plans.append(planned(self.name, x0, actions, self.current, whole, search))
        seconds = (time.perf_counter() - begin) / len(plans)
        return [replace(plan, seconds=seconds) for plan in plans]


def _known(answer: Answer, _: Array) -> Answer:
    return answer
