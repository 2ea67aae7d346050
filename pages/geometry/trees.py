"""The acceptance regions of boosted trees in two numbers of one's choice."""

import streamlit as st

from dirrac_core.case.scenario import Scenario
from dirrac_core.figures.plane.tree_regions import draw_tree_regions
from dirrac_core.trees.regions import acceptance_regions, telling_numbers
from pages.geometry.view import APPLICANT, HELD, PLAN, choose_feature, choose_held
from pages.runs.tree_plans import case_when_ready, plan_when_ready
from pages.shared import notices, wording
from pages.shared.pictures import draw_picture, theme
from pages.shared.plain_text import plain
from pages.sidebar.title_row import show_title


def show_tree_regions(scenario: Scenario) -> None:
    """Two choices and the picture; all other features are those of the plan or the applicant."""
    name = wording.applicant_name(scenario.applicant)
    show_title(scenario, f"{name} · where boosted trees accept")
    case = case_when_ready(scenario)
    if case is None:
        return
    plan = plan_when_ready(case)
    if plan is None:
        return
    schema = case.dataset.schema
    numbers = telling_numbers(schema, case.x0, plan.x)
    if len(numbers) < 2:
        st.info("A plane needs two numbers; this table has fewer.", icon=":material/info:")
        return
    notices.report_choices({"across": numbers, "up": numbers, "held": HELD.values()})
    held = PLAN if plan.x is not None else APPLICANT
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        first = choose_feature("Across", "across", numbers, numbers[0])
        others = [name for name in numbers if name != first]
        second = choose_feature("Up", "up", others, others[0])
        if plan.x is not None:
            held = choose_held()
    at = case.x0 if plan.x is None or held == APPLICANT else plan.x
    regions = acceptance_regions(case.problem, (first, second), at)
    now = schema.decode(case.x0)
    then = None if plan.x is None else schema.decode(plan.x)
    figure = draw_tree_regions(
        regions,
        (float(now[first]), float(now[second])),
        None if then is None else (float(then[first]), float(then[second])),
        theme(),
    )
    draw_picture(figure, "tree regions")
    st.markdown(
        f"**{regions.share_of_all:.0%}** of this plane is accepted by all {regions.total} "
        f"re-trainings, **{regions.share_today:.0%}** by today’s model."
    )
    st.caption(
        "Exact: within a cell no model changes its answer. The darker a cell, the more "
        "re-trainings accept it; dots mark the cells today’s model accepts. All other features "
        f"are those of {HELD[held]}."
    )
    if plan.x is None:
        st.caption(plain(plan.message))
