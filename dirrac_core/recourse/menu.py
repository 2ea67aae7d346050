"""The menu as people see it: every plan in whole units, with the room around it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dirrac_core.data.dataset import Dataset
from dirrac_core.data.schema.schema import CHANGE_TOLERANCE
from dirrac_core.recourse.alternatives import (
    ALIKE,
    FEW_PLANS,
    MORE_EFFORT,
    Alternative,
    alternatives,
    cheapest_lasting,
    level_of,
    more_effort,
    useful_level,
)
from dirrac_core.recourse.find import find_recourse
from dirrac_core.recourse.levers import Lever
from dirrac_core.recourse.problem import RecourseProblem
from dirrac_core.recourse.result import Recourse
from dirrac_core.recourse.room import Room, room_to_move
from dirrac_core.recourse.whole_units import RealPlan, plan_in_real_units


@dataclass(frozen=True, eq=False)
class MenuPlan:
    """One plan of the menu in whole units, and how far its numbers may move."""

    dataset: Dataset
    alternative: Alternative
    real: RealPlan
    level: float | None = None

    @cached_property
    def room(self) -> Room:
        """How far the numbers may move at the level stated; computed when somebody asks."""
        assert self.real.plan.x is not None
        problem = self.alternative.problem
        return room_to_move(self.dataset, problem, self.real.plan.x, self.level)

    @property
    def kind(self) -> str:
        """Which kind of plan it is."""
        return self.alternative.kind

    @property
    def plan(self) -> Recourse:
        """The plan in whole units."""
        return self.real.plan


def menu(
    dataset: Dataset,
    problem: RecourseProblem,
    level: float | None = None,
    spare: Lever | None = None,
    gap: float = 1e-3,
    safest: Recourse | None = None,
) -> tuple[MenuPlan, ...]:
    """The `alternatives` of a problem in whole units, each with its room; the safest first.

    Plans that rounding has made alike are shown once.
    """
    first = find_recourse(problem, gap=gap) if safest is None else safest
    shown: list[MenuPlan] = []

    def show(alternative: Alternative | None) -> None:
        if alternative is not None:
            entry = in_whole_units(dataset, alternative, level)
            if not any(_same(entry, other) for other in shown):
                shown.append(entry)

    for alternative in alternatives(problem, level, spare, gap, safest=first):
        show(alternative)
    # Rounding can make plans alike; others take their place.
    kinds = {entry.kind for entry in shown}
    if shown and len(shown) < FEW_PLANS and MORE_EFFORT not in kinds:
        show(more_effort(problem, gap))
    if shown and len(shown) < FEW_PLANS and level is None:
        weaker = 0.5 * (level_of(first, None) + useful_level(first))
        show(cheapest_lasting(problem, weaker, first))
    return tuple(shown)


def in_whole_units(
    dataset: Dataset, alternative: Alternative, level: float | None = None
) -> MenuPlan:
    """One alternative in whole units with its room at the level stated.

    Without one, or where the plan itself is above it, the level is a little above the plan's own.
    """
    problem = alternative.problem
    real = plan_in_real_units(dataset, problem, alternative.plan, alternative.level)
    assert real.plan.x is not None
    if level is not None and real.plan.worst_case_probability > level:
        level = None
    return MenuPlan(dataset, alternative, real, level)


def _same(one: MenuPlan, other: MenuPlan) -> bool:
    """Whether the two change the same columns by much the same."""
    x0 = one.alternative.problem.x0
    first, second = one.plan.x, other.plan.x
    assert first is not None and second is not None
    moved = [np.abs(x - x0) > CHANGE_TOLERANCE for x in (first, second)]
    alike = np.abs(first - second) <= ALIKE
    return bool((moved[0] == moved[1]).all() and alike.all())
