"""One protocol for every method: fitted once, run per applicant, judged alike."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from dirrac_core.arrays import Array, checked_instance, frozen_array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.feasible import Check, Checklist
from dirrac_core.feasible.bounds import column_bounds
from dirrac_core.feasible.checks import ActionChecks
from dirrac_core.models.classifiers import Classifier
from dirrac_core.robustness import checked_applicant

TODAY = "today's model accepts"
CATEGORIES = ("relaxed", "whole")


@dataclass(frozen=True, eq=False)
class Plan:
    """What a method answers: a plan x (D, with the trailing 1), or None with the reason.

    The costs are the ℓ1 and ℓ2 lengths of the change under the feature weights. `checks` judges
    every rule of the actionable set and today's decision; a plan that breaks one is shown as it
    is, never repaired.
    """

    method: str
    x: Array | None
    cost_l1: float
    cost_l2: float
    checks: Checklist | None
    seconds: float
    message: str

    @property
    def accepted(self) -> bool:
        """Whether there is a plan and today's model accepts it."""
        return self.checks is not None and any(
            check.name == TODAY and check.ok for check in self.checks.checks
        )

    @property
    def keeps_rules(self) -> bool:
        """Whether there is a plan and it breaks no rule of the actionable set."""
        return self.checks is not None and all(check.name == TODAY for check in self.checks.broken)

    def judged_by(
        self, x0: npt.ArrayLike, actions: Actions, current: Classifier, whole: bool = True
    ) -> "Plan":
        """The same plan, judged by other rules or another model than it was made for."""
        if self.x is None:
            return self
        start = np.asarray(x0, dtype=np.float64)
        return replace(self, checks=judged(self.x, start, actions, current, whole))


@dataclass(frozen=True, eq=False)
class Answer:
    """What the search of a method ends with: x or None, and a sentence about it."""

    x: Array | None
    message: str


class Method(Protocol):
    """A fitted method. `parameter` is the number its frontier runs over, NaN when it has none."""

    @property
    def name(self) -> str: ...

    @property
    def parameter(self) -> float: ...

    def recourse(self, x0: npt.ArrayLike, actions: Actions) -> Plan:
        """The plan for the applicant x0 (D, with the trailing 1)."""
        ...


class SearchMethod(ABC):
    """A method that is one search; `recourse` times and judges what it found.

    Subclasses are frozen dataclasses with today's model `current`, and `categories` where a plan
    may also be judged as relaxed.
    """

    NAME = ""
    # Whether the search looks at other models than today's, or the stand-in for it. A method that
    # does not says so; any other is asked again for every future.
    asks_later_models = True
    current: Classifier
    categories: str = "whole"

    @property
    def name(self) -> str:
        """What tables call it."""
        return self.NAME

    @property
    def parameter(self) -> float:
        """The number its frontier runs over, NaN when it has none."""
        return np.nan

    @abstractmethod
    def search(self, x0: Array, actions: Actions) -> Answer:
        """The plan of the checked applicant x0."""

    def knows_usual_limits(self, actions: Actions) -> bool:
        """Whether the search looks at a limit that gives way: the ellipsoid of real people, or a
        rule that yields. The checklist looks at all of them."""
        return True

    def recourse(self, x0: npt.ArrayLike, actions: Actions) -> Plan:
        """The plan that `search` finds, judged from scratch."""
        whole = self.categories == "whole"
        search = partial(self.search, actions=actions)
        return planned(self.name, x0, actions, self.current, whole, search)

    def judged(self, plan: Plan, x0: npt.ArrayLike, actions: Actions) -> Plan:
        """A plan that was found under other rules, judged by these."""
        return plan.judged_by(x0, actions, self.current, self.categories == "whole")


@dataclass(frozen=True, eq=False)
class AskedOtherwise(ABC):
    """A method asked in another way than it is made for; tables know it by its own name."""

    method: "SearchMethod | AskedOtherwise"

    @property
    def name(self) -> str:
        """What tables call it."""
        return self.method.name

    @property
    def parameter(self) -> float:
        """The parameter of the method."""
        return self.method.parameter

    @abstractmethod
    def recourse(self, x0: npt.ArrayLike, actions: Actions) -> Plan:
        """The plan for the applicant x0 (D, with the trailing 1)."""

    @property
    def asks_later_models(self) -> bool:
        """Whether the method's search looks at other models than today's."""
        return self.method.asks_later_models

    def knows_usual_limits(self, actions: Actions) -> bool:
        """Whether the method's search looks at a limit that gives way."""
        return self.method.knows_usual_limits(actions)

    def judged(self, plan: Plan, x0: npt.ArrayLike, actions: Actions) -> Plan:
        """A plan that was found under other rules, judged by these."""
        return self.method.judged(plan, x0, actions)


def planned(
    method: str,
    x0: npt.ArrayLike,
    actions: Actions,
    current: Classifier,
    whole: bool,
    search: Callable[[Array], Answer],
) -> Plan:
    """Run `search` on the checked applicant, time it, and judge what it found from scratch."""
    begin = time.perf_counter()
    start = checked_applicant("x0", x0, None)
    checked_instance("actions", actions, Actions)
    actions.check_columns(start.size - 1)
    # A model of another number of features refuses the applicant by name, before any search.
    current.decision(start[None, :-1])
    bounds = column_bounds(start, actions)
    if bounds.contradiction is not None:
        answer = Answer(None, f"Nothing can be changed: {bounds.contradiction}.")
    else:
        answer = search(start)
    if answer.x is None:
        seconds = time.perf_counter() - begin
        return Plan(method, None, np.nan, np.nan, None, seconds, answer.message)
    x = frozen_array("x", answer.x, (start.size,))
    change = bounds.weights * (x[:-1] - start[:-1])
    return Plan(
        method=method,
        x=x,
        cost_l1=float(np.abs(change).sum()),
        cost_l2=float(np.linalg.norm(change)),
        checks=judged(x, start, actions, current, whole),
        seconds=time.perf_counter() - begin,
        message=answer.message,
    )


def judged(x: Array, x0: Array, actions: Actions, current: Classifier, whole: bool) -> Checklist:
    """Every rule of the actionable set, and the decision of today's model."""
    people = x[None, :-1]
    accepted = bool(current.decision(people)[0])
    needed = float(expit(current.threshold))
    today = Check(TODAY, accepted, float(current.probability(people)[0]), needed, 1.0)
    return Checklist((*ActionChecks(x0, actions, whole)(x), today))
