"""One applicant's problem: who asks, which models may come, and what may be done."""

from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, checked_instance, checked_number, frozen_array
from dirrac_core.data.schema.actions import Actions, LinearRule
from dirrac_core.feasible import FeasibleSet
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness import Doubt, Metric, Objective, Weighting


@dataclass(frozen=True, eq=False)
class RecourseProblem:
    """What is asked for one applicant.

    x0 is the D-vector with trailing 1. The budget is δ = δ_min + delta_add, or `delta` when that
    is given. `radii` is one ρ for all components or one each, in the unit of `metric`: "weights"
    (of the model, as in the paper), "deviations" (of a re-training) or matrices (see `Doubt`).
    `link` is "chebyshev" (DiRRAc) or "gaussian" (Gaussian DiRRAc); `weighting` is "nominal",
    "worst-component" or a WeightBall.
    When `current_model` is given, a plan must also be accepted by it with the same margin. The
    margin is absolute; in the metric "deviations" it is relative to the length of each model.
    """

    x0: Array
    mixture: ParameterMixture
    radii: Array
    delta_add: float
    delta: float | None
    current_model: Array | None
    metric: str | Array
    doubt: Doubt = field(repr=False)
    objective: Objective = field(repr=False)
    unbounded: FeasibleSet = field(repr=False)

    def __init__(
        self,
        x0: npt.ArrayLike,
        mixture: ParameterMixture,
        radii: npt.ArrayLike = 0.1,
        delta_add: float = 1.0,
        cost: str = "l1",
        link: str = "chebyshev",
        weighting: str | Weighting = "nominal",
        actions: Actions | None = None,
        categories: str = "relaxed",
        margin: float = 1e-3,
        delta: float | None = None,
        current_model: npt.ArrayLike | None = None,
        metric: Metric = "weights",
    ) -> None:
        checked_instance("mixture", mixture, ParameterMixture)
        allowed = Actions() if actions is None else checked_instance("actions", actions, Actions)
        doubt = Doubt.of(mixture, radii, metric)
        margin = checked_number("margin", margin, low=0.0)
        today = None
        if current_model is not None:
            today = frozen_array("current_model", current_model, (mixture.dimension,))
            least = float(doubt.margins(margin, today[None])[0])
            rule = LinearRule(today[:-1], least - float(today[-1]), np.inf, "today's model")
            allowed = replace(allowed, linear=(*allowed.linear, rule))
        unbounded = FeasibleSet(
            x0,
            mixture,
            radii,
            allowed,
            cost,
            margin=margin,
            categories=categories,
            metric=metric,
        )
        set_field = object.__setattr__
        set_field(self, "x0", unbounded.x0)
        set_field(self, "mixture", mixture)
        set_field(self, "radii", doubt.radii)
        set_field(self, "metric", doubt.metric)
        set_field(self, "doubt", doubt)
        set_field(self, "delta_add", checked_number("delta_add", delta_add, low=0.0))
        set_field(self, "delta", None if delta is None else checked_number("delta", delta, low=0.0))
        set_field(self, "current_model", today)
        set_field(self, "objective", Objective(mixture, radii, link, weighting, metric))
        set_field(self, "unbounded", unbounded)

    def variant(
        self,
        actions: Actions | None = None,
        delta: float | None = None,
        delta_add: float | None = None,
        objective: Objective | None = None,
    ) -> "RecourseProblem":
        """The same question with other actions, or at the budget `delta` or δ_min + `delta_add`.

        An `objective` is one of the same mixture and radii, so that the same plans are valid.
        `actions` include the rule that today's model accepts, as those of `unbounded` do.
        """
        twin = copy(self)
        for name in ("delta_min", "feasible_set"):
            twin.__dict__.pop(name, None)
        if actions is not None:
            object.__setattr__(twin, "unbounded", replace(self.unbounded, actions=actions))
        if delta is not None:
            object.__setattr__(twin, "delta", checked_number("delta", delta, low=0.0))
        if delta_add is not None:
            added = checked_number("delta_add", delta_add, low=0.0)
            object.__setattr__(twin, "delta_add", added)
            object.__setattr__(twin, "delta", None)
        if objective is not None:
            object.__setattr__(twin, "objective", objective)
        return twin

    @cached_property
    def delta_min(self) -> float:
        """The cost of the cheapest valid plan; infinite when there is none."""
        return self.unbounded.delta_min()

    @cached_property
    def feasible_set(self) -> FeasibleSet:
        """X_ε with the budget of this problem."""
        budget = self.delta_min + self.delta_add if self.delta is None else self.delta
        return self.unbounded.with_delta(budget)
