"""The table in the browser, and what an edit in a row does to the scenario."""

from dataclasses import replace

import streamlit as st

from dirrac_core.arrays import brief, checked_choice, checked_instance, checked_number
from dirrac_core.case.case import Case
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.actionability import FeatureRule, edited_rules, preset_rules
from dirrac_core.data.schema.feature import Feature
from dirrac_core.errors import DirracError, InvalidInput
from pages.recourse.browser import mount
from pages.recourse.shown import Shown, checked_value, tried_values, try_all, try_value
from pages.recourse.table.rows import derived_rows, table_rows
from pages.shared import computing, state, wording
from pages.shared.address.links import EFFORTS
from pages.shared.browser import sent
from pages.shared.plain_text import plain

KEY = "plan table"
_REFUSED = "refused edit"
_WHATS = ("try", "untry", "move", "least", "most", "effort")


def show_table(case: Case, shown: Shown | None) -> None:
    """The rows and, above them, the preset; every edit goes into the address."""
    refused = st.session_state.pop(_REFUSED, None)
    if refused:
        st.error(plain(refused), icon=":material/error:")
    plan = computing.solution(case.scenario).plan.x
    tried = set() if shown is None else set(shown.tried)
    x = case.x0 if shown is None else shown.x
    room = None if plan is None or tried else computing.room(case.scenario)
    mount(
        "table",
        KEY,
        {
            "rows": table_rows(case, plan, x, tried, room),
            "derived": derived_rows(case, x),
            "moves": wording.MOVES,
            "efforts": EFFORTS,
            "plan": plan is not None,
        },
        on_edit_change=lambda: _edited(case),
    )


def _edited(case: Case) -> None:
    """Apply what a row sent; what the core refuses is reported and not applied."""
    try:
        apply_edit(case, sent(KEY, "edit"))
    except DirracError as problem:
        st.session_state[_REFUSED] = f"{problem}. The change was not applied."


def apply_edit(case: Case, given: object) -> None:
    """One edit of one row: {"feature", "what", "value"}; a browser may send anything."""
    if not isinstance(given, dict):
        raise InvalidInput("An edit of the table must name a feature, got none")
    schema, scenario = case.dataset.schema, case.scenario
    names = [each.name for each in schema.features]
    feature = schema.feature(checked_choice("A feature", given.get("feature", ""), names))
    what, value = checked_choice("An edit", given.get("what", ""), _WHATS), given.get("value")
    if what == "try":
        try_value(scenario, feature, checked_value(feature, value))
        return
    if what == "untry":
        kept = {n: v for n, v in tried_values(scenario).items() if n != feature.name}
        try_all(scenario, kept)
        return
    usual = preset_rules(case.dataset, scenario.preset)
    rules = edited_rules(case.dataset, scenario.preset, scenario.edits)
    rules[feature.name] = _changed(feature, rules[feature.name], what, value)
    edits = tuple(rule for rule in rules.values() if rule != usual[rule.feature])
    edited_rules(case.dataset, scenario.preset, edits)
    state.change(edits=edits)


def _changed(feature: Feature, rule: FeatureRule, what: str, value: object) -> FeatureRule:
    if what == "move":
        return replace(rule, move=checked_instance("A move", value, str))
    if isinstance(value, bool | str) or not isinstance(value, int | float):
        raise InvalidInput(f"The {what} of {feature.name!r} must be a number, got {brief(value)}")
    number = checked_number(f"The {what} of {feature.name!r}", value)
    if what == "effort":
        if not EFFORTS[0] <= number <= EFFORTS[1]:
            raise InvalidInput(
                f"The effort of {feature.name!r} goes from {EFFORTS[0]:g} to {EFFORTS[1]:g}, "
                f"got {number:g}"
            )
        return replace(rule, effort=number)
    if what == "least":
        return replace(rule, low=None if number == feature.low else number)
    return replace(rule, high=None if number == feature.high else number)


def show_preset(scenario: Scenario) -> None:
    """The preset, and the ways back to it and to the plan; also where edits lead to no problem."""
    dataset = computing.bundle(scenario).dataset
    st.session_state["set preset"] = scenario.preset
    st.segmented_control(
        "What may change",
        list(dataset.schema.presets),
        required=True,
        key="set preset",
        label_visibility="collapsed",
        format_func=lambda name: wording.PRESETS.get(name, name),
        help=wording.GLOSSARY["preset"],
        on_change=_change_preset,
    )
    if scenario.edits:
        st.button(
            "Back to the preset",
            icon=":material/restart_alt:",
            type="tertiary",
            on_click=state.change,
            kwargs={"edits": ()},
            help="Undo every lock, range, direction and weight set in the table.",
        )
    if tried_values(scenario):
        st.button(
            "Back to the plan",
            icon=":material/undo:",
            type="tertiary",
            on_click=try_all,
            args=(scenario, {}),
            help="Forget the values tried out by hand.",
        )


def _change_preset() -> None:
    chosen = st.session_state["set preset"]
    if chosen is not None:
        state.change(preset=chosen, edits=())
