"""The programs of one applicant's questions, solved within the effort that is left."""

import time
from dataclasses import replace

import numpy as np

from dirrac_core.arrays import Array, checked_instance
from dirrac_core.errors import BrokenPlan
from dirrac_core.progress import Cancel
from dirrac_core.trees.answer import (
    CANCELLED,
    FEASIBLE,
    INFEASIBLE,
    OPTIMAL,
    UNKNOWN,
    TreePlan,
    no_plan,
)
from dirrac_core.trees.cp_sat.choices import Levers, levers_of
from dirrac_core.trees.cp_sat.program import COST_SCALE, LEAF_SCALE, MARGIN_STEP, Program
from dirrac_core.trees.cp_sat.reachable import ReachableLeaves
from dirrac_core.trees.cp_sat.solving import Effort, Found, Run, no_news, run
from dirrac_core.trees.problem import TreeProblem

NO_PLAN_TODAY = "No plan that keeps every rule is accepted by today's model; this is proved."
RAN_OUT = "The search ran out of effort before it found a plan or proved that there is none."
STOPPED = "Stopped before a plan was found."
# How many models that decline a plan join the program before it is solved again.
JOIN_AT_ONCE = 2
# Margins are not widened beyond these steps, log-odds of 8: there a probability is above 99.9 %.
WIDEST = 16


