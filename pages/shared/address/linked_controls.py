"""Controls whose choice is part of the page's link."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import streamlit as st

from dirrac_core.case.scenario import Scenario
from pages.shared import notices

Choice = TypeVar("Choice", bound=str)


def choose_one(
    label: str,
    words: Mapping[Choice, str],
    key: str,
    help: str | None = None,
    usual: Choice | None = None,
    labelled: bool = True,
) -> Choice:
    """One of a few options, by their words; the usual or first unless another is chosen."""
    chosen: Choice = st.segmented_control(
        label,
        list(words),
        default=next(iter(words)) if usual is None else usual,
        required=True,
        format_func=words.__getitem__,
        key=key,
        bind="query-params",
        help=help,
        width="content",
        label_visibility="visible" if labelled else "collapsed",
    )
    return chosen


def choose_some(
    label: str,
    words: Mapping[Choice, str],
    key: str,
    help: str,
    usual: Sequence[Choice] | None = None,
    disabled: bool = False,
) -> list[Choice]:
    """Any number of a few options, by their words; the usual or all unless others are chosen."""
    chosen: list[Choice] = st.pills(
        label,
        list(words),
        selection_mode="multi",
        default=list(words if usual is None else usual),
        format_func=words.__getitem__,
        key=key,
        bind="query-params",
        disabled=disabled,
        help=help,
    )
    return chosen


def show_parts(key: str, draw: Mapping[str, Callable[..., None]], *given: Scenario) -> None:
    """The parts of a page by their titles; only the open one is computed and drawn, with what is
    given.

    Tabs of Streamlit's own would take a quarter of the browser's time at every change.
    """
    name = choose_one("Part of the page", {name: name for name in draw}, key, labelled=False)
    with st.container(), notices.show_errors():
        draw[name](*given)
