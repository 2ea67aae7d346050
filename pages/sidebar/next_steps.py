"""Where one press of a control in sight would lead: settings that may be computed ahead."""

from contextlib import suppress

import streamlit as st

from dirrac_core.case.scenario import Scenario
from dirrac_core.errors import DirracError
from dirrac_core.robustness import METRICS
from pages.runs import ahead
from pages.shared import computing, wording
from pages.shared.defaults import LOGISTIC
from pages.sidebar import parts
from pages.sidebar.future_controls import in_unit
from pages.sidebar.setting_widgets import steps_from, track_of


def offer_next(scenario: Scenario) -> None:
    """A step of each slider, the next and the previous person, another link and unit."""
    if scenario.model != LOGISTIC:
        return
    for field in ("radii", "delta_add", "weight_radius"):
        value, track = getattr(scenario, field), track_of(field)
        if track is not None and isinstance(value, float):
            for end in steps_from(value, *track):
                ahead.offer(**{field: end})
    with suppress(DirracError):
        for rows in reversed(neighbours(scenario)):
            for row in rows:
                ahead.offer(applicant=row)
    if parts.DETAILS in st.session_state.get(parts.OPEN, ()):
        for link in wording.LINKS:
            ahead.offer(link=link)
        for unit in METRICS:
            ahead.offer(**in_unit(unit))


def neighbours(scenario: Scenario) -> tuple[list[int], list[int]]:
    """The declined person before this one and the one after, where there is one."""
    rows = computing.declined_rows(scenario)
    before = [row for row in rows if row < scenario.applicant]
    after = [row for row in rows if row > scenario.applicant]
    return before[-1:], after[:1]
