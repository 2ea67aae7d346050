"""Why there is no plan: what to let go so that today's model accepts one."""

from dataclasses import dataclass, replace

from dirrac_core.arrays import Array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.feasible.explain import unlocked
from dirrac_core.progress import Progress, no_progress
from dirrac_core.trees.cp_sat.solving import Effort
from dirrac_core.trees.problem import TreeProblem
from dirrac_core.trees.search import cheapest_accepted

LOOK = Effort(work=2.0)


@dataclass(frozen=True)
class WayOut:
    """One thing to let go, and the cost of the cheapest plan that today's model accepts then."""

    words: str
    cost: float


def ways_out(problem: TreeProblem, progress: Progress = no_progress) -> tuple[WayOut, ...]:
    """Each single loosening that opens a plan, cheapest first; nothing that is never advice."""
    found, tried = [], _loosened(problem)
    for index, (words, actions) in enumerate(tried):
        progress(index / len(tried), f"What would open a plan: {index} of {len(tried)} tried")
        wider = problem.with_retrainings(()).with_actions(actions)
        answer = cheapest_accepted(wider, 0, effort=LOOK)
        if answer.x is not None:
            found.append(WayOut(words, answer.cost))
    return tuple(sorted(found, key=lambda way: way.cost))


def _loosened(problem: TreeProblem) -> list[tuple[str, Actions]]:
    actions, schema = problem.actions, problem.schema
    tried: list[tuple[str, Actions]] = []
    if actions.plausible is not None:
        tried.append(("plans need not be like real people", replace(actions, plausible=None)))
    for rule in actions.linear:
        if rule.optional:
            kept = tuple(other for other in actions.linear if other is not rule)
            tried.append((f"the rule “{rule.name}” is dropped", replace(actions, linear=kept)))
    for feature in schema.features:
        columns = schema.columns_of(feature.name)
        if set(columns) & set(actions.not_advised):
            continue
        tied = {*actions.locked, *actions.only_up, *actions.only_down} & set(columns)
        ends = list(columns)
        closed = actions.upper is not None and bool((actions.upper[ends] < 1.0).any())
        raised = actions.lower is not None and bool((actions.lower[ends] > 0.0).any())
        if not (tied or closed or raised):
            continue
        lower = None if actions.lower is None else _with(actions.lower, ends, 0.0)
        upper = None if actions.upper is None else _with(actions.upper, ends, 1.0)
        free = unlocked(actions, (columns,)).with_box(lower, upper)
        tried.append((f"{feature.name} may change freely", free))
    return tried


def _with(values: Array, places: list[int], value: float) -> Array:
    changed = values.copy()
    changed[places] = value
    return changed
