"""What follows the settings on a page, drawn again by itself when one of them changes.

Streamlit draws a whole page again at every change, and its browser part looks at all of it each
time something new comes. Here the part of a page that follows the settings is a fragment, together
with the settings themselves: after a change in it, it alone is drawn, and all around it stays as it
is. A change that reaches further, another applicant for example, draws the whole page.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import streamlit as st

from dirrac_core.case.scenario import Scenario
from pages.runs import ahead, clicks
from pages.shared import notices, state
from pages.shared.defaults import LOGISTIC
from pages.sidebar import controls

Begin = Callable[[], None]
Draw = Callable[[Scenario], None]

# While a whole page is drawn: what every run of it begins with.
_WHOLE: ContextVar[Begin | None] = ContextVar("whole page", default=None)
_AROUND = "what is around the live part"


@contextmanager
def whole_page(begin: Begin) -> Iterator[None]:
    """Inside, a page is drawn with all that is around its live part.

    It begins with `begin`, and so will the live part when it is drawn by itself.
    """
    token = _WHOLE.set(begin)
    try:
        with _run(begin):
            notices.report_before_run()
            yield
    finally:
        _WHOLE.reset(token)


@contextmanager
def _run(begin: Begin) -> Iterator[None]:
    begin()
    with notices.show_last_resort(), clicks.answered(), ahead.making_way():
        state.start_run()
        yield


def follow_settings(draw: Draw, complete: bool) -> None:
    """Draw what follows the settings, and the settings; once per page, after what stays.

    What stays may depend on the applicant and on today's decision, but not on the plan. Where it
    is not `complete`, the next change draws the whole page.
    """
    begin = _WHOLE.get()
    if begin is None:
        # The page file is served alone.
        draw(state.current())
    elif state.current().model != LOGISTIC:
        # The approximation of another model moves with its plan, and is part of what stays.
        _draw(draw)
    else:
        st.session_state[_AROUND] = _around() if complete else None
        _live(draw, begin)


@st.fragment
def _live(draw: Draw, begin: Begin) -> None:
    if _WHOLE.get() is not None:
        _draw(draw)
        return
    with _run(begin):
        if notices.is_waiting() or st.session_state[_AROUND] != _around():
            st.rerun()
        _draw(draw)


def _draw(draw: Draw) -> None:
    with notices.show_last_resort(), controls.settings_last():
        draw(state.current())


def _around() -> tuple[object, ...]:
    """All that what stays depends on."""
    now = state.current()
    decided = (now.dataset, now.applicant, now.model, now.seed, now.decision, now.without_protected)
    return (*decided, *state.ignored_in_link(), state.is_from_version_1())
