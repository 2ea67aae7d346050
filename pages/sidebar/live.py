"""What follows the settings on a page, drawn again by itself when one of them changes.

Streamlit draws a whole page again at every change, and its browser part looks at all of it each
time something new comes. Here the plan, that is the part of a page that follows the settings, and
the parts of the settings are fragments: after a change the plan is drawn, and of the settings what
is not up to date on the screen; all around stays as it is. A change that reaches further, another
applicant for example, draws the whole page.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dirrac_core.case.scenario import Scenario
from pages.runs import ahead, clicks
from pages.shared import notices, state
from pages.shared.defaults import LOGISTIC
from pages.sidebar import controls, parts
from pages.sidebar.next_steps import offer_next

Begin = Callable[[], None]
Draw = Callable[[Scenario], None]

# While a whole page is drawn: what every run of it begins with.
_WHOLE: ContextVar[Begin | None] = ContextVar("whole page", default=None)
PLAN = "what follows the settings"
# What the page around the live part was drawn from, once all of it is there; and what is to be
# noted then.
_AROUND, _COMPLETE = "drawn around the live part", "live part is complete"
_PLANNED = "drawn in the live part"
# What is drawn after a press in a part of the settings; `draw_what_follows` sees to the rest.
DRAWN_AFTER = {
    parts.RADIUS: (PLAN,),
    parts.EFFORT: (PLAN,),
    parts.FUTURES: (PLAN, parts.RADIUS, parts.COMPONENTS),
    parts.COMPONENTS: (PLAN, parts.FUTURES, parts.RADIUS, parts.COMPONENTS),
    parts.MORE: (PLAN, parts.RADIUS),
}


@contextmanager
def whole_page(begin: Begin) -> Iterator[None]:
    """Inside, a page is drawn with all that is around its live part.

    It begins with `begin`, and so will each part that is drawn by itself.
    """
    token, session = _WHOLE.set(begin), st.session_state
    session[_AROUND], session[_COMPLETE] = None, False
    parts.forget_drawn()
    try:
        with _run(begin):
            notices.report_before_run()
            yield
            if session[_COMPLETE]:
                session[_AROUND] = _around()
    finally:
        _WHOLE.reset(token)


@contextmanager
def _run(begin: Begin) -> Iterator[None]:
    begin()
    with notices.show_last_resort(), clicks.answered(), ahead.making_way():
        state.start_run()
        yield


def follow_settings(draw: Draw, complete: bool = True) -> None:
    """Draw what follows the settings, and the settings; once per page, after what stays.

    What stays may depend on the applicant and on today's decision, but not on the plan. Where it
    is not `complete`, the next change draws the whole page.
    """
    begin = _WHOLE.get()
    if begin is None:
        # The page file is served alone.
        _draw(draw)
    elif state.current().model != LOGISTIC:
        # The approximation of another model moves with its plan, and is part of what stays.
        with controls.settings_last(controls.draw_part):
            _draw(draw)
    else:
        with controls.settings_last(lambda part: _PARTS[part](begin)):
            _plan(draw, begin)
        st.session_state[_COMPLETE] = complete and parts.all_drawn()


def draw_what_follows() -> None:
    """At the end of a callback: see that the plan and all settings on the screen are up to date.

    Where the whole page has to be drawn, or nothing was changed outside of these parts, Streamlit
    draws what it would. What changed may not be of the fragment that is to be drawn: the clock of
    a panel tells of all widgets, at times before the press that moved one of them.
    """
    session, context = st.session_state, get_script_run_ctx()
    if context is None or session.get(_AROUND) is None or _reaches_further():
        return
    storage, drawn = context.fragment_storage, set(context.fragment_ids_this_run or ())
    live = [key for key in (PLAN, *parts.PARTS) if drawn & set(storage.resolve_target(key))]
    is_new = session[_PLANNED] != _planned()
    if not drawn and not is_new:
        return
    needed = {*live, *parts.out_of_date(), *([PLAN] if is_new else [])}
    if needed > set(live):
        st.rerun([key for key in (PLAN, *parts.PARTS) if key in needed])


def _draw(draw: Draw) -> None:
    with notices.show_errors():
        draw(state.current())


@st.fragment(key=PLAN)
def _plan(draw: Draw, begin: Begin) -> None:
    with _by_itself(begin), notices.show_last_resort():
        st.session_state[_PLANNED] = _planned()
        _draw(draw)
        offer_next(state.current())


def _part(part: str) -> Callable[[Begin], None]:
    @st.fragment(key=part)
    def drawn(begin: Begin) -> None:
        context = get_script_run_ctx()
        after_plan = context is not None and len(context.fragment_ids_this_run or ()) > 1
        with nullcontext() if after_plan else _by_itself(begin):
            with st.container(gap="xsmall"), notices.show_last_resort():
                controls.draw_part(part)

    return drawn


_PARTS = {part: _part(part) for part in parts.PARTS}


@contextmanager
def _by_itself(begin: Begin) -> Iterator[None]:
    """Inside, a run draws a fragment and not the whole page; or does, and has begun already."""
    if _WHOLE.get() is not None:
        yield
        return
    with _run(begin):
        if _reaches_further():
            st.rerun()
        yield


def _reaches_further() -> bool:
    """Whether the whole page has to be drawn: also while its address is, which all of it is in."""
    waits = notices.is_waiting() or parts.SHARE in st.session_state.get(parts.OPEN, ())
    return waits or st.session_state[_AROUND] != _around()


def _planned() -> tuple[object, ...]:
    """All that a plan depends on."""
    return state.current(), state.tried()


def _around() -> tuple[object, ...]:
    """All that what stays depends on."""
    now = state.current()
    decided = (now.dataset, now.applicant, now.model, now.seed, now.decision, now.without_protected)
    return (*decided, *state.ignored_in_link(), state.is_from_version_1())
