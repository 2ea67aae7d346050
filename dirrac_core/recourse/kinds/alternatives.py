"""A menu of plans: safest, cheapest that lasts, fewest changes, sparing a lever, more effort."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dirrac_core.arrays import checked_number
from dirrac_core.recourse.find import assess, find_recourse
from dirrac_core.recourse.kinds.levers import (
    Lever,
    Narrowed,
    best_with_few_levers,
    changed_levers,
)
from dirrac_core.recourse.problem import RecourseProblem
from dirrac_core.recourse.result import Recourse
from dirrac_core.solvers import solve_cheapest

SAFEST, CHEAPEST, FEWEST, SPARING = "safest", "cheapest", "fewest", "sparing"
MORE_EFFORT, AT_MOST = "more effort", "at most"
PLAN_KINDS = (SAFEST, CHEAPEST, FEWEST, SPARING, MORE_EFFORT, AT_MOST)
# Without a stated level a plan lasts when its worst case is this close to the safest one's.
LASTS_WITHIN = 0.05
# A promise worse than this is not useful, however few changes it needs.
USEFUL = 0.5
# Two plans are alike when they agree in every column up to this share of its size.
ALIKE = 0.02
MOST_PLANS = 5
# What whole units may add to the cost of the cheapest plan.
FOR_WHOLE_UNITS = 0.04
# With fewer plans than this, cheaper ones with a weaker promise are added, at so many levels
# between the one that lasts and the last useful one.
FEW_PLANS = 3
WEAKER_LEVELS = 1
# A plan is worse than another when nothing about it is better by more than this.
CLEARLY = 1e-3


@dataclass(frozen=True, eq=False)
class Alternative:
    """One plan of the menu with its certificate, as the answer to a `problem` of its own.

    `changed` are the levers it pulls. `level` is the requested worst case and `least_cost` what
    any plan that keeps it costs at least (only for "cheapest" and "at most"); `spared` is the
    lever that was left alone (only for "sparing").
    """

    kind: str
    problem: RecourseProblem
    plan: Recourse
    changed: tuple[Lever, ...]
    level: float | None = None
    least_cost: float | None = None
    spared: Lever | None = None

    @property
    def changes(self) -> int:
        """How many levers it pulls."""
        return len(self.changed)


def alternatives(
    problem: RecourseProblem,
    level: float | None = None,
    gap: float = 1e-3,
    safest: Recourse | None = None,
    deadline: float = np.inf,
    different: Callable[[Sequence[Alternative]], int] = len,
) -> tuple[Alternative, ...]:
    """Up to MOST_PLANS plans, the safest first; none like another and none worse in everything.

    `level` is the worst case the cheapest plan may have. The levers of the safest plan are spared
    one by one. `safest` is the answer of `find_recourse`, when it is known already. No plan at all
    gives an empty menu. What was not found by `deadline` (of `time.perf_counter`) is left out.
    `different` counts the plans people can tell apart: with fewer than three, plans with more
    effort or a weaker promise are added.
    """
    first = safest
    if first is None:
        first = find_recourse(problem, gap=gap, time_limit=seconds_left(deadline))
    if first.x is None:
        return ()
    top = Alternative(SAFEST, problem, first, changed_levers(problem, first.x))
    menu, narrowed = [top], Narrowed(problem)
    found = [cheapest_lasting(problem, level_of(first, level), first, deadline)]
    found += [fewest_changes(problem, top, gap, deadline, narrowed)]
    found += _sparing(narrowed, top.changed, gap, useful_level(first), deadline)
    for other in found:
        if other is not None and len(menu) < MOST_PLANS:
            menu = _with(menu, other)
    further = _further(problem, top, level, gap, deadline)
    while different(menu) < FEW_PLANS and (other := next(further, None)) is not None:
        menu = _with(menu, other)
    return tuple(menu)


def _further(
    problem: RecourseProblem, top: Alternative, level: float | None, gap: float, deadline: float
) -> Iterator[Alternative]:
    """What a single lever leaves to choose from: more effort, a weaker promise, other efforts."""
    first = top.plan
    stronger = more_effort(problem, gap, seconds_left(deadline))
    if stronger is not None:
        yield stronger
    if level is None:
        # A single lever gives plans that differ in how far it is pulled.
        for weaker in np.linspace(level_of(first, None), useful_level(first), WEAKER_LEVELS + 2):
            cheaper = cheapest_lasting(problem, float(weaker), first, deadline)
            if cheaper is not None:
                yield cheaper
    if stronger is not None:
        new = tuple(lever for lever in stronger.changed if lever not in top.changed)
        other = Narrowed(stronger.problem)
        yield from _sparing(other, new, gap, useful_level(first), deadline)
        still_more = more_effort(problem, gap, seconds_left(deadline), times=2)
        if still_more is not None:
            yield still_more


def level_of(safest: Recourse, level: float | None) -> float:
    """The requested level, or a little above the safest plan's worst case."""
    if level is None:
        return min(safest.worst_case_probability + LASTS_WITHIN, 1.0)
    return checked_number("level", level, low=0.0, strict=True)


def seconds_left(deadline: float) -> float | None:
    """The time limit of a solve that must end by `deadline`; None for infinite time."""
    return None if deadline == np.inf else max(deadline - time.perf_counter(), 0.0)


