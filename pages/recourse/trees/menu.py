"""The cheapest plans that more and more re-trainings accept, computed in the background."""

import pandas as pd
import streamlit as st

from dirrac_core.case.trees_case import TreeCase
from dirrac_core.figures.tree_frontier import draw_tree_frontier
from dirrac_core.progress import Cancel, Progress
from dirrac_core.trees.frontier import FrontierPoint, effort_frontier
from pages.runs import background
from pages.runs.panel import show_run
from pages.shared import wording
from pages.shared.pictures import draw_picture, theme
from pages.shared.plain_text import plain, plain_table

_RUN = "tree frontier"


def show_menu(case: TreeCase) -> None:
    """The frontier of effort against accepted re-trainings, with the plan of each point."""

    def work(progress: Progress, cancel: Cancel) -> tuple[FrontierPoint, ...]:
        return effort_frontier(case.problem, case.retrainings.fresh, progress, cancel)

    run = background.run_of(_RUN)
    if run is None or run.about != case.scenario:
        st.button(
            "Compute the cheapest plans",
            icon=":material/play_arrow:",
            on_click=background.begin,
            args=(_RUN, case.scenario, work),
        )
        return
    if show_run(run):
        return
    points = run.result or ()
    if not points:
        st.markdown("No plan was found; the reason is above.")
        return
    draw_picture(draw_tree_frontier(points, theme()), "tree frontier")
    schema = case.dataset.schema
    rows = [
        {
            "At least": f"{point.at_least} of {point.total}",
            "Effort": wording.amount(point.cost) + ("" if point.proved else " (not proved)"),
            "Fresh ones that decline": f"{point.declined} of {point.fresh}",
            "Plan": schema.sentence(case.x0, point.x),
        }
        for point in points
    ]
    st.table(plain_table(pd.DataFrame(rows).set_index("At least")))
    st.caption(plain("Each row is the cheapest plan that so many re-trainings accept."))
