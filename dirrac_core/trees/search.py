"""The two questions: the cheapest plan that n of N re-trainings accept, and within a budget the
plan that the largest number of them accept, by the widest margin."""

import time
from dataclasses import replace

import numpy as np

from dirrac_core.arrays import Array, checked_instance, checked_number
from dirrac_core.errors import BrokenPlan, InvalidInput
from dirrac_core.progress import Cancel, never
from dirrac_core.trees.answer import (
    CANCELLED,
    FEASIBLE,
    INFEASIBLE,
    OPTIMAL,
    UNKNOWN,
    TreePlan,
    no_plan,
)
from dirrac_core.trees.choices import Levers, levers_of
from dirrac_core.trees.problem import TreeProblem
from dirrac_core.trees.program import COST_SCALE, Program
from dirrac_core.trees.solving import Effort, Found, Run, in_cost, no_news, run

NOTHING_FITS = "No plan: {}."
NO_PLAN_TODAY = "No plan that keeps every rule is accepted by today's model; this is proved."
RAN_OUT = "The search ran out of effort before it found a plan or proved that there is none."
STOPPED = "Stopped before a plan was found."
# How many models that decline a plan join the program before it is solved again.
JOIN_AT_ONCE = 2
# The margin of a plan that all re-trainings accept is proved to this step of the log-odds, and not
# widened beyond the widest: there a probability is above 99.9 %.
MARGIN_STEP, WIDEST = 0.5, 8.0


def cheapest_accepted(
    problem: TreeProblem,
    at_least: int,
    delta: float = np.inf,
    effort: Effort | None = None,
    cancel: Cancel = never,
    found: Found = no_news,
) -> TreePlan:
    """The cheapest plan that today's model and at least `at_least` of the N re-trainings accept.

    `delta` bounds the cost. `found` is called with every better plan on the way.
    """
    search = _Search(problem, effort or Effort(), cancel, found)
    number = len(problem.retrainings)
    if not 0 <= at_least <= number:
        raise InvalidInput(f"at_least must be from 0 to {number}, got {at_least}")
    if search.levers.contradiction is not None:
        return search.nothing(NOTHING_FITS.format(search.levers.contradiction))
    outcome = search.cheapest(at_least, delta)
    words = f"the cheapest plan that at least {at_least} of {number} re-trainings accept"
    return search.answer(outcome, words, number, np.nan, delta)


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
    search = _Search(problem, effort or Effort(), cancel, found)
    checked_number("delta_add", delta_add, low=0.0)
    number = len(problem.retrainings)
    if search.levers.contradiction is not None:
        return search.nothing(NOTHING_FITS.format(search.levers.contradiction))
    today = search.cheapest(0, np.inf)
    if today.x is None or today.status not in (OPTIMAL, FEASIBLE):
        return search.answer(today, "", number, np.nan, np.nan)
    delta_min = problem.cost_of(today.x)
    budget = delta_min + delta_add if delta is None else checked_number("delta", delta, low=0.0)
    if not number:
        return search.answer(today, "the cheapest plan today's model accepts", 0, delta_min, budget)
    best = search.cheapest(number, budget)
    bound = number
    if best.x is not None and best.status == OPTIMAL:
        best = search.widest(best, budget)
    elif best.x is None and best.status != CANCELLED:
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


