"""What if: any values by hand, and the same numbers for them."""

from typing import Any

import streamlit as st

from dirrac_core.data import with_constant
from dirrac_core.data.feature import Feature, Value
from dirrac_core.recourse import assess
from dirrac_core.scenario import Case, Scenario
from pages.shared import computing, wording
from pages.shared.plain_text import plain
from pages.shared.recourse_plan import three_facts
from pages.shared.recourse_proof import checklist

_KEPT = "what if"
COLUMNS = 3


def what_if(scenario: Scenario) -> None:
    """An input a feature, starting from the plan, and the facts of the version they describe."""
    case = computing.case(scenario)
    plan = computing.solution(scenario).real.plan
    schema = case.dataset.schema
    start = schema.decode(case.x0 if plan.x is None else plan.x)
    values = _kept_values(scenario, start)
    st.write("Change any value and see what the same mathematics says of your own version.")
    columns = st.columns(COLUMNS)
    for number, feature in enumerate(schema.features):
        with columns[number % COLUMNS]:
            _input(scenario, feature, values)
    with st.container(horizontal=True):
        st.button(
            "Start from the plan",
            icon=":material/restart_alt:",
            on_click=_keep,
            args=(scenario, start),
            disabled=values == start,
        )
        st.button(
            "Start from the applicant",
            icon=":material/person:",
            on_click=_keep,
            args=(scenario, schema.decode(case.x0)),
        )
    _numbers(case, scenario, values)


def _numbers(case: Case, scenario: Scenario, values: dict[str, Value]) -> None:
    x = with_constant(case.dataset.schema.encode(values)[0])
    judged = assess(case.problem, x)
    facts = computing.facts(scenario, tuple(x))
    st.markdown(f"##### {plain(case.dataset.schema.sentence(case.x0, x))}")
    three_facts(case, facts)
    used, allowed = wording.amount(judged.cost), wording.amount(judged.delta)
    st.write(f"Effort {used}; the budget of the plan is {allowed}.")
    st.table(checklist(case, judged))


def _kept_values(scenario: Scenario, start: dict[str, Value]) -> dict[str, Value]:
    """The visitor's own values for this applicant, or the plan's."""
    kept = st.session_state.get(_KEPT)
    if kept is None or kept["about"] != _about(scenario):
        _keep(scenario, start)
    return st.session_state[_KEPT]["values"]


def _keep(scenario: Scenario, values: dict[str, Value]) -> None:
    st.session_state[_KEPT] = {"about": _about(scenario), "values": dict(values)}


def _about(scenario: Scenario) -> tuple[str, int]:
    return scenario.dataset, scenario.applicant


def _input(scenario: Scenario, feature: Feature, values: dict[str, Value]) -> None:
    key = f"what if {feature.name}"

    def changed() -> None:
        given = st.session_state[key]
        if given is not None:
            value = given if feature.is_categorical else float(given)
            _keep(scenario, {**values, feature.name: value})

    settings: dict[str, Any] = {
        "key": key,
        "on_change": changed,
        "help": plain(feature.explanation),
    }
    value = values[feature.name]
    if isinstance(value, str):
        st.session_state[key] = value
        st.selectbox(plain(feature.name), feature.categories, **settings)
        return
    whole = feature.kind == "integer" and float(value).is_integer()
    number = int if whole else float
    st.session_state[key] = number(value)
    least, most = min(feature.low, value), max(feature.high, value)
    step = feature.step if feature.kind != "integer" or not whole else int(feature.step)
    st.number_input(
        plain(wording.feature_label(feature)),
        number(least),
        number(most),
        step=number(step),
        format=None if whole else f"%.{max(feature.decimals, 2)}f",
        **settings,
    )
