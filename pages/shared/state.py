"""The state of one visitor: the scenario, undo and redo, and the link that restores it."""

from dataclasses import replace
from typing import Any

import streamlit as st

from dirrac_core import Dataset, load_dataset
from dirrac_core.data.visitor_tables import is_kept, is_table_name, register_table
from dirrac_core.models.future import Progress
from dirrac_core.scenario import Scenario, bundle_of
from pages.shared.links import (
    NAMES,
    PAGE_PARAMETERS,
    UPLOAD_AGAIN,
    first_declined,
    from_query,
    is_foreign_table,
    to_query,
    unreadable,
)
from pages.shared.navigation import navigate

FIRST_DATASET = "german"
MOST_UNDO = 50

_SCENARIO, _UNDO, _REDO = "scenario", "undo", "redo"
_WRITTEN, _IGNORED, _ASKED = "links written", "ignored in link", "asked for the shell"
_TABLES, _WAITING = "own tables", "link that waits for its table"


def start_run() -> None:
    """At the start of every run: a new visitor, or a link this session has not written itself.

    The browser may send an address from before the last change, so every address this session
    wrote is recognised as its own.
    """
    session = st.session_state
    dropped = _drop_unreadable()
    query = {name: st.query_params[name] for name in st.query_params}
    own = {name: value for name, value in query.items() if name in NAMES}
    if _SCENARIO not in session:
        session[_UNDO], session[_REDO], session[_WRITTEN], session[_IGNORED] = [], [], [], []
        session[_TABLES], session[_WAITING] = {}, None
        session[_SCENARIO] = first_declined(FIRST_DATASET)
        _open_link(query)
        session[_UNDO] = []
    elif own and own not in session[_WRITTEN]:
        _open_link(query)
    _leave_forgotten_table()
    session[_IGNORED] = [*session[_IGNORED], *dropped]
    _write_link()


def _drop_unreadable() -> list[str]:
    """Take out of the address what would trip the widget it is bound to; in words."""
    told = []
    for name in PAGE_PARAMETERS:
        wrong = [text for text in st.query_params.get_all(name) if unreadable(text)]
        if wrong:
            told.append(f"{name} = {wrong[0]}: no such value can be set.")
            del st.query_params[name]
    return told


def _open_link(query: dict[str, str]) -> None:
    session = st.session_state
    tables = own_tables()
    if is_foreign_table(query, tables):
        session[_WAITING] = query
    scenario, ignored = from_query(query, session[_SCENARIO], tables)
    set_scenario(scenario)
    session[_IGNORED] = ignored


def _leave_forgotten_table() -> None:
    """Newer tables may have taken the room of this one; its link works once it is back."""
    name = current().dataset
    if is_table_name(name) and not is_kept(name):
        st.session_state[_WAITING] = to_query(current())
        set_scenario(first_declined(FIRST_DATASET))
        st.session_state[_IGNORED] = [f"dataset = {name}: {UPLOAD_AGAIN}"]


def own_tables() -> dict[str, str]:
    """The tables this visitor uploaded and that are still in memory: name → title."""
    kept = st.session_state[_TABLES]
    return {name: title for name, title in kept.items() if is_kept(name)}


def open_table(dataset: Dataset, progress: Progress | None = None) -> str:
    """Keep a table of this visitor and go to it: where the link that waited for it points, or to
    its first declined person."""
    session = st.session_state
    name = register_table(dataset)
    bundle_of(Scenario(name, 0), progress)
    start = first_declined(name)
    session[_TABLES] = {**session[_TABLES], name: dataset.title}
    waiting = session[_WAITING] or {}
    if waiting.get("dataset") == name:
        session[_WAITING] = None
        start, session[_IGNORED] = from_query(waiting, start, own_tables())
    set_scenario(start)
    return name


def current() -> Scenario:
    """What the visitor has set."""
    if _SCENARIO not in st.session_state:
        _run_without_shell()
    return st.session_state[_SCENARIO]


def _run_without_shell() -> None:
    """A page file that runs by itself: ask for the whole app once, else start on its own.

    A folder named pages/ beside app.py makes Streamlit serve the page file alone to the first
    visitor of a fresh server who opens a deep link; naming any page switches that off for good.
    """
    if _ASKED not in st.session_state:
        st.session_state[_ASKED] = True
        navigate()
        st.rerun()
    start_run()


def set_scenario(scenario: Scenario) -> None:
    """Make this the current scenario; the one before can be restored by `undo`."""
    session = st.session_state
    if scenario == session[_SCENARIO]:
        return
    session[_UNDO] = [*session[_UNDO], session[_SCENARIO]][-MOST_UNDO:]
    session[_REDO] = []
    session[_SCENARIO], session[_IGNORED] = scenario, []


def change(**settings: Any) -> None:
    """Change some settings of the scenario; to be called in a callback, before the run."""
    set_scenario(replace(current(), **settings))


def change_dataset(name: str) -> None:
    """Another dataset: its first declined person, and every setting that still makes sense."""
    old, start = current(), first_declined(name)
    presets = load_dataset(name).schema.presets
    set_scenario(
        replace(
            old,
            dataset=name,
            applicant=start.applicant,
            preset=old.preset if old.preset in presets else start.preset,
            radii=one_radius(old),
            edits=(),
            shifts=(),
        )
    )


def one_radius(scenario: Scenario) -> float:
    """One ρ for all components: the largest where they differ."""
    return max(scenario.radii) if isinstance(scenario.radii, tuple) else scenario.radii


def undo() -> None:
    """Back to the scenario before the last change."""
    _step(_UNDO, _REDO)


def redo() -> None:
    """Forward again after an undo."""
    _step(_REDO, _UNDO)


def _step(source: str, target: str) -> None:
    session = st.session_state
    if session[source]:
        session[target] = [*session[target], session[_SCENARIO]]
        *session[source], session[_SCENARIO] = session[source]


def can_undo() -> bool:
    """Whether there is a change to take back."""
    return bool(st.session_state[_UNDO])


def can_redo() -> bool:
    """Whether there is an undone change to bring back."""
    return bool(st.session_state[_REDO])


def reset() -> None:
    """The default settings for the same applicant."""
    scenario = current()
    set_scenario(Scenario(scenario.dataset, scenario.applicant))


def ignored_in_link() -> list[str]:
    """What the opened link contained and could not be used, in words, until the next change."""
    return st.session_state[_IGNORED]


def _write_link() -> None:
    session = st.session_state
    wanted = to_query(session[_SCENARIO])
    if wanted not in session[_WRITTEN]:
        session[_WRITTEN] = [*session[_WRITTEN], wanted][-MOST_UNDO:]
    # A page's own parameters are bound to its widgets, which keep them up to date.
    for name in st.query_params.to_dict():
        if name not in wanted and name not in PAGE_PARAMETERS:
            del st.query_params[name]
    if any(st.query_params.get(name) != value for name, value in wanted.items()):
        st.query_params.update(wanted)
