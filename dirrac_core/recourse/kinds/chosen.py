"""The plan of one kind alone, as settings, portfolios and letters ask for it."""

import time
from dataclasses import replace

import numpy as np

from dirrac_core.arrays import checked_choice
from dirrac_core.data.dataset import Dataset
from dirrac_core.recourse.find import find_recourse
from dirrac_core.recourse.kinds.alternatives import (
    AT_MOST,
    CHEAPEST,
    FEWEST,
    MORE_EFFORT,
    PLAN_KINDS,
    SAFEST,
    SPARING,
    Alternative,
    alternatives,
    cheapest_lasting,
    fewest_changes,
    level_of,
    more_effort,
    seconds_left,
)
from dirrac_core.recourse.kinds.at_most import cheapest_at_most
from dirrac_core.recourse.kinds.levers import changed_levers
from dirrac_core.recourse.problem import RecourseProblem
from dirrac_core.recourse.result import Recourse
from dirrac_core.recourse.whole_units import left_exact, plan_in_real_units
from dirrac_core.solvers.cheapest import LEVEL_TOLERANCE
from dirrac_core.solvers.outcome import TIME_LIMIT

# Shares of a level at which a plan leaves room for rounding, tried in this order.
STRICTER = (0.97, 0.92, 0.85)


def chosen_plan(
    problem: RecourseProblem,
    kind: str,
    level: float | None = None,
    gap: float = 1e-3,
    solver: str = "certified",
    time_limit: float | None = None,
) -> Alternative:
    """The plan of one kind alone; the safest, which says so, where there is none of that kind.

    Only "at most" knows no other plan: where its level cannot be reached there is none. After
    `time_limit` seconds the best plan so far is kept, and its status says so.
    """
    checked_choice("The kind of plan", kind, PLAN_KINDS)
    if kind == AT_MOST:
        return cheapest_at_most(problem, level, gap, solver, time_limit).as_alternative()
    deadline = np.inf if time_limit is None else time.perf_counter() + time_limit
    first = find_recourse(problem, solver, gap, time_limit)
    changed = () if first.x is None else changed_levers(problem, first.x)
    safest = Alternative(SAFEST, problem, first, changed)
    if first.x is None or kind == SAFEST:
        return safest
    found: Alternative | None
    if kind == CHEAPEST:
        found = cheapest_lasting(problem, level_of(first, level), first, deadline)
    elif kind == FEWEST:
        found = fewest_changes(problem, safest, gap, deadline)
    elif kind == MORE_EFFORT:
        found = more_effort(problem, gap, seconds_left(deadline))
    else:
        # The menu leaves out those that another plan makes pointless.
        shown = alternatives(problem, level, gap=gap, safest=first, deadline=deadline)
        found = next((each for each in shown if each.kind == SPARING), None)
    if found is None and time.perf_counter() > deadline:
        late = f"The time limit passed before the plan “{kind}” was found; this is the safest."
        return replace(safest, plan=replace(first, status=TIME_LIMIT, message=late))
    if found is None:
        none = f"There is no plan of the kind “{kind}” here, so this is the safest."
        return replace(safest, plan=replace(first, message=none))
    return found


def chosen_in_real_units(dataset: Dataset, chosen: Alternative, gap: float = 1e-3) -> Recourse:
    """A chosen plan in whole units.

    A level that was the question is kept: where rounding would miss it, the cheapest plan at a
    slightly stricter level is rounded instead. Where none is left, the exact plan is shown.
    """
    real = plan_in_real_units(dataset, chosen.problem, chosen.plan, chosen.level)
    if chosen.kind != AT_MOST or chosen.plan.x is None or chosen.level is None:
        return real
    for part in STRICTER:
        if real.worst_case_probability <= chosen.level + LEVEL_TOLERANCE:
            return real
        answer = cheapest_at_most(chosen.problem, part * chosen.level, gap)
        if answer.found is None:
            break
        near = answer.found
        rounded = plan_in_real_units(dataset, near.problem, near.plan, chosen.level)
        # What it says is the answer to the question, not to the stricter one.
        assert rounded.rounding is not None
        real = replace(
            rounded,
            message=chosen.plan.message,
            lower_bound=chosen.plan.lower_bound,
            rounding=replace(rounded.rounding, exact=chosen.plan),
        )
    if real.worst_case_probability <= chosen.level + LEVEL_TOLERANCE:
        return real
    note = "No plan in whole units keeps the level, so the exact solution is shown."
    return left_exact(chosen.plan, note)
