"""The long work of boosted trees: re-trainings, then every search, in processes of their own."""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dirrac_core.case.futures import bootstrap_of, shifts_of
from dirrac_core.case.nonlinear.tree_menu import MENU, TreeChoice, menu_of, menu_plans, of_kind
from dirrac_core.case.nonlinear.trees import TreeCase, search_with_news, tree_case_of
from dirrac_core.case.scenario import Scenario
from dirrac_core.progress import Cancel, Progress
from dirrac_core.recourse.kinds.alternatives import SAFEST
from dirrac_core.trees.answer import CANCELLED, TreePlan
from dirrac_core.trees.cp_sat.solving import Effort
from dirrac_core.trees.frontier import FrontierPoint, frontier_plans, points_of
from dirrac_core.trees.retrainings import Retrainings, retrained
from dirrac_core.trees.ways_out import WayOut, ways_out
from pages.runs import background
from pages.runs.background import FINISHED, STOPPED, Run, Work
from pages.runs.panel import show_run
from pages.runs.processes import run_apart
from pages.shared import computing

_TRAINING, _SEARCH, _MENU = "tree re-trainings", "tree plan", "tree menu"
_FRONTIER, _WAYS_OUT = "tree frontier", "tree ways out"
# Seconds for a search that is stopped to hand back the best plan so far; with what else a stop
# takes it is over within two.
TO_STOP = 1.0
# A live page stops here and says how far the proof got.
LONGEST = 30.0


@computing.kept(8)
def _trained(about: tuple[Any, ...]) -> list[Retrainings]:
    """A place for the re-trainings of one dataset and future; shared, filled once."""
    return []


@computing.kept(64)
def _solved(scenario: Scenario) -> list[TreePlan]:
    """A place for the plan of one scenario; shared, filled once."""
    return []


@computing.kept(64)
def _menus(scenario: Scenario) -> list[tuple[TreeChoice, ...]]:
    """A place for the plans to choose from of one scenario; shared, filled once."""
    return []


def case_when_ready(scenario: Scenario) -> TreeCase | None:
    """The case once its re-trainings are there; until then the panel, and None."""
    data = computing.bundle(scenario).dataset
    shifts, bootstrap = shifts_of(scenario, data), bootstrap_of(scenario)
    about = (scenario.dataset, scenario.without_protected, shifts, bootstrap, scenario.seed)
    place = _trained(about)

    def train(progress: Progress, cancel: Cancel) -> None:
        asked = (data, shifts, bootstrap, scenario.seed)
        found = run_apart(retrained, asked, progress, cancel)
        if found is not None and not place:
            place.append(found)

    if not place:
        st.markdown("The boosted trees are trained again on other people; this happens once.")
        _finished(_TRAINING, about, train)
    return tree_case_of(scenario, computing.bundle(scenario), place[0]) if place else None


def question_of(scenario: Scenario) -> Scenario:
    """What the cheapest plans depend on: not the budget, nor which plan was chosen."""
    return replace(scenario, delta_add=0.0, plan_kind=SAFEST, level=None)


def plan_when_ready(case: TreeCase) -> TreePlan | None:
    """The plan once it is found; until then the panel with the best plan so far, and None."""
    place = _solved(case.scenario)

    def search(progress: Progress, cancel: Cancel) -> TreePlan | None:
        asked = (case.problem, case.scenario, Effort(work=LONGEST))
        found: TreePlan | None = run_apart(search_with_news, asked, progress, cancel, TO_STOP)
        if found is not None and found.status != CANCELLED and not place:
            place.append(found)
        return found

    if place:
        return place[0]
    run = _finished(_SEARCH, case.scenario, search)
    if place:
        return place[0]
    if run is not None and run.result is not None and run.result.x is not None:
        st.caption("Stopped: this is the best plan found until then.")
        stopped: TreePlan = run.result
        return stopped
    if run is not None and run.state == STOPPED:
        st.caption("Stopped before a plan was found.")
    return None


def menu_when_ready(case: TreeCase) -> tuple[TreeChoice, ...]:
    """The plans to choose from once all are found; until then the panel, and none.

    Their plans are kept, so choosing one needs no search.
    """
    about = replace(case.scenario, plan_kind=SAFEST, level=None)
    place = _menus(about)

    def search(progress: Progress, cancel: Cancel) -> None:
        kept = {kind: _solved(of_kind(case.scenario, kind)) for kind in MENU}
        known = {kind: plans[0] for kind, plans in kept.items() if plans}
        asked = (case.problem, case.scenario, Effort(work=LONGEST), known)
        plans = run_apart(menu_plans, asked, progress, cancel, TO_STOP)
        if plans is None or cancel() or place:
            return
        found = menu_of(case, plans)
        place.append(found)
        for choice in found:
            if not kept[choice.kind]:
                kept[choice.kind].append(choice.solution.plan)

    if not place:
        _finished(_MENU, about, search)
    return place[0] if place else ()


def frontier_when_ready(case: TreeCase) -> tuple[FrontierPoint, ...] | None:
    """The cheapest plans for more and more re-trainings; while they are computed the panel."""
    about = question_of(case.scenario)

    def search(progress: Progress, cancel: Cancel) -> tuple[FrontierPoint, ...]:
        plans = run_apart(frontier_plans, (case.problem,), progress, cancel, TO_STOP)
        return points_of(case.problem, case.retrainings.fresh, plans or {})

    run = _finished(_FRONTIER, about, search)
    return None if run is None else run.result or (() if run.state == FINISHED else None)


def ways_out_when_ready(case: TreeCase) -> tuple[WayOut, ...] | None:
    """What would open a plan; while it is looked for the panel, and None."""
    search = partial(run_apart, ways_out, (case.problem,))
    run = _finished(_WAYS_OUT, question_of(case.scenario), search)
    return None if run is None else run.result


def _finished(name: str, about: Any, work: Work) -> Run | None:
    """The run of this name once it has ended; while it works its panel, and None.

    A run that was stopped or failed can be started again.
    """
    run = background.run_of(name)
    if run is None or run.about != about:
        run = background.start(name, about, work)
    if show_run(run):
        return None
    if run.state == FINISHED:
        return run
    st.button(
        "Start again",
        icon=":material/refresh:",
        key=f"again {name}",
        on_click=background.begin,
        args=(name, about, work),
    )
    return run
