"""Everyone who has a plan as a dot, coloured by group; a click opens the person."""

import streamlit as st

from dirrac_core.figures.portfolio import people_dots
from dirrac_core.studies.people.equity import groups_by
from pages.portfolio.quantities import EFFORT, WORST, quantities
from pages.portfolio.run import Reviewed, open_person
from pages.shared import notices
from pages.shared.address.linked_controls import choose_one
from pages.shared.pictures import Mark, draw_picture, theme
from pages.shared.plain_text import plain

_CHOSEN = "person clicked"


def show_people(reviewed: Reviewed, group_by: str) -> None:
    """The dots, in the colours of the groups chosen above."""
    frame, dataset = reviewed.frame, reviewed.case.dataset
    if not frame["found"].any():
        return
    st.markdown("#### One dot per person")
    shown = quantities(reviewed.case)
    titles = {name: shown[name].title for name in shown if name != EFFORT}
    notices.report_choices({"portfolio_up": titles.values()})
    up = choose_one("Effort against", titles, "portfolio_up", usual=WORST)
    groups, names = groups_by(dataset, group_by, frame["row"].to_numpy())
    member = groups.tolist() if len(names) > 1 else None
    figure = people_dots(frame, shown[EFFORT], shown[up], theme(), member, names, reviewed.at_edge)
    draw_picture(figure, "people", on_mark=_note)
    st.caption(
        (f"Coloured by {plain(group_by)}. " if member is not None else "")
        + ("Ringed: the plan ends at the edge of the data. " if reviewed.at_edge else "")
        + "Click a dot to open that person's plan."
    )
    # A callback may not lead to another page.
    row = st.session_state.pop(_CHOSEN, None)
    if row is not None:
        open_person(reviewed, row)


def _note(mark: Mark) -> None:
    if mark.data:
        st.session_state[_CHOSEN] = int(mark.data[0])
