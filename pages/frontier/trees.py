"""Boosted trees: the cheapest plans that more and more re-trainings accept."""

import pandas as pd
import streamlit as st

from dirrac_core.case.nonlinear.trees import TreeCase
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.safe_csv import safe_csv
from dirrac_core.figures.tree_frontier import draw_tree_frontier
from dirrac_core.recourse.kinds.alternatives import CHEAPEST
from dirrac_core.trees.frontier import FrontierPoint
from pages.runs.tree_plans import case_when_ready, frontier_when_ready
from pages.shared import state, wording
from pages.shared.navigation import file_of
from pages.shared.pictures import draw_picture, theme
from pages.shared.plain_text import plain, plain_table
from pages.sidebar.title_row import show_title


def show_tree_frontier(scenario: Scenario) -> None:
    """Effort against declining re-trainings, the plan of each point, and the way to take one."""
    name = wording.applicant_name(scenario.applicant)
    show_title(scenario, f"{name} · what lasting acceptance costs")
    case = case_when_ready(scenario)
    if case is None:
        return
    points = frontier_when_ready(case)
    if points:
        _show_points(case, points)
    elif points is not None:
        st.markdown("No plan was found.")
        st.page_link(file_of("recourse"), label=wording.WHY_NO_PLAN, icon=":material/route:")


def _show_points(case: TreeCase, points: tuple[FrontierPoint, ...]) -> None:
    first, last = points[0], points[-1]
    st.markdown(
        f"#### Today’s model alone: effort {wording.amount(first.cost)}. Declined by "
        f"{last.total - last.accepted} of {last.total} re-trainings: effort "
        f"{wording.amount(last.cost)}."
    )
    draw_picture(draw_tree_frontier(points, theme()), "tree frontier")
    table = _table(case, points)
    st.table(plain_table(table))
    st.caption(
        plain(
            "Each row is the cheapest plan that no more re-trainings decline. Fresh re-trainings "
            "were not planned on: they show what a plan is worth to models it has not seen."
        )
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Take a plan to the workbench",
            [point for point in points if point.at_least],
            format_func=lambda point: (
                f"at most {point.total - point.at_least} of {point.total} decline"
            ),
            index=None,
            placeholder="how many may decline",
            key="tree frontier plan",
        )
        if chosen is not None and st.button("Take it", icon=":material/route:"):
            state.change(plan_kind=CHEAPEST, level=_level(chosen))
            st.switch_page(file_of("recourse"))
        st.download_button(
            "Data (CSV)",
            safe_csv(table.reset_index()),
            f"frontier-{case.scenario.dataset}-{case.scenario.applicant}-trees.csv",
            "text/csv",
            icon=":material/table:",
            on_click="ignore",
        )


def _table(case: TreeCase, points: tuple[FrontierPoint, ...]) -> pd.DataFrame:
    schema = case.dataset.schema
    rows = [
        {
            "Decline, at most": f"{point.total - point.at_least} of {point.total}",
            "Effort": wording.amount(point.cost) + ("" if point.proved else " (not proved)"),
            "Fresh ones that decline": f"{point.declined} of {point.fresh}",
            "Plan": schema.sentence(case.x0, point.x),
        }
        for point in points
    ]
    return pd.DataFrame(rows).set_index("Decline, at most")


def _level(point: FrontierPoint) -> float:
    """The share that may decline; a level is never 0."""
    return max(1.0 - point.at_least / point.total, 1e-6)
