"""What the workbench is about: the plan, or the visitor's own version of it, and its state before.

The values tried out by hand are part of the address (`if`), as changes to the plan.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

import streamlit as st

from dirrac_core.arrays import Array, brief, checked_choice, checked_instance, checked_number
from dirrac_core.case.case import Case, Solution
from dirrac_core.case.facts import Facts
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import with_constant
from dirrac_core.data.schema.feature import Feature, Value
from dirrac_core.data.schema.schema import Schema
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.small.bars import Bars
from dirrac_core.robustness import LINKS
from pages.shared import computing, state

PARAMETER = "if"
_WRITTEN, _SEEN = "tried out in addresses", "seen on the workbench"
_IGNORED = "tried out but ignored"
About = tuple[str, int]


@dataclass(frozen=True, eq=False)
class Shown:
    """The point x on the screen: the plan, or with `tried` values the visitor's own version.

    `before` is what was on the screen before the last change, of the same applicant.
    """

    solution: Solution
    tried: Mapping[str, Value]
    x: Array
    facts: Facts
    bars: Bars
    before: "Shown | None" = None

    @property
    def case(self) -> Case:
        """The problem behind it."""
        return self.solution.case

    @property
    def scenario(self) -> Scenario:
        """The settings behind it."""
        return self.solution.case.scenario

    @property
    def is_own(self) -> bool:
        """Whether it is the visitor's own version."""
        return bool(self.tried)


def shown_point(solution: Solution) -> Shown | None:
    """The plan with the values tried out; None when there is neither."""
    case, plan = solution.case, solution.plan
    tried = {
        name: value
        for name, value in tried_values(case.scenario).items()
        if plan.x is None or case.dataset.schema.decode(plan.x)[name] != value
    }
    if plan.x is None and not tried:
        st.session_state.pop(_SEEN, None)
        return None
    x = plan.x
    if tried or x is None:
        start = case.dataset.schema.decode(case.x0 if x is None else x)
        x = with_constant(case.dataset.schema.encode({**start, **tried})[0])
    facts = computing.facts(case.scenario, tuple(x))
    return _with_before(Shown(solution, tried, x, facts, _bars(case, x)))


def on_screen() -> Shown | None:
    """What this run of the page has shown."""
    seen: Shown | None = st.session_state.get(_SEEN)
    return seen


def _bars(case: Case, x: Array) -> Bars:
    readings = [
        replace(case.problem.objective, link=LINKS[link]) for link in ("chebyshev", "gaussian")
    ]
    worst, gaussian = (
        (*(float(p) for p in reading.probabilities(x)), float(reading.value(x)))
        for reading in readings
    )
    return Bars(worst, gaussian)


def _with_before(now: Shown) -> Shown:
    """The screen before: kept until the next change, forgotten with the applicant."""
    seen: Shown | None = st.session_state.get(_SEEN)
    if seen is not None and _about(seen.scenario) != _about(now.scenario):
        seen = None
    if seen is not None and seen.scenario == now.scenario and tuple(seen.x) == tuple(now.x):
        now = replace(now, before=seen.before)
    elif seen is not None:
        now = replace(now, before=replace(seen, before=None))
    st.session_state[_SEEN] = now
    return now


def _about(scenario: Scenario) -> About:
    return scenario.dataset, scenario.applicant


def tried_values(scenario: Scenario) -> dict[str, Value]:
    """The visitor's own values for this applicant."""
    kept = state.tried()
    return dict(kept[1]) if kept is not None and kept[0] == _about(scenario) else {}


def try_value(scenario: Scenario, feature: Feature, value: Value) -> None:
    """Try a value of one feature; for a callback."""
    checked = checked_value(feature, value)
    try_all(scenario, {**tried_values(scenario), feature.name: checked})


def try_all(scenario: Scenario, values: Mapping[str, Value]) -> None:
    """Try these values and no others; none: back to the plan. For a callback."""
    state.set_tried((_about(scenario), dict(values)) if values else None)


def forget_tried() -> None:
    """Back to the plan as part of another change; for a callback."""
    state.replace_tried(None)


def checked_value(feature: Feature, value: object) -> Value:
    """A category, or a number between the extremes of the present people."""
    if feature.is_categorical:
        word = checked_instance(f"The value of {feature.name!r}", value, str)
        return checked_choice(f"The value of {feature.name!r}", word, feature.categories)
    if isinstance(value, bool | str) or not isinstance(value, int | float):
        raise InvalidInput(f"The value of {feature.name!r} must be a number, got {brief(value)}")
    number = checked_number(f"The value of {feature.name!r}", value)
    least, most = feature.extremes
    if not least <= number <= most:
        raise InvalidInput(
            f"{feature.name!r} goes from {feature.format_value(least)} to "
            f"{feature.format_value(most)}, got {number:g}"
        )
    return number


def follow_address(scenario: Scenario, schema: Schema) -> list[str]:
    """Take the values of an address this visitor has not written, then write the present ones.

    Returns a sentence for each part that could not be used.
    """
    session = st.session_state
    written: list[str] = session.setdefault(_WRITTEN, [])
    text = st.query_params.get(PARAMETER, "")
    ignored: list[str] = []
    if text and text not in written:
        values, ignored = read_values(schema, text)
        state.replace_tried((_about(scenario), values))
    wanted = write_values(tried_values(scenario))
    if wanted and wanted not in written:
        session[_WRITTEN] = [*written, wanted][-50:]
    if not wanted and PARAMETER in st.query_params:
        del st.query_params[PARAMETER]
    elif wanted and wanted != text:
        st.query_params[PARAMETER] = wanted
    return ignored


def kept_notice(scenario: Scenario, lines: list[str]) -> list[str]:
    """The lines on an opened address until the next change."""
    about = (scenario, write_values(tried_values(scenario)))
    if lines:
        st.session_state[_IGNORED] = (about, lines)
    kept = st.session_state.get(_IGNORED)
    return list(kept[1]) if kept is not None and kept[0] == about else []


def write_values(values: Mapping[str, Value]) -> str:
    """feature:value, `;` between them."""
    return ";".join(
        f"{quote(name, safe=' ')}:"
        + (quote(value, safe=" ") if isinstance(value, str) else repr(value).removesuffix(".0"))
        for name, value in values.items()
    )


def read_values(schema: Schema, text: str) -> tuple[dict[str, Value], list[str]]:
    """The values that could be read, and a sentence about each of the others."""
    values: dict[str, Value] = {}
    ignored = []
    names = [feature.name for feature in schema.features]
    for part in text.split(";"):
        name, _, word = (unquote(piece) for piece in part.partition(":"))
        try:
            feature = schema.feature(checked_choice("A feature", name, names))
            values[name] = checked_value(feature, word if feature.is_categorical else float(word))
        except InvalidInput as problem:
            ignored.append(f"{PARAMETER} = {part}: {problem}.")
        except ValueError:
            ignored.append(f"{PARAMETER} = {part}: this is not “feature:value”.")
    return values, ignored