class _Search:
    """The programs of one problem, the effort that is left, and the clock."""

    def __init__(self, problem: TreeProblem, effort: Effort, cancel: Cancel, found: Found) -> None:
        self.problem = checked_instance("problem", problem, TreeProblem)
        self.begin = time.perf_counter()
        self.levers: Levers = levers_of(problem)
        self._effort, self._cancel, self._found = effort, cancel, found
        self.work = 0.0

    def cheapest(self, at_least: int, delta: float) -> Run:
        """Minimise the cost while at least so many re-trainings accept."""
        if at_least == len(self.problem.retrainings):
            return self._accepted_by_all(delta)
        # Without re-trainings in it the program is small.
        asked = self.problem if at_least else self.problem.with_retrainings(())
        return self._cheapest(asked, at_least, delta)

    def widest(self, narrow: Run, delta: float) -> Run:
        """The cheapest plan of the widest margin by which all accept, from one that all accept.

        A plan with a wider margin has every narrower one, so the widest is found by halving.
        """
        best, low, high = narrow, 0.0, WIDEST + MARGIN_STEP
        joined: list[bool] = [False] * len(self.problem.retrainings)
        while high - low > MARGIN_STEP:
            middle = MARGIN_STEP * np.floor((low + high) / (2.0 * MARGIN_STEP))
            wider = self._accepted_by_all(delta, float(middle), joined)
            if wider.x is not None and wider.status == OPTIMAL:
                best, low = wider, float(middle)
            elif wider.status == INFEASIBLE:
                high = float(middle)
            else:
                status = CANCELLED if wider.status == CANCELLED else FEASIBLE
                return replace(best, status=status)
        return best

    def _accepted_by_all(
        self, delta: float, margin: float = 0.0, joined: list[bool] | None = None
    ) -> Run:
        """All must accept by a margin: models join the program only once they decline its plan.

        The cheapest plan for some of the models costs no more than the cheapest for all; so a
        plan of the smaller program that all accept is the cheapest for all, and where the smaller
        program has no plan there is none. `joined` keeps who has joined for the next call.
        """
        problem = self.problem
        if margin:
            raised = [m.at_threshold(m.threshold + margin) for m in problem.retrainings]
            problem = problem.with_retrainings(raised)
        inside = [False] * len(problem.retrainings) if joined is None else joined
        while True:
            some = [m for m, within in zip(problem.retrainings, inside, strict=True) if within]
            outcome = self._cheapest(problem.with_retrainings(some), len(some), delta)
            if outcome.x is None or outcome.status == CANCELLED:
                return replace(outcome, x=None)
            margins = problem.margins(outcome.x)
            if (margins >= 0.0).all():
                return outcome
            if outcome.status != OPTIMAL:
                return Run(UNKNOWN, None, np.nan, outcome.bound, outcome.work)
            for index in np.argsort(margins, kind="stable")[:JOIN_AT_ONCE]:
                inside[index] = inside[index] or bool(margins[index] < 0.0)

    def _cheapest(self, asked: TreeProblem, at_least: int, delta: float) -> Run:
        program = Program(asked, self.levers)
        if at_least:
            program.model.add(sum(program.accepts) >= at_least)
        _limit(program, delta)
        program.model.minimize(program.cost)
        return self._run(program)

    def most(self, delta: float) -> tuple[Run, int]:
        """Maximise the number of accepting re-trainings; also the bound on that number."""
        program = Program(self.problem, self.levers)
        _limit(program, delta)
        program.model.maximize(sum(program.accepts))
        outcome = self._run(program)
        number = len(self.problem.retrainings)
        bound = number if not np.isfinite(outcome.bound) else int(np.floor(outcome.bound + 1e-6))
        return outcome, min(bound, number)

    def _run(self, program: Program) -> Run:
        spent = time.perf_counter() - self.begin
        seconds = self._effort.seconds
        left = Effort(
            max(self._effort.work - self.work, 1e-3),
            None if seconds is None else max(seconds - spent, 1e-2),
            self._effort.seed,
        )
        outcome = run(program, left, self._cancel, self._found)
        self.work += outcome.work
        return outcome

    def nothing(self, message: str) -> TreePlan:
        """A contradiction that needs no search."""
        seconds = time.perf_counter() - self.begin
        return no_plan(INFEASIBLE, np.inf, np.nan, seconds, 0.0, message)

    def answer(
        self, outcome: Run, words: str, bound: int, delta_min: float, delta: float
    ) -> TreePlan:
        """The verified answer; a plan that breaks its own conditions is a defect, not an answer."""
        seconds, problem = time.perf_counter() - self.begin, self.problem
        if outcome.x is None:
            message = {INFEASIBLE: NO_PLAN_TODAY, CANCELLED: STOPPED}.get(outcome.status, RAN_OUT)
            if outcome.status == INFEASIBLE and words:
                message = f"Proved: {words} does not exist."
            return no_plan(outcome.status, delta_min, delta, seconds, self.work, message)
        x = outcome.x
        checks, cost = problem.checks(x), problem.cost_of(x)
        if not checks or not problem.accepted_today(x):
            broken = checks.broken[0].name if checks.broken else "today's model"
            raise BrokenPlan(f"A plan must pass its own checklist, got a broken {broken!r}")
        decisions = problem.decisions(x)
        proved = outcome.status == OPTIMAL
        lower = _cost_of_objective(problem, outcome.bound) if proved else 0.0
        message = (
            f"Proved: {words}." if proved else f"Not proved to be {words}; the effort ran out."
        )
        if outcome.status == CANCELLED:
            message = "Stopped: the best plan found so far."
        return TreePlan(
            status=outcome.status,
            x=_frozen(x),
            cost=cost,
            cost_bound=min(lower, cost),
            decisions=decisions,
            accepted_bound=max(bound, int(decisions.sum())),
            delta_min=min(delta_min, cost) if np.isfinite(delta_min) else delta_min,
            delta=delta,
            checks=checks,
            seconds=seconds,
            work=self.work,
            message=message,
        )


def _limit(program: Program, delta: float) -> None:
    if np.isfinite(delta):
        squared = delta if program.problem.cost == "l1" else delta**2
        # Costs are rounded to whole parts, one per lever.
        program.model.add(program.cost <= int(squared * COST_SCALE) + len(program.levers))


def _cost_of_objective(problem: TreeProblem, value: float) -> float:
    cost = in_cost(max(value, 0.0))
    return cost if problem.cost == "l1" else float(np.sqrt(cost))


def _frozen(x: Array) -> Array:
    x.flags.writeable = False
    return x
