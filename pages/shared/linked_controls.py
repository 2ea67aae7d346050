"""Controls whose choice is part of the page's link."""

from collections.abc import Callable, Mapping

import streamlit as st

from dirrac_core.scenario import Scenario
from pages.shared import notices


def one_of(label: str, words: Mapping[str, str], key: str, help: str) -> str:
    """One of a few options, by their words; the first unless another is chosen."""
    return st.segmented_control(
        label,
        list(words),
        default=next(iter(words)),
        required=True,
        format_func=words.get,
        key=key,
        bind="query-params",
        help=help,
    )


def some_of(label: str, words: Mapping[str, str], key: str, help: str) -> list[str]:
    """Any number of a few options, by their words; all unless some are taken away."""
    return st.pills(
        label,
        list(words),
        selection_mode="multi",
        default=list(words),
        format_func=words.get,
        key=key,
        bind="query-params",
        help=help,
    )


def parts(key: str, draw: Mapping[str, Callable[[Scenario], None]], scenario: Scenario) -> None:
    """Tabs by their titles; only the open one is computed and drawn."""
    tabs = st.tabs(list(draw), key=key, on_change="rerun", bind="query-params")
    for name, tab in zip(draw, tabs, strict=True):
        if tab.open:
            with tab, notices.told_in_words():
                draw[name](scenario)
