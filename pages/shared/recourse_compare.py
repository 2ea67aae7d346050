"""Pinned plans, up to four, side by side."""

from dataclasses import dataclass, fields

import pandas as pd
import streamlit as st

from dirrac_core.scenario import Scenario
from pages.shared import computing, state, wording
from pages.shared.plain_text import plain_table

MOST_PINS = 4
_PINS = "pins"
SETTING_WORDS = {
    "dataset": "Dataset",
    "applicant": "Applicant",
    "model": "Model",
    "components": "Components K",
    "link": "Future models follow",
    "radii": "Radius of doubt ρ",
    "delta_add": "Extra effort δ_add",
    "cost": "Effort measured by",
    "weighting": "Component weights",
    "divergence": "Divergence φ",
    "weight_radius": "Weight radius ε",
    "categories": "Categories",
    "preset": "Preset",
    "edits": "Edited features",
    "solver": "Solver",
    "gap": "Gap asked for",
    "seed": "Seed",
    "shifts": "Declared shifts",
}
LETTERS = "ABCD"


@dataclass(frozen=True)
class Pin:
    """A plan kept for comparison: its scenario and the plan itself."""

    scenario: Scenario
    x: tuple[float, ...]


def pins() -> list[Pin]:
    """The pinned plans of this visitor."""
    return st.session_state.setdefault(_PINS, [])


def pin_button(scenario: Scenario, x: tuple[float, ...]) -> None:
    """Keep the current plan for the comparison."""
    kept = pins()
    pinned = Pin(scenario, x) in kept
    full = len(kept) >= MOST_PINS
    st.button(
        "Pinned" if pinned else "Pin this plan",
        icon=":material/push_pin:",
        disabled=pinned or full,
        on_click=lambda: st.session_state.update({_PINS: [*kept, Pin(scenario, x)]}),
        help=f"Keep up to {MOST_PINS} plans and compare them in the tab “Compare”."
        + (" Four are pinned already." if full else ""),
    )


def compare(_: Scenario) -> None:
    """The pinned plans beside each other: figures, settings that differ, and every feature."""
    kept = pins()
    if not kept:
        st.write(
            "Nothing is pinned yet. “Pin this plan” keeps a plan; change a setting, pin the next "
            "one, and they appear here side by side."
        )
        return
    columns = {f"Plan {LETTERS[i]}": _column(pin, kept) for i, pin in enumerate(kept)}
    st.table(plain_table(pd.DataFrame(columns)))
    with st.container(horizontal=True):
        for i, pin in enumerate(kept):
            st.button(
                f"Open plan {LETTERS[i]}",
                icon=":material/open_in_new:",
                on_click=state.set_scenario,
                args=(pin.scenario,),
            )
            st.button(
                f"Unpin {LETTERS[i]}",
                icon=":material/close:",
                on_click=lambda pin=pin: st.session_state.update(
                    {_PINS: [other for other in kept if other != pin]}
                ),
            )


def _column(pin: Pin, kept: list[Pin]) -> dict[str, str]:
    facts = computing.facts(pin.scenario, pin.x)
    case = computing.case(pin.scenario)
    cost = case.problem.unbounded.cost_of(computing.point(pin.x))
    rows = {
        "Guarantee (worst case)": f"{wording.at_most(facts.guarantee)} decline it",
        "Assumption (if Gaussian)": f"{wording.at_most(facts.if_gaussian)} decline it",
        "Observed": f"{facts.declined} of {len(facts.observed)} declined it",
        "Effort": wording.amount(cost),
    }
    for field in fields(Scenario):
        values = {getattr(other.scenario, field.name) for other in kept}
        if len(values) > 1:
            rows[SETTING_WORDS[field.name]] = setting(pin.scenario, field.name)
    schema = case.dataset.schema
    for name, value in schema.decode(computing.point(pin.x)).items():
        rows[name] = schema.format_value(name, value)
    return rows


def setting(scenario: Scenario, name: str) -> str:
    """One setting of a scenario in words."""
    value = getattr(scenario, name)
    if name == "edits":
        return ", ".join(edit.feature for edit in value) or "none"
    if name == "shifts":
        return ", ".join(shift.title for shift in value) or "none"
    if name == "radii":
        listed = value if isinstance(value, tuple) else (value,)
        return ", ".join(f"{radius:g}" for radius in listed)
    words = {
        "link": wording.LINKS,
        "model": wording.MODELS,
        "cost": wording.COSTS,
        "weighting": wording.WEIGHTINGS,
        "solver": wording.SOLVERS,
        "categories": wording.CATEGORIES,
        "preset": wording.PRESETS,
    }
    return words.get(name, {}).get(value, str(value))
