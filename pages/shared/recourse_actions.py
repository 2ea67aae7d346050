"""What may change: the table an analyst edits, and the presets."""

from typing import Any

import pandas as pd
import streamlit as st

from dirrac_core import Dataset
from dirrac_core.actionability import FeatureRule, edited_rules, preset_rules
from dirrac_core.data import with_constant
from dirrac_core.errors import DirracError
from dirrac_core.scenario import Scenario
from pages.shared import computing, state, wording
from pages.shared.plain_text import plain

_SHOWN, _REFUSED = "shown rules", "refused edit"
_MAY, _LOW, _HIGH, _EFFORT = "May change", "Least", "Most", "How hard"
_MOVE_OF = {words: move for move, words in wording.MOVES.items()}


def actionability(scenario: Scenario) -> None:
    """Preset and table; every edit goes into the scenario and so into the link."""
    dataset = computing.bundle(scenario).dataset
    _preset(scenario, dataset)
    key, table = _snapshot(scenario, dataset)
    refused = st.session_state.pop(_REFUSED, None)
    if refused:
        st.error(plain(refused), icon=":material/error:")

    def edited() -> None:
        rows = st.session_state[key]["edited_rows"]
        _apply(scenario, dataset, table, rows)

    st.data_editor(
        table,
        key=key,
        on_change=edited,
        hide_index=True,
        num_rows="fixed",
        placeholder="–",
        disabled=["Feature", "Now", "Unit", "Why"],
        column_config={
            _MAY: st.column_config.SelectboxColumn(
                options=list(_MOVE_OF), required=True, help="Whether and which way it may move."
            ),
            _LOW: st.column_config.NumberColumn(help="The least value a plan may ask for."),
            _HIGH: st.column_config.NumberColumn(help="The most a plan may ask for."),
            _EFFORT: st.column_config.NumberColumn(
                min_value=0.1,
                max_value=100.0,
                step=0.1,
                required=True,
                help="2 means: twice as hard for this person as usual.",
            ),
            "Why": st.column_config.TextColumn(width="large"),
        },
        alt="What may change: feature by feature, direction, range and effort",
    )
    st.caption(
        "Numbers are in real units. Up and down exist for numbers and ordered categories; an empty "
        "range means the range of the present data."
    )


def _preset(scenario: Scenario, dataset: Dataset) -> None:
    st.session_state["set preset"] = scenario.preset
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    with left:
        st.segmented_control(
            "Preset",
            list(dataset.schema.presets),
            required=True,
            key="set preset",
            format_func=lambda name: wording.PRESETS.get(name, name),
            help=wording.GLOSSARY["preset"],
            on_change=lambda: state.change(preset=st.session_state["set preset"], edits=()),
        )
    with right:
        st.button(
            "Back to the preset",
            icon=":material/restart_alt:",
            disabled=not scenario.edits,
            on_click=state.change,
            kwargs={"edits": ()},
        )


def _snapshot(scenario: Scenario, dataset: Dataset) -> tuple[str, pd.DataFrame]:
    """The editor's key and input; both change only when something else than the editor did.

    Undo, a link, a preset or an unlock button make a new table; the editor's own edits do not,
    because a table that followed them would be edited twice.
    """
    about = (scenario.dataset, scenario.applicant, scenario.preset)
    kept = st.session_state.get(_SHOWN)
    if kept is None or kept["about"] != about or kept["edits"] != scenario.edits:
        revision = 0 if kept is None else kept["revision"] + 1
        table = _table(scenario, dataset)
        kept = {"about": about, "edits": scenario.edits, "revision": revision, "table": table}
        st.session_state[_SHOWN] = kept
    return f"rules {about} {kept['revision']}", kept["table"]


def _table(scenario: Scenario, dataset: Dataset) -> pd.DataFrame:
    rules = edited_rules(dataset, scenario.preset, scenario.edits)
    reasons = dataset.reasons(scenario.preset)
    person = dataset.schema.decode(with_constant(dataset.present.X[scenario.applicant]))
    return pd.DataFrame(
        [
            {
                "Feature": feature.name,
                "Now": feature.number(person[feature.name]),
                "Unit": feature.unit,
                _MAY: wording.MOVES[rules[feature.name].move],
                _LOW: rules[feature.name].low,
                _HIGH: rules[feature.name].high,
                _EFFORT: rules[feature.name].effort,
                "Why": reasons.get(feature.name, ""),
            }
            for feature in dataset.schema.features
        ]
    ).astype({_LOW: "float64", _HIGH: "float64"})


def _apply(
    scenario: Scenario, dataset: Dataset, table: pd.DataFrame, rows: dict[int, dict[str, Any]]
) -> None:
    """Turn the editor's changes into edits; what the core refuses is told and not applied."""
    usual = preset_rules(dataset, scenario.preset)
    try:
        rules = [_rule({**row, **rows.get(i, {})}) for i, row in enumerate(_records(table))]
        edits = tuple(rule for rule in rules if rule != usual[rule.feature])
        edited_rules(dataset, scenario.preset, edits)
        state.change(edits=edits)
    except DirracError as problem:
        st.session_state[_REFUSED] = f"{problem}. The change was not applied."
        del st.session_state[_SHOWN]
        return
    st.session_state[_SHOWN]["edits"] = state.current().edits


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    return table.to_dict("records")


def _rule(row: dict[str, Any]) -> FeatureRule:
    def bound(value: float | None) -> float | None:
        return None if value is None or pd.isna(value) else float(value)

    return FeatureRule(
        row["Feature"], _MOVE_OF[row[_MAY]], bound(row[_LOW]), bound(row[_HIGH]), row[_EFFORT]
    )
