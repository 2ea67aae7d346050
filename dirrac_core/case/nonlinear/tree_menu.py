"""A few plans of boosted trees to choose from: safest, cheapest, fewest changes, sparing one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dirrac_core.case.nonlinear.trees import TreeCase, TreeSolution, judged_plan, search_plan
from dirrac_core.case.scenario import Scenario
from dirrac_core.progress import Cancel, Progress, never, no_progress
from dirrac_core.recourse.kinds.alternatives import CHEAPEST, FEWEST, SAFEST, SPARING
from dirrac_core.trees.answer import TreePlan
from dirrac_core.trees.cp_sat.solving import Effort
from dirrac_core.trees.problem import TreeProblem

MENU = (SAFEST, CHEAPEST, FEWEST, SPARING)


@dataclass(frozen=True, eq=False)
class TreeChoice:
    """One plan of the menu: the answer to the scenario with this `kind`; what it changes."""

    kind: str
    solution: TreeSolution
    changed: tuple[str, ...]


def menu_plans(
    problem: TreeProblem,
    scenario: Scenario,
    effort: Effort | None = None,
    known: Mapping[str, TreePlan] | None = None,
    progress: Progress = no_progress,
    cancel: Cancel = never,
) -> dict[str, TreePlan]:
    """The plan of every kind in MENU, or of those found until it was cancelled.

    Those `known` by their kind are not searched for again.
    """
    at_hand = known or {}
    found: dict[str, TreePlan] = {}
    for index, kind in enumerate(MENU):
        if cancel():
            break
        progress(index / len(MENU), f"Plans to choose from: {index} of {len(MENU)}")
        found[kind] = at_hand.get(kind) or search_plan(
            problem, of_kind(scenario, kind), effort, cancel
        )
    return found


def menu_of(case: TreeCase, plans: dict[str, TreePlan]) -> tuple[TreeChoice, ...]:
    """The plans to choose from, each with its promise."""
    found: list[TreeChoice] = []
    seen: set[bytes] = set()
    for kind, plan in plans.items():
        x = plan.x
        if x is None or x.tobytes() in seen:
            continue
        seen.add(x.tobytes())
        solution = judged_plan(replace(case, scenario=of_kind(case.scenario, kind)), plan)
        changes = case.dataset.schema.describe_change(case.x0, x)
        found.append(TreeChoice(kind, solution, tuple(change.feature for change in changes)))
    return tuple(found)


def of_kind(scenario: Scenario, kind: str) -> Scenario:
    """The scenario that asks for this kind of plan."""
    return replace(scenario, plan_kind=kind, level=None)