def cheapest_lasting(
    problem: RecourseProblem, level: float, safest: Recourse, deadline: float = np.inf
) -> Alternative | None:
    """The cheapest plan with a worst case of at most `level`; None when not even the safest
    plan has one."""
    if safest.x is None or safest.worst_case_probability > level:
        return None
    feasible = problem.feasible_set
    found = solve_cheapest(feasible, problem.objective, level, safest.x, deadline=deadline)
    if found.x is None:
        return None
    assessed = assess(problem, found.x)
    plan = _certified(assessed, safest.lower_bound, "cheapest plan that lasts")
    changed = changed_levers(problem, found.x)
    # In whole units the plan may cost a little more, but not as much as the safest one.
    near = problem.variant(delta=min(feasible.delta, (1.0 + FOR_WHOLE_UNITS) * found.cost))
    return Alternative(CHEAPEST, near, plan, changed, level, found.bound)


def fewest_changes(
    problem: RecourseProblem,
    safest: Alternative,
    gap: float = 1e-3,
    deadline: float = np.inf,
    narrowed: Narrowed | None = None,
) -> Alternative | None:
    """The safest plan with the smallest number of changes that still promises something useful.

    None when the safest plan itself has no more changes, or time is up. `narrowed` is the problem,
    where it is asked without levers elsewhere, too.
    """
    useful = useful_level(safest.plan)
    narrowed = Narrowed(problem) if narrowed is None else narrowed
    for most in range(1, safest.changes):
        few = best_with_few_levers(problem, most, gap, safest.plan, deadline, useful, narrowed)
        if few.plan is not None and few.plan.worst_case_probability <= useful:
            assert few.plan.x is not None
            changed = changed_levers(problem, few.plan.x)
            return Alternative(FEWEST, few.problem, few.plan, changed)
    return None


def more_effort(
    problem: RecourseProblem, gap: float = 1e-3, time_limit: float | None = None, times: int = 1
) -> Alternative | None:
    """The safest plan when the budget also pays for the cheapest change of a category, so many
    times.

    Without categories the budget is that for twice as much effort beyond the cheapest plan.
    """
    each = problem.unbounded.options.combinations()
    paid = next((one.cost for one in each if one.cost > 0.0), problem.delta_add)
    other = problem.variant(delta=problem.feasible_set.delta + times * paid)
    plan = find_recourse(other, gap=gap, time_limit=time_limit)
    if plan.x is None:
        return None
    return Alternative(MORE_EFFORT, other, plan, changed_levers(problem, plan.x))


def useful_level(safest: Recourse) -> float:
    """The largest worst case a plan of the menu may have."""
    return max(USEFUL, safest.worst_case_probability + LASTS_WITHIN)


def _sparing(
    narrowed: Narrowed,
    spared: tuple[Lever, ...],
    gap: float,
    useful: float,
    deadline: float,
) -> list[Alternative]:
    """The safest plan without each lever, best first; its budget is δ_add above its own δ_min.

    Plans with a worst case above `useful` are left out.
    """
    found = []
    for lever in spared:
        if time.perf_counter() > deadline:
            break
        other = narrowed.without(frozenset({lever}))
        cheapest = other.unbounded.cheapest
        if cheapest is None or cheapest.cost > other.feasible_set.budget():
            continue
        plan = find_recourse(other, gap=gap, time_limit=seconds_left(deadline))
        if plan.x is not None and plan.worst_case_probability <= useful:
            changed = changed_levers(narrowed.problem, plan.x)
            found.append(Alternative(SPARING, other, plan, changed, spared=lever))
    return sorted(found, key=lambda a: a.plan.worst_case_probability)


def _certified(plan: Recourse, lower_bound: float, status: str) -> Recourse:
    """An assessed plan with the bound its problem has for every plan."""
    lower = min(lower_bound, plan.worst_case_probability)
    gap = plan.worst_case_probability - lower
    words = f"The {status}: no plan within the budget promises fewer than {100 * lower:.3g} in 100."
    return replace(plan, status=status, lower_bound=lower, gap=gap, message=words)


def _with(menu: list[Alternative], other: Alternative) -> list[Alternative]:
    """The menu with another plan, unless it is like one of them or worse than one of them."""
    if any(_alike(other, kept) or _worse(other, kept) for kept in menu):
        return menu
    stays = (SAFEST, SPARING)
    return [kept for kept in menu if kept.kind in stays or not _worse(kept, other)] + [other]


def _alike(one: Alternative, other: Alternative) -> bool:
    assert one.plan.x is not None and other.plan.x is not None
    sizes = one.problem.unbounded.bounds.sizes
    return bool((np.abs(one.plan.x - other.plan.x)[:-1] <= ALIKE * sizes).all())


def _worse(one: Alternative, other: Alternative) -> bool:
    """Whether `other` is at least as good in everything, the lever left alone included."""
    return (
        other.plan.worst_case_probability <= one.plan.worst_case_probability + CLEARLY
        and other.plan.cost <= one.plan.cost + CLEARLY
        and other.changes <= one.changes
        and other.spared is None
        and one.spared not in other.changed
    )
