"""The state of one visitor: the scenario, undo and redo, and the link that restores it."""

from dataclasses import fields, replace
from typing import Any

import streamlit as st

from dirrac_core import Dataset, load_dataset
from dirrac_core.case.recommended import recommended, with_model
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.data.upload.table_file import TableFile
from dirrac_core.data.upload.visitor_tables import is_kept, is_table_name, open_only, register_table
from dirrac_core.models.bundle import keep_prepared
from dirrac_core.models.training import ModelBundle
from pages.shared.address.links import (
    PAGE_PARAMETERS,
    UPLOAD_AGAIN,
    from_query,
    is_foreign_table,
    is_of_version_1,
    is_unreadable,
    to_query,
)
from pages.shared.address.parameters import NAMES
from pages.shared.defaults import first_declined, offered_futures, usual_scenario, usual_settings
from pages.shared.navigation import navigate

FIRST_DATASET = "german"
MOST_UNDO = 50

_SCENARIO, _UNDO, _REDO = "scenario", "undo", "redo"
_TRIED = "tried out"
_WRITTEN, _IGNORED, _REQUESTED = "links written", "ignored in link", "whole app requested"
_TABLES, _WAITING = "own tables", "link that waits for its table"
_OLD = "link of version 1"
_TABLE_FILES = "table files of own tables"


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
        session[_TABLES], session[_WAITING], session[_OLD] = {}, None, False
        open_only(())
        session[_SCENARIO] = first_declined(FIRST_DATASET)
        _open_link(query, session[_SCENARIO])
        session[_UNDO] = []
    elif own and own not in session[_WRITTEN]:
        _open_link(query, session[_SCENARIO])
    _leave_forgotten_table()
    session[_IGNORED] = [*session[_IGNORED], *dropped]
    _write_link()
    if dropped:
        # Widgets start from the address as it was when the run began.
        st.rerun()


def _drop_unreadable() -> list[str]:
    """Take out of the address what would trip the widget it is bound to; one sentence each."""
    lines = []
    for name in PAGE_PARAMETERS:
        wrong = [text for text in st.query_params.get_all(name) if is_unreadable(text)]
        if wrong:
            lines.append(f"{name} = {wrong[0]}: no such value can be set.")
            del st.query_params[name]
    return lines


def _open_link(query: dict[str, str], start: Scenario) -> None:
    session = st.session_state
    tables = own_tables()
    if is_foreign_table(query, tables):
        session[_WAITING] = query
    scenario, ignored = from_query(query, start, tables)
    set_scenario(scenario)
    session[_IGNORED], session[_OLD] = ignored, is_of_version_1(query)


def _leave_forgotten_table() -> None:
    """Newer tables may have taken the room of this one; its link works once it is back."""
    name = current().dataset
    if is_table_name(name) and not is_kept(name):
        # The last address written for it: what it leaves out belongs to the table itself.
        st.session_state[_WAITING] = st.session_state[_WRITTEN][-1]
        set_scenario(first_declined(FIRST_DATASET))
        st.session_state[_IGNORED] = [f"dataset = {name}: {UPLOAD_AGAIN}"]


def own_tables() -> dict[str, str]:
    """The tables this visitor uploaded and that are still in memory: name → title."""
    kept = st.session_state[_TABLES]
    open_only(kept)
    return {name: title for name, title in kept.items() if is_kept(name)}


def table_file_of(name: str) -> TableFile | None:
    """The whole description of a table this visitor uploaded."""
    found: TableFile | None = st.session_state.get(_TABLE_FILES, {}).get(name)
    return found


def open_table(dataset: Dataset, trained: ModelBundle, described: TableFile | None) -> str:
    """Keep a table of this visitor with its models and go to it: where the link that waited for it
    points, or to its first declined person."""
    session = st.session_state
    name = register_table(dataset)
    if described is not None:
        session[_TABLE_FILES] = {**session.get(_TABLE_FILES, {}), name: described}
    keep_prepared(trained, load_dataset(name), recommended(name).components)
    start = first_declined(name)
    session[_TABLES] = {**session[_TABLES], name: dataset.title}
    open_only(session[_TABLES])
    waiting = session[_WAITING] or {}
    if waiting.get("dataset") == name:
        session[_WAITING] = None
        _open_link(waiting, start)
    else:
        set_scenario(start)
    return name


def current() -> Scenario:
    """What the visitor has set.

    A page and a callback begin here, each in a thread of its own that can open no visitor's table
    before it is given this one's.
    """
    if _SCENARIO not in st.session_state:
        _run_without_shell()
    open_only(st.session_state[_TABLES])
    scenario: Scenario = st.session_state[_SCENARIO]
    return scenario


