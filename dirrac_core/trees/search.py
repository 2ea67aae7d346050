"""The two questions: the cheapest plan that n of N re-trainings accept, and within a budget the
plan that the largest number of them accept, by the widest margin."""

from dataclasses import replace

import numpy as np

from dirrac_core.arrays import checked_number
from dirrac_core.errors import InvalidInput
from dirrac_core.progress import Cancel, never
from dirrac_core.trees.answer import (
    CANCELLED,
    FEASIBLE,
    INFEASIBLE,
    OPTIMAL,
    TreePlan,
)
from dirrac_core.trees.cp_sat.search import Search
from dirrac_core.trees.cp_sat.solving import Effort, Found, no_news
from dirrac_core.trees.problem import TreeProblem

NOTHING_FITS = "No plan: {}."
CHEAPEST_TODAY = "the cheapest plan that today's model accepts"


def cheapest_accepted(
    problem: TreeProblem,
    at_least: int,
    effort: Effort | None = None,
    cancel: Cancel = never,
    found: Found = no_news,
) -> TreePlan:
    """The cheapest plan that today's model and at least `at_least` of the N re-trainings accept.

    `found` is called with every better plan on the way.
    """
    search = Search(problem, effort or Effort(), cancel, found)
    number = len(problem.retrainings)
    if not 0 <= at_least <= number:
        raise InvalidInput(f"at_least must be from 0 to {number}, got {at_least}")
    if search.levers.contradiction is not None:
        return search.nothing(NOTHING_FITS.format(search.levers.contradiction))
    search.wanted = at_least
    outcome = search.cheapest(at_least, np.inf)
    words = CHEAPEST_TODAY
    if at_least:
        words = f"the cheapest plan that at least {at_least} of {number} re-trainings accept"
    elif outcome.x is None:
        # Then there is no plan at all.
        words = ""
    return search.answer(outcome, words, number, np.nan, np.inf)


def most_accepted(
    problem: TreeProblem,
    delta_add: float,
    effort: Effort | None = None,
    cancel: Cancel = never,
    found: Found = no_news,
    delta: float | None = None,
) -> TreePlan:
    """The plan within the budget that most of the N re-trainings accept.

    Where all of them do, it is the one whose smallest margin is widest, in steps of MARGIN_STEP of
    the log-odds, so that the budget buys room for models nobody has seen; of those the cheapest.

    The budget is δ_min + `delta_add`, where δ_min is the cost of the cheapest plan that today's
    model accepts, or `delta` where that is given.
    """
    search = Search(problem, effort or Effort(), cancel, found)
    checked_number("delta_add", delta_add, low=0.0)
    number = len(problem.retrainings)
    if search.levers.contradiction is not None:
        return search.nothing(NOTHING_FITS.format(search.levers.contradiction))
    today = search.cheapest(0, np.inf)
    if today.x is None or today.status not in (OPTIMAL, FEASIBLE):
        return search.answer(today, "", number, np.nan, np.nan)
    delta_min = problem.cost_of(today.x)
    budget = delta_min + delta_add if delta is None else checked_number("delta", delta, low=0.0)
    search.wanted, search.widening = number, True
    if not number:
        return search.answer(today, CHEAPEST_TODAY, 0, delta_min, budget)
    best = search.widest(budget)
    bound = number
    if best.x is None and best.status != CANCELLED:
        counted, bound = search.most(budget)
        if counted.x is None:
            # Today's cheapest plan needs no re-training.
            stopped = CANCELLED if counted.status == CANCELLED else FEASIBLE
            fits = budget >= delta_min
            counted = replace(
                today, status=stopped if fits else INFEASIBLE, x=today.x if fits else None
            )
        if counted.x is not None and counted.status == OPTIMAL:
            best = search.cheapest(bound, budget)
            best = best if best.x is not None else counted
        else:
            best = counted
    elif best.x is None:
        best = replace(today, status=CANCELLED)
    words = "the plan within the budget that most re-trainings accept"
    if best.x is not None and bool(problem.decisions(best.x).all()):
        words = "the plan within the budget that all re-trainings accept by the widest margin"
    return search.answer(best, words, bound, delta_min, budget)


def fewest_changes(
    problem: TreeProblem,
    at_least: int,
    delta_add: float,
    effort: Effort | None = None,
    cancel: Cancel = never,
    found: Found = no_news,
) -> TreePlan:
    """The plan within δ_min + `delta_add` that changes the fewest features, of those the cheapest.

    At least `at_least` of the N re-trainings accept it, or as many as any plan within the budget
    can win where that is less.
    """
    search = Search(problem, effort or Effort(), cancel, found)
    if search.levers.contradiction is not None:
        return search.nothing(NOTHING_FITS.format(search.levers.contradiction))
    number = len(problem.retrainings)
    today = search.cheapest(0, np.inf)
    if today.x is None or today.status not in (OPTIMAL, FEASIBLE):
        return search.answer(today, "", number, np.nan, np.nan)
    delta_min = problem.cost_of(today.x)
    budget = delta_min + checked_number("delta_add", delta_add, low=0.0)
    search.wanted = at_least
    outcome, wanted = search.fewest(at_least, budget), at_least
    if outcome.status == INFEASIBLE:
        wanted = search.most(budget)[1]
        outcome = search.fewest(min(wanted, at_least), budget)
    words = f"the plan of the fewest changes that at least {wanted} of {number} accept"
    return search.answer(outcome, words, number, delta_min, budget)