class Search:
    """The programs of one problem, the effort that is left, and the clock."""

    def __init__(self, problem: TreeProblem, effort: Effort, cancel: Cancel, found: Found) -> None:
        self.problem = checked_instance("problem", problem, TreeProblem)
        self.begin = time.perf_counter()
        self.levers: Levers = levers_of(problem)
        self._leaves = ReachableLeaves(problem, self.levers)
        self._effort, self._cancel, self._found = effort, cancel, found
        self._best_news: tuple[int, int, float] = (-1, 0, 0.0)
        # How many must accept, and whether room beyond that counts: what makes a plan better.
        self.wanted, self.widening = 0, False
        self.work = 0.0

    def _news(self, x: Array, cost: float) -> None:
        """Hand on what is better than everything before: a program may leave conditions out."""
        margins = self.problem.margins(x)
        accepted = min(int((margins >= 0.0).sum()), self.wanted)
        room = 0
        if self.widening and accepted == len(margins):
            room = min(int(margins.min() // MARGIN_STEP), WIDEST)
        news = (accepted, room, -cost)
        if news > self._best_news and self.problem.checks(x):
            self._best_news = news
            self._found(x, cost)

    def cheapest(self, at_least: int, delta: float) -> Run:
        """Minimise the cost while at least so many re-trainings accept."""
        if at_least == len(self.problem.retrainings):
            return self._cheapest_for_all(delta, 0, set())
        # Without re-trainings in it the program is small.
        asked = self.problem if at_least else self.problem.with_retrainings(())
        program = Program(asked, self.levers, self._leaves)
        if at_least:
            program.model.add(sum(program.accepts) >= at_least)
        _limit(program, delta)
        program.model.minimize(program.cost)
        return self._run(program)

    def fewest(self, at_least: int, delta: float) -> Run:
        """Minimise the number of changes, then the cost of so many."""
        program = Program(self.problem, self.levers, self._leaves)
        if program.accepts:
            program.model.add(sum(program.accepts) >= at_least)
        _limit(program, delta)
        changes = program.changes()
        program.model.minimize(changes)
        few = self._run(program)
        if few.x is None or few.status != OPTIMAL:
            return few
        program.model.add(changes <= round(few.objective))
        program.model.minimize(program.cost)
        cheapest = self._run(program)
        return cheapest if cheapest.x is not None else replace(few, status=FEASIBLE)

    def widest(self, delta: float) -> Run:
        """The cheapest plan of the widest margin by which all re-trainings accept.

        Models join the program only once they accept its plan by less: the widest margin for some
        of them is at least the widest for all, so one that all grant is the widest.
        """
        joined: set[int] = set()
        least, most = 0, WIDEST
        while True:
            program = self._for_all(joined, (least, most), delta)
            program.model.maximize(program.margin)
            outcome = self._run(program)
            if outcome.x is None or outcome.status == CANCELLED:
                return replace(outcome, x=None)
            if outcome.status != OPTIMAL:
                return self._accepted_by_all(outcome)
            most = round(outcome.objective)
            if not self._join(joined, outcome.x, most):
                break
            # What all grant this plan, they grant the widest one at least.
            least = max(least, min(self._granted(outcome.x), most))
        cheapest = self._cheapest_for_all(min(delta, self.problem.cost_of(outcome.x)), most, joined)
        if cheapest.x is None:
            status = CANCELLED if cheapest.status == CANCELLED else FEASIBLE
            return replace(outcome, status=status)
        return cheapest

    def _cheapest_for_all(self, delta: float, margin: int, joined: set[int]) -> Run:
        """All must accept by a margin: models join the program only once they do not.

        The cheapest plan for some of the models costs no more than the cheapest for all; so a
        plan of the smaller program that all accept is the cheapest for all, and where the smaller
        program has no plan there is none.
        """
        least = 0
        while True:
            program = self._for_all(joined, (margin, margin), delta)
            program.model.add(program.cost >= least)
            program.model.minimize(program.cost)
            outcome = self._run(program)
            if outcome.x is None or outcome.status == CANCELLED:
                return replace(outcome, x=None)
            if outcome.status != OPTIMAL:
                return self._accepted_by_all(outcome, margin)
            if not self._join(joined, outcome.x, margin):
                return outcome
            least = round(outcome.objective)

    def _for_all(self, joined: set[int], margin: tuple[int, int], delta: float) -> Program:
        """A program in which those who joined accept."""
        some = [self.problem.retrainings[index] for index in sorted(joined)]
        asked = self.problem.with_retrainings(some)
        program = Program(asked, self.levers, self._leaves, margin)
        for literal in program.accepts:
            program.model.add(literal == 1)
        _limit(program, delta)
        return program

    def _join(self, joined: set[int], x: Array, margin: int) -> bool:
        """Let those join who accept x by less than the margin, the worst first; False: nobody."""
        margins = self.problem.margins(x)
        worst = [int(index) for index in np.argsort(margins, kind="stable")[:JOIN_AT_ONCE]]
        late = {index for index in worst if margins[index] < margin * MARGIN_STEP}
        joined |= late
        return bool(late)

    def _granted(self, x: Array) -> int:
        """Steps of margin by which all accept x, also where a program rounds every leaf down."""
        rounded = max(len(model.trees) + 2 for model in self.problem.retrainings) / LEAF_SCALE
        return int((self.problem.margins(x).min() - rounded) // MARGIN_STEP)

    def _accepted_by_all(self, outcome: Run, margin: int = 0) -> Run:
        """A plan that was not proved, where all accept it by the margin; else none."""
        assert outcome.x is not None
        if (self.problem.margins(outcome.x) >= margin * MARGIN_STEP).all():
            return outcome
        return Run(UNKNOWN, None, np.nan, outcome.bound, outcome.work)

    def most(self, delta: float) -> tuple[Run, int]:
        """Maximise the number of accepting re-trainings; also the bound on that number."""
        program = Program(self.problem, self.levers, self._leaves)
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
        news = self._found if self._found is no_news else self._news
        outcome = run(program, left, self._cancel, news)
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
        message = (
            f"Proved: {words}." if proved else f"Not proved to be {words}; the effort ran out."
        )
        if outcome.status == CANCELLED:
            message = "Stopped: the best plan found so far."
        return TreePlan(
            status=outcome.status,
            x=_frozen(x),
            cost=cost,
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


def _frozen(x: Array) -> Array:
    x.flags.writeable = False
    return x
