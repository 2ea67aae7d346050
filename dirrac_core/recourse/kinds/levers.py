"""Levers: what a plan can change as one thing, and the best plan that pulls at most m of them."""

import time
from dataclasses import dataclass, replace

import numpy as np

from dirrac_core.arrays import Array, checked_number
from dirrac_core.data.schema.actions import Actions
from dirrac_core.data.schema.schema import CHANGE_TOLERANCE
from dirrac_core.errors import InvalidInput
from dirrac_core.recourse.find import find_recourse
from dirrac_core.recourse.problem import RecourseProblem
from dirrac_core.recourse.result import Recourse

Lever = tuple[int, ...]
"""Columns that change together: one number, one one-hot group, or numbers tied by an equation."""


def levers(problem: RecourseProblem) -> tuple[Lever, ...]:
    """Everything that may move, in the order of the columns.

    Columns joined by an equality of the rules, such as SBA amount = portion × gross amount, are
    one lever: moving one moves the other.
    """
    bounds, actions = problem.unbounded.bounds, problem.unbounded.actions
    free = np.flatnonzero(bounds.lower < bounds.upper)
    joined: list[set[int]] = [{int(c)} for c in free]
    ties = [set(group) for group in actions.groups]
    ties += [
        set(np.flatnonzero(rule.coefficients).tolist())
        for rule in actions.linear
        if rule.low == rule.high
    ]
    for tie in ties:
        together = [part for part in joined if part & tie]
        if together:
            joined = [part for part in joined if not part & tie]
            joined.append(set().union(*together))
    return tuple(sorted(tuple(sorted(part)) for part in joined))


def changed_levers(problem: RecourseProblem, x: Array) -> tuple[Lever, ...]:
    """The levers a plan pulls."""
    moved = np.abs(x[:-1] - problem.x0[:-1]) > CHANGE_TOLERANCE
    return tuple(lever for lever in levers(problem) if moved[list(lever)].any())


def without_levers(actions: Actions, spared: tuple[Lever, ...]) -> Actions:
    """The same actions with these levers left alone."""
    return actions.with_locked(column for lever in spared for column in lever)


class Narrowed:
    """A problem with some of its levers left alone.

    Each choice of levers is stated once, so that its cheapest plan is found once.
    """

    def __init__(self, problem: RecourseProblem) -> None:
        self.problem = problem
        self._known: dict[frozenset[Lever], RecourseProblem] = {frozenset(): problem}

    def without(self, spared: frozenset[Lever]) -> RecourseProblem:
        """The question without the levers `spared`; a budget above δ_min is above its own."""
        if spared not in self._known:
            actions = without_levers(self.problem.unbounded.actions, tuple(sorted(spared)))
            self._known[spared] = self.problem.variant(actions)
        return self._known[spared]


@dataclass(frozen=True, eq=False)
class FewLevers:
    """The best plan with at most `most` changes, within the budget of the problem.

    `plan` is None when there is none; its lower bound covers every choice of levers. `problem` is
    the question with the levers it does not pull left alone; `nodes` is how many choices were
    looked at.
    """

    most: int
    plan: Recourse | None
    problem: RecourseProblem
    nodes: int


def best_with_few_levers(
    problem: RecourseProblem,
    most: int,
    gap: float = 1e-3,
    safest: Recourse | None = None,
    deadline: float = np.inf,
    useful: float = 1.0,
    narrowed: Narrowed | None = None,
) -> FewLevers:
    """The smallest worst case among the plans that change at most `most` levers: exact.

    Every choice of levers is covered. A choice is a set of levers to pull, a set to leave alone
    and the rest open; the best plan with the rest free bounds it. Where that plan changes too
    much, its largest open change is tried both ways, and a choice that cannot beat the best plan
    by more than the gap is closed, and so is one without a plan of a worst case up to `useful`.
    `safest` is the best plan with every lever, when it is known, and `narrowed` the problem where
    other choices of levers are of interest, too.
    Choices not looked at by `deadline` (of `time.perf_counter`) leave the lower bound at 0.
    """
    if most < 1:
        message = f"A plan with few changes needs at least 1 lever, got {most}"
        raise InvalidInput(message)
    gap = checked_number("gap", gap, low=0.0, strict=True)
    narrowed = Narrowed(problem) if narrowed is None else narrowed
    every, delta = levers(problem), problem.feasible_set.delta
    best, best_problem, floor = None, problem, np.inf
    waiting: list[tuple[frozenset[Lever], frozenset[Lever]]] = [(frozenset(), frozenset())]
    nodes = 0
    while waiting:
        if time.perf_counter() > deadline:
            floor = 0.0
            break
        pulled, spared = waiting.pop()
        nodes += 1
        if len(pulled) >= most:
            spared = frozenset(every) - pulled
        choice = narrowed.without(spared).variant(delta=delta)
        cheapest = choice.unbounded.cheapest
        if cheapest is None or cheapest.cost > choice.feasible_set.budget():
            continue
        known = safest is not None and not pulled and not spared
        plan = safest if known else find_recourse(choice, gap=gap)
        if plan is None or plan.x is None:
            continue
        beaten = best is not None and plan.lower_bound >= best.worst_case_probability - gap
        if beaten or plan.lower_bound > useful:
            floor = min(floor, plan.lower_bound)
            continue
        changed = changed_levers(problem, plan.x)
        if len(changed) <= most:
            floor = min(floor, plan.lower_bound)
            if best is None or plan.worst_case_probability < best.worst_case_probability:
                best, best_problem = plan, choice
            continue
        open_changes = [lever for lever in changed if lever not in pulled]
        at = max(open_changes, key=lambda lever: _effort(problem, plan.x, lever))
        waiting += [(pulled, spared | {at}), (pulled | {at}, spared)]
    if best is None:
        return FewLevers(most, None, problem, nodes)
    lower = min(floor, best.worst_case_probability)
    proved = replace(best, lower_bound=lower, gap=best.worst_case_probability - lower)
    return FewLevers(most, proved, best_problem, nodes)


def _effort(problem: RecourseProblem, x: Array | None, lever: Lever) -> float:
    assert x is not None
    columns = list(lever)
    change = np.abs(x[columns] - problem.x0[columns])
    return float((problem.unbounded.bounds.weights[columns] * change).sum())
