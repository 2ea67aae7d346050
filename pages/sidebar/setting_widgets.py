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
    disabled: bool = False,
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
        help=wording.HELP[field],
        on_change=changed,
        disabled=disabled,
    )


def slider(label: str, field: str, key: str, value: float, most: float, step: float) -> None:
    st.session_state[key] = float(value)

    def changed() -> None:
        state.change(**{field: float(st.session_state[key])})

    st.slider(
        label, 0.0, most, step=step, key=key, help=wording.HELP[_help(field)], on_change=changed
    )


def _help(field: str) -> str:
    return "rho" if field == "radii" else field


def segmented(label: str, options: Sequence[Any], **settings: Any) -> Any:
    """One of a few options, never none."""
    return st.segmented_control(label, options, **{"width": "stretch", **settings}, required=True)
