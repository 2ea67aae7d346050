"""The workbench: choose a plan, tune it in the one table, and see all that follows from it."""

from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dirrac_core.case.nonlinear.trees import TREES
from dirrac_core.case.scenario import Scenario
from dirrac_core.errors import DirracError
from pages.recourse import compare, shown
from pages.recourse.applicant import show_applicant
from pages.recourse.computing import compute
from pages.recourse.export.files import offer_files
from pages.recourse.facts import show_facts, show_reading
from pages.recourse.menu import show_menu
from pages.recourse.no_plan import show_no_plan
from pages.recourse.prepare import show_contrast
from pages.recourse.price import show_price
from pages.recourse.proof import show_why
from pages.recourse.remedy import show_surprise
from pages.recourse.small_pictures import draw_bars, draw_plane, draw_steps, link_to_pages
from pages.recourse.table.component import show_preset, show_table
from pages.recourse.trees.show import show_tree_plan
from pages.runs import ahead
from pages.shared import computing, notices, state
from pages.shared.address.linked_controls import show_parts
from pages.sidebar.live import follow_settings

TABS = {
    "How to read it": show_reading,
    "Why it holds": show_why,
    "Price": show_price,
    "Shifts": show_contrast,
    "Compare": compare.show_comparison,
    "Export": offer_files,
}
# Below a table of at most so many rows there is room for the component bars.
SHORT_TABLE = 8
# Tabs of version 1.0.0 whose content is in another one now; the rest is on the screen itself.
MOVED = {"Proof": "Why it holds"}


@dataclass(frozen=True)
class Places:
    """The two columns below the facts, and what is below them.

    They are drawn with the page and stay, with all in them that does not follow the settings: what
    a change draws again is what the visitor waits for.
    """

    left: DeltaGenerator
    right: DeltaGenerator
    below: DeltaGenerator


def workbench(scenario: Scenario, places: Places) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Everything about the plan, or why there is none.

    Returns the places of the menu and of the small frontier, which are drawn last: nothing waits
    for them.
    """
    # All that the facts need comes before anything is drawn: the browser looks at the whole page
    # whenever something arrives, and is to find them there the first time.
    case, solution = computing.case(scenario), computing.solution(scenario)
    ignored = shown.follow_address(scenario, case.dataset.schema)
    ignored += compare.follow_address(case)
    on_screen = shown.shown_point(solution)
    computing.plan_for_today(scenario)
    menu_place = st.container()
    with menu_place:
        notices.report_ignored(shown.kept_notice(scenario, ignored))
    if solution.plan.x is None:
        show_no_plan(case)
    if on_screen is not None:
        show_facts(on_screen)
        show_surprise(on_screen)
    short = len(case.dataset.schema.features) <= SHORT_TABLE
    with places.left:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            show_preset(scenario)
            if on_screen is not None:
                compare.offer_pin(on_screen)
        show_table(case, on_screen)
        if short and on_screen is not None:
            draw_bars(on_screen)
    with places.right:
        draw_plane(scenario, on_screen)
        steps_place = st.container()
        if not short and on_screen is not None:
            draw_bars(on_screen)
    return menu_place, steps_place


def live(scenario: Scenario, places: Places) -> None:
    """All that follows the settings."""
    drawn_last: tuple[DeltaGenerator, DeltaGenerator] | None = None
    with st.container(gap="xsmall"), notices.show_errors():
        drawn_last = workbench(scenario, places)
    if drawn_last is None:
        with places.left:
            # The edits may be what is refused: here is the way back.
            show_preset(scenario)
        # A fragment may write only where it did when the whole page was drawn.
        places.right.empty()
    if st.query_params.get("tab") in MOVED:
        st.query_params["tab"] = MOVED[st.query_params["tab"]]
    with places.below:
        show_parts("tab", TABS, scenario)
    if drawn_last is not None:
        with notices.show_errors():
            with drawn_last[0]:
                if computing.solution(scenario).plan.x is not None:
                    show_menu(scenario)
            with drawn_last[1]:
                draw_steps(scenario, shown.on_screen())
        ahead.prepare(compute)


def head(scenario: Scenario) -> bool:
    """The applicant and today's decision, which stay while a plan is tuned; whether they could be
    drawn. Where they could not, the live part says why."""
    try:
        case = computing.case(scenario)
    except DirracError:
        return False
    with st.container(gap="xsmall"):
        show_applicant(case)
    return True


current = state.current()
notices.report_link()
if current.model == TREES:
    follow_settings(show_tree_plan)
else:
    complete = head(current)
    facts_place = st.container()
    left, right = (column.container(gap="xsmall") for column in st.columns([5, 3], gap="medium"))
    with right:
        link_to_pages()
    places = Places(left, right, st.container())
    with facts_place:
        follow_settings(partial(live, places=places), complete)
