"""Pinned plans, up to four, side by side: all judged under the settings of now.

A pin is the plan itself, as changes to the applicant, with the settings it came from; pins are part
of the address (`pin`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

import pandas as pd
import streamlit as st

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import with_constant
from dirrac_core.data.schema.feature import Value
from dirrac_core.wording import in_100
from pages.recourse.shown import Shown, forget_tried, read_values, try_all, write_values
from pages.shared import computing, state, wording
from pages.shared.address.links import LONGEST_PARAMETER, from_query, to_query
from pages.shared.address.parameters import PARAMETERS
from pages.shared.plain_text import plain_table
from pages.shared.plan_tables import broken_checks
from pages.shared.promise import NO_PROMISE, is_useful

PARAMETER = "pin"
MOST_PINS = 4
LETTERS = "ABCD"
_PINS, _READ = "pins", "pins read from addresses"
_TITLES = {p.name: wording.SETTINGS[p.field] for p in PARAMETERS}
_OWN = ("v", "dataset", "applicant")


@dataclass(frozen=True)
class Pin:
    """A plan as text: its changes to the applicant, and the settings that were not the usual."""

    changes: str
    settings: str = ""

    @property
    def text(self) -> str:
        """As it stands in the address."""
        return f"{self.changes}@{self.settings}" if self.settings else self.changes

    def point(self, case: Case) -> Array:
        """The plan (D,) for the applicant of the case."""
        schema = case.dataset.schema
        changes, _ = read_values(schema, self.changes) if self.changes else ({}, [])
        x: Array = with_constant(schema.encode({**schema.decode(case.x0), **changes})[0])
        return x


def pins(scenario: Scenario) -> list[Pin]:
    """The pinned plans of this visitor for this applicant."""
    kept: dict[tuple[str, int], list[Pin]] = st.session_state.setdefault(_PINS, {})
    return kept.get((scenario.dataset, scenario.applicant), [])


def _keep(scenario: Scenario, listed: list[Pin]) -> None:
    kept = st.session_state.setdefault(_PINS, {})
    st.session_state[_PINS] = {**kept, (scenario.dataset, scenario.applicant): listed}


def pin_of(shown: Shown) -> Pin:
    """What is on the screen, as a pin."""
    schema = shown.case.dataset.schema
    values = schema.decode(shown.x)
    changes: Mapping[str, Value] = {
        change.feature: values[change.feature]
        for change in schema.describe_change(shown.case.x0, shown.x)
    }
    set_here = {k: v for k, v in to_query(shown.scenario).items() if k not in _OWN}
    return Pin(write_values(changes), "" if shown.is_own else urlencode(set_here))


def follow_address(case: Case) -> list[str]:
    """Take the pins of an address this visitor has not written, then write the present ones."""
    scenario = case.scenario
    given = st.query_params.get_all(PARAMETER)
    read: list[str] = st.session_state.setdefault(_READ, [])
    ignored: list[str] = []
    for text in given:
        changes, _, settings = text.partition("@")
        pin = Pin(changes, settings)
        if text in read or pin in pins(scenario):
            continue
        wrong = read_values(case.dataset.schema, changes)[1] if changes else []
        if wrong or len(pins(scenario)) >= MOST_PINS:
            reason = (
                "four plans are pinned already." if not wrong else "it is no plan of this data."
            )
            ignored.append(f"{PARAMETER} = {text}: {reason}")
        else:
            _keep(scenario, [*pins(scenario), pin])
    wanted = [pin.text for pin in pins(scenario)]
    st.session_state[_READ] = list(dict.fromkeys([*read, *given, *wanted]))[-100:]
    if wanted != given:
        if wanted:
            st.query_params[PARAMETER] = wanted
        else:
            del st.query_params[PARAMETER]
    return ignored


def offer_pin(shown: Shown) -> None:
    """Keep what is on the screen for the comparison."""
    scenario, pin = shown.scenario, pin_of(shown)
    kept = pins(scenario)
    pinned, full = pin in kept, len(kept) >= MOST_PINS
    long = len(pin.text) > LONGEST_PARAMETER
    why = " Four are pinned already." if full else " This one is too long for an address."
    st.button(
        "Pinned" if pinned else "Pin this plan",
        icon=":material/push_pin:",
        type="tertiary",
        disabled=pinned or full or long,
        on_click=_keep,
        args=(scenario, [*kept, pin]),
        help=f"Keep up to {MOST_PINS} plans and compare them below, under “Compare”."
        + (why if full or long else ""),
    )


def show_comparison(scenario: Scenario) -> None:
    """The pinned plans side by side under the present settings, and where each came from."""
    kept, case = pins(scenario), computing.case(scenario)
    if not kept:
        st.write(
            "Nothing is pinned yet. “Pin this plan” keeps a plan; change a setting, pin the next "
            "one, and they appear here side by side."
        )
        return
    st.caption("All plans are judged under the settings of now, whatever they were made for.")
    columns = {f"Plan {LETTERS[i]}": _column(pin, case) for i, pin in enumerate(kept)}
    st.table(plain_table(pd.DataFrame(columns)))
    with st.container(horizontal=True):
        for i, pin in enumerate(kept):
            st.button(
                f"Try plan {LETTERS[i]}",
                icon=":material/edit:",
                on_click=_try,
                args=(case, pin),
                help="Put its values into the table, under the settings of now.",
            )
            if pin.settings:
                st.button(
                    f"Open plan {LETTERS[i]}",
                    icon=":material/open_in_new:",
                    on_click=_open,
                    args=(scenario, pin),
                    help="Back to the settings it was made with.",
                )
            st.button(
                f"Unpin {LETTERS[i]}",
                icon=":material/close:",
                on_click=_keep,
                args=(scenario, [other for other in kept if other != pin]),
            )


def _try(case: Case, pin: Pin) -> None:
    schema, x = case.dataset.schema, pin.point(case)
    values = schema.decode(x)
    try_all(case.scenario, {f.name: values[f.name] for f in schema.features})


def _open(scenario: Scenario, pin: Pin) -> None:
    own = {name: value for name, value in to_query(scenario).items() if name in _OWN}
    opened, _ = from_query({**own, **dict(parse_qsl(pin.settings))}, scenario, state.own_tables())
    state.set_scenario(opened)
    forget_tried()


def _column(pin: Pin, case: Case) -> dict[str, str]:
    schema, x = case.dataset.schema, pin.point(case)
    facts = computing.facts(case.scenario, tuple(x))
    broken = broken_checks(case, x)
    counted = wording.counted_word(case.bundle.future)
    rows = {
        "Worst case": _promised(facts.accepted_today, facts.guarantee),
        "If Gaussian": _promised(facts.accepted_today, facts.if_gaussian),
        counted: f"{facts.declined} of {len(facts.observed)} decline",
        "Effort": wording.amount(case.problem.unbounded.cost_of(x)),
        "Breaks": "nothing" if not broken else "; ".join(broken),
    }
    for name, value in schema.decode(x).items():
        rows[name] = schema.format_value(name, value)
    rows["Made with"] = _made_with(pin)
    return rows


def _promised(accepted: bool, probability: float) -> str:
    if not accepted:
        return "no promise: today's own model declines it"
    return f"at most {in_100(probability)} of 100" if is_useful(probability) else NO_PROMISE


def _made_with(pin: Pin) -> str:
    said = [f"{_TITLES.get(name, name)} {value}" for name, value in parse_qsl(pin.settings)]
    return ", ".join(said) or "the usual settings, or by hand"
