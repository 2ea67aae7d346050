"""The menu as people see it: every plan in whole units, with the room around it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from dirrac_core.data.dataset import Dataset
from dirrac_core.data.schema.schema import CHANGE_TOLERANCE
from dirrac_core.recourse.kinds.alternatives import (
    ALIKE,
    SAFEST,
    SPARING,
    Alternative,
    alternatives,
    useful_level,
)
from dirrac_core.recourse.problem import RecourseProblem
from dirrac_core.recourse.result import Recourse
from dirrac_core.recourse.room import Room, room_to_move
from dirrac_core.recourse.whole_units import plan_in_real_units


@dataclass(frozen=True, eq=False)
class MenuPlan:
    """One plan of the menu in whole units, and how far its numbers may move."""

    dataset: Dataset
    alternative: Alternative
    plan: Recourse

    @cached_property
    def room(self) -> Room:
        """How far the numbers may move; computed when somebody asks."""
        assert self.plan.x is not None
        problem = self.alternative.problem
        return room_to_move(self.dataset, problem, self.plan.x)

    @property
    def kind(self) -> str:
        """Which kind of plan it is."""
        return self.alternative.kind


def menu(
    dataset: Dataset,
    problem: RecourseProblem,
    gap: float = 1e-3,
    safest: Recourse | None = None,
) -> tuple[MenuPlan, ...]:
    """The `alternatives` of a problem in whole units, each with its room; the safest first.

    Plans that rounding has made alike are shown once. `safest` is the answer of `find_recourse`,
    exact or as `plan_in_real_units` gives it, when it is known already.
    """
    rounded: dict[Alternative, MenuPlan] = {}
    first = None if safest is None else safest.exact

    def shown(found: Sequence[Alternative]) -> list[MenuPlan]:
        plans: list[MenuPlan] = []
        for alternative in found:
            if safest is not None and safest is not first and alternative.plan is first:
                rounded[alternative] = MenuPlan(dataset, alternative, safest)
            if alternative not in rounded:
                budget = problem.feasible_set.delta
                rounded[alternative] = _in_whole_units(dataset, alternative, budget)
            entry = rounded[alternative]
            if not any(_same(entry, other) for other in plans) and _useful(entry, found[0]):
                plans.append(entry)
        return plans

    found = alternatives(problem, gap=gap, safest=first, different=lambda found: len(shown(found)))
    return tuple(shown(found))


def _in_whole_units(dataset: Dataset, alternative: Alternative, budget: float) -> MenuPlan:
    """One alternative in whole units.

    A cheap plan whose level takes one more step of a coarse number may cost up to the `budget`.
    """
    real = plan_in_real_units(dataset, alternative.problem, alternative.plan, alternative.level)
    assert real.x is not None
    asked = alternative.level
    if asked is not None and real.worst_case_probability > asked:
        wider = alternative.problem.variant(delta=budget)
        again = plan_in_real_units(dataset, wider, alternative.plan, asked)
        if again.rounded and again.worst_case_probability <= asked:
            real, alternative = again, replace(alternative, problem=wider)
    return MenuPlan(dataset, alternative, real)


def _useful(entry: MenuPlan, safest: Alternative) -> bool:
    """Whether rounding has left the plan a useful promise; the safest, and one that spares a lever
    of it, are shown anyway.

    Only the plan of a coarse number, such as a grade, can lose so much.
    """
    asked = entry.kind in (SAFEST, SPARING)
    return asked or entry.plan.worst_case_probability <= useful_level(safest.plan)


def _same(one: MenuPlan, other: MenuPlan) -> bool:
    """Whether the two change the same columns by much the same."""
    x0 = one.alternative.problem.x0
    first, second = one.plan.x, other.plan.x
    assert first is not None and second is not None
    moved = [np.abs(x - x0) > CHANGE_TOLERANCE for x in (first, second)]
    alike = np.abs(first - second) <= ALIKE
    return bool((moved[0] == moved[1]).all() and alike.all())
