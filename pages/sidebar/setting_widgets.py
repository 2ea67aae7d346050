"""Widgets that always show the scenario's value and write it back in their callback."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from pages.shared import state, wording


def choice(
    label: str,
    field: str,
    options: Sequence[Any],
    words: Mapping[Any, str],
    *,
    widget: Callable[..., Any] = st.selectbox,
    apply: Callable[[Any], None] | None = None,
    help_words: str | None = None,
) -> None:
    """A widget that always shows the scenario's value and writes it back in its callback."""
    key = f"set {field}"
    st.session_state[key] = getattr(state.current(), field)

    def changed() -> None:
        value = st.session_state[key]
        if value is None:
            return
        if apply is None:
            state.change(**{field: value})
        else:
            apply(value)

    widget(
        label,
        options,
        key=key,
        format_func=lambda option: words.get(option, str(option)),
        help=help_words or wording.HELP[field],
        on_change=changed,
    )


def slider(label: str, field: str, key: str, value: float, most: float, step: float) -> None:
    """A number from 0 to `most` that is walked in steps."""
    session, track, drawn = st.session_state, (most, step), _track_key(field)
    # Only where it must: what is set here is sent to the browser, which would then take back a
    # press that was made meanwhile. Another track is another slider, which begins at 0.
    if session.get(key) != value or session.get(drawn) != track:
        session[key] = float(value)
    session[drawn] = track

    def changed() -> None:
        state.change(**{field: float(st.session_state[key])})

    st.slider(
        label, 0.0, most, step=step, key=key, help=wording.HELP[_help(field)], on_change=changed
    )


def track_of(field: str) -> tuple[float, float] | None:
    """The end and the step of the slider of a field, as it was drawn last."""
    track: tuple[float, float] | None = st.session_state.get(_track_key(field))
    return track


def _track_key(field: str) -> str:
    return f"track of {field}"


def steps_from(value: float, most: float, step: float) -> list[float]:
    """One step down and one up, as far as the slider goes, with the digits the browser gives."""
    ends = [round(value + way * step, 6) for way in (-1, 1)]
    return [end for end in ends if 0.0 <= end <= most]


def _help(field: str) -> str:
    return "rho" if field == "radii" else field


def segmented(label: str, options: Sequence[Any], **settings: Any) -> Any:
    """One of a few options, never none."""
    return st.segmented_control(label, options, **{"width": "stretch", **settings}, required=True)
