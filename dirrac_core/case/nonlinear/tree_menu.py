"""A few plans of boosted trees to choose from: safest, cheapest, fewest changes, sparing one."""

from dataclasses import dataclass, replace

from dirrac_core.case.nonlinear.trees import TreeCase, TreeSolution, solve_trees
from dirrac_core.progress import Cancel, Progress, never, no_progress
from dirrac_core.recourse.kinds.alternatives import CHEAPEST, FEWEST, SAFEST, SPARING
from dirrac_core.trees.cp_sat.solving import Effort

MENU = (SAFEST, CHEAPEST, FEWEST, SPARING)


@dataclass(frozen=True, eq=False)
class TreeChoice:
    """One plan of the menu: the answer to the scenario with this `kind`; what it changes."""

    kind: str
    solution: TreeSolution
    changed: tuple[str, ...]


def tree_menu(
    case: TreeCase,
    effort: Effort | None = None,
    progress: Progress = no_progress,
    cancel: Cancel = never,
) -> tuple[TreeChoice, ...]:
    """The plans of every kind in MENU, the safest first; none twice, none without a plan.

    Each is what the scenario with that kind of plan is answered with. When cancelled, those found
    until then.
    """
    found: list[TreeChoice] = []
    seen: set[bytes] = set()
    for index, kind in enumerate(MENU):
        if cancel():
            break
        progress(index / len(MENU), f"Plans to choose from: {index} of {len(MENU)}")
        asked = replace(case.scenario, plan_kind=kind, level=None)
        solution = solve_trees(replace(case, scenario=asked), effort, cancel)
        x = solution.plan.x
        if x is None or x.tobytes() in seen:
            continue
        seen.add(x.tobytes())
        changes = case.dataset.schema.describe_change(case.x0, x)
        found.append(TreeChoice(kind, solution, tuple(change.feature for change in changes)))
    return tuple(found)