def _run_without_shell() -> None:
    """A page file that runs by itself: request the whole app once, else start on its own.

    A folder named pages/ beside the main script makes Streamlit serve the page file alone to the
    first visitor of a fresh server who opens a deep link; naming any page switches that off.
    """
    if _REQUESTED not in st.session_state:
        st.session_state[_REQUESTED] = True
        navigate()
        st.rerun()
    start_run()


def set_scenario(scenario: Scenario) -> None:
    """Make this the current scenario; the one before can be restored by `undo`.

    The dataset is opened here, so that a table of somebody else is refused even where its results
    are in a cache that all visitors share.
    """
    session = st.session_state
    load_dataset(scenario.dataset)
    if scenario == session[_SCENARIO]:
        return
    _remember()
    session[_SCENARIO], session[_IGNORED], session[_OLD] = scenario, [], False


def tried() -> Any:
    """What the workbench keeps of values tried out by hand; None for nothing."""
    return st.session_state.get(_TRIED)


def set_tried(values: Any) -> None:
    """Keep values tried out by hand; what was tried before can be restored by `undo`."""
    if values != tried():
        _remember()
        st.session_state[_TRIED] = values


def replace_tried(values: Any) -> None:
    """The same as part of another change, or of an opened address: no step of its own."""
    st.session_state[_TRIED] = values


def _remember() -> None:
    session = st.session_state
    session[_UNDO] = [*session[_UNDO], (session[_SCENARIO], tried())][-MOST_UNDO:]
    session[_REDO] = []


def change(**settings: Any) -> None:
    """Change some settings of the scenario; to be called in a callback, before the run."""
    set_scenario(replace(current(), **settings))


def change_dataset(name: str) -> None:
    """Another dataset: its first declined person, its usual settings, and what was set otherwise
    and still makes sense."""
    old = current()
    usual = usual_settings(old.dataset, old.model)
    start = usual_scenario(name, first_declined(name).applicant, old.model)
    own = ("dataset", "edits", "rules", "shifts", "cut_off", "cut_off_kind")
    changed = {
        field.name: getattr(old, field.name)
        for field in fields(Settings)
        if field.name not in own and getattr(old, field.name) != getattr(usual, field.name)
    }
    if "radii" in changed:
        changed["radii"] = one_radius(old)
    if "plausibility" in changed:
        # How a limit gives way belongs to the limit.
        changed["widen"] = old.widen
    if old.preset not in load_dataset(name).schema.presets:
        changed.pop("preset", None)
    if old.futures not in offered_futures(name, old.model):
        changed.pop("futures", None)
    set_scenario(replace(start, **changed))


def change_model(name: str) -> None:
    """The same question to another model, with what that one starts with."""
    set_scenario(with_model(current(), name))


def one_radius(scenario: Scenario) -> float:
    """One ρ for all components: the largest where they differ."""
    return max(scenario.radii) if isinstance(scenario.radii, tuple) else scenario.radii


def undo() -> None:
    """Back to the settings and tried values before the last change."""
    _step(_UNDO, _REDO)


def redo() -> None:
    """Forward again after an undo."""
    _step(_REDO, _UNDO)


def _step(source: str, target: str) -> None:
    session = st.session_state
    if session[source]:
        session[target] = [*session[target], (session[_SCENARIO], tried())]
        *session[source], (session[_SCENARIO], session[_TRIED]) = session[source]


def can_undo() -> bool:
    """Whether there is a change to take back."""
    return bool(st.session_state[_UNDO])


def can_redo() -> bool:
    """Whether there is an undone change to bring back."""
    return bool(st.session_state[_REDO])


def reset() -> None:
    """The default settings for the same applicant."""
    scenario = current()
    set_scenario(usual_scenario(scenario.dataset, scenario.applicant))


def use_todays_defaults() -> None:
    """Today's defaults in place of those of version 1.0.0; what may change stays."""
    old = current()
    usual = usual_scenario(old.dataset, old.applicant, old.model)
    set_scenario(replace(usual, preset=old.preset, edits=old.edits, seed=old.seed))


def is_from_version_1() -> bool:
    """Whether a link of version 1.0.0 was opened, until the next change."""
    return bool(st.session_state[_OLD])


def ignored_in_link() -> list[str]:
    """A sentence for each part of the opened link that could not be used, until the next change."""
    ignored: list[str] = st.session_state[_IGNORED]
    return ignored


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
