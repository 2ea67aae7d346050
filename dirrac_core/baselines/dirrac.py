"""DiRRAc in the protocol of the methods it is compared with."""

from dataclasses import dataclass, field

import numpy.typing as npt

from dirrac_core.arrays import Array, checked_choice
from dirrac_core.baselines.protocol import CATEGORIES, Answer, Plan, planned
from dirrac_core.data.actions import Actions
from dirrac_core.models.classifiers import Classifier
from dirrac_core.models.mixture import ParameterMixture, checked_radii
from dirrac_core.recourse import RecourseProblem, find_recourse
from dirrac_core.robustness import Objective, Weighting

NAMES = {"chebyshev": "DiRRAc", "gaussian": "Gaussian DiRRAc"}


@dataclass(frozen=True, eq=False)
class Dirrac:
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
    gap: float = field(default=1e-3, kw_only=True)
    solver: str = field(default="certified", kw_only=True)

    def __post_init__(self) -> None:
        checked_choice("categories", self.categories, CATEGORIES)
        checked_choice("A link", self.link, NAMES)

    @property
    def name(self) -> str:
        """What tables call it."""
        return NAMES[self.link]

    @property
    def parameter(self) -> float:
        """δ_add."""
        return self.delta_add

    def objective(self) -> Objective:
        """What it minimises: the worst-case probability that a future model declines."""
        radii = checked_radii(self.radii, self.mixture.components)
        return Objective(self.mixture, radii, self.link, self.weighting)

    def problem(self, x0: npt.ArrayLike, actions: Actions) -> RecourseProblem:
        """The problem of one applicant."""
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
            current_model=self.current_model,
        )

    def recourse(self, x0: npt.ArrayLike, actions: Actions) -> Plan:
        """The plan of `find_recourse`, judged like every other method's."""

        def search(start: Array) -> Answer:
            plan = find_recourse(self.problem(start, actions), self.solver, self.gap)
            return Answer(plan.x, plan.message)

        whole = self.categories == "whole"
        return planned(self.name, x0, actions, self.current, whole, search)
