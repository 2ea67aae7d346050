"""The next change, computed while the visitor looks at the last one.

Controls say where one more step would lead (`offer`), and a page says what it computes for settings
(`prepare`). Once nobody's page is being drawn, that is computed for the settings one step away and
kept where pages look for it. The work is left as soon as any page of the server is drawn again, so
that nobody waits for it: where many people use one server, nothing is computed ahead.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import copy_context
from dataclasses import replace
from threading import Thread
from typing import Any

import streamlit as st

from dirrac_core.case.scenario import Scenario
from dirrac_core.errors import DirracError
from dirrac_core.progress import looking_up
from pages.runs.drawing import PAGES
from pages.shared import state
from pages.shared.defaults import LOGISTIC

# Set to "no" to compute nothing before it is asked for.
SWITCH = "DIRRAC_COMPUTE_AHEAD"
# Seconds without any page being drawn before the work begins, and after which it ends.
PAUSE, AT_MOST = 0.25, 3.0
_OFFERED, _COMPUTE = "settings one step away", "how the page computes"
_MOVED, _BEFORE = "latest moves", "settings before"
# Settings that are walked in steps: who goes one way usually goes on that way.
WALKED = ("radii", "delta_add")

Compute = Callable[[Scenario], object]


class _Left(Exception):
    """Somebody's page is drawn: the work ahead is given up."""


@contextmanager
def making_way() -> Iterator[None]:
    """Inside, a page is drawn: whatever is computed ahead is left, whoever it is for.

    Once the page is there, what it is `prepare`d for is computed; not where it was given up.
    """
    session = st.session_state
    session[_OFFERED], session[_COMPUTE] = [], None
    with PAGES.drawn():
        yield
    _begin()


def offer(**settings: Any) -> None:
    """Note that one step of a control would lead to `state.change(**settings)`."""
    now, offered = state.current(), st.session_state.get(_OFFERED, [])
    to = replace(now, **settings)
    if to != now and to not in offered:
        st.session_state[_OFFERED] = [*offered, to]


def prepare(compute: Compute) -> None:
    """Note how a page computes what it shows, for settings one step away.

    `compute` may call nothing of Streamlit but its caches.
    """
    st.session_state[_COMPUTE] = compute


def _begin() -> None:
    session = st.session_state
    compute: Compute | None = session.pop(_COMPUTE)
    if compute is None:
        return
    now = state.current()
    moved = {**session.get(_MOVED, {}), **_moves(session.get(_BEFORE, now), now)}
    session[_MOVED], session[_BEFORE] = moved, now
    offered = sorted(
        session.pop(_OFFERED), key=lambda to: (not goes_on(moved, now, to), not _moves(now, to))
    )
    # The approximation of another model is one long step that cannot be left.
    if not offered or now.model != LOGISTIC or os.environ.get(SWITCH) == "no":
        return
    # A copy of this context: the work opens the tables of this visitor.
    act, begun = copy_context().run, PAGES.begun
    Thread(
        target=act, args=(work, compute, offered, begun), name="computing ahead", daemon=True
    ).start()


def _moves(before: Scenario, now: Scenario) -> dict[str, float]:
    """By how much each setting that is walked in steps was moved last."""
    pairs = ((field, getattr(before, field), getattr(now, field)) for field in WALKED)
    return {
        field: new - old
        for field, old, new in pairs
        if isinstance(old, float) and isinstance(new, float) and old != new
    }


def goes_on(moved: Mapping[str, float], now: Scenario, to: Scenario) -> bool:
    """Whether a step goes on the way a setting was moved last."""
    further = _moves(now, to)
    return any(further[field] * moved.get(field, 0.0) > 0.0 for field in further)


def work(compute: Compute, offered: list[Scenario], begun: int) -> None:
    """Compute for one after the other, until a page is begun after the first `begun` of them."""
    time.sleep(PAUSE)
    end = time.monotonic() + AT_MOST

    def look() -> None:
        if PAGES.begun != begun or PAGES.going_on or time.monotonic() > end:
            raise _Left

    with suppress(_Left), looking_up(look):
        for scenario in offered:
            look()
            # The page says what is wrong with these settings, once somebody asks for them.
            with suppress(DirracError):
                compute(scenario)
