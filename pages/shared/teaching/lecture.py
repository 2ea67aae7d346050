"""Lecture mode: the whole width, large type, no settings; one step on a screen, by arrow keys."""

import streamlit as st

from pages.shared import notices
from pages.shared.declaration import LECTURE

# Large enough for the last row of a room at 1920 × 1080; everything on a page is sized in rem.
_STYLE = """<style>
html { font-size: 25px; }
[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"], [data-testid="stHeader"] {
    display: none;
}
[data-testid="stMainBlockContainer"] { max-width: 100%; padding: 1rem 2.5rem 2rem; }
</style>"""
# Type in charts has its own size, in pixels.
CHART_SCALE = 1.6


def is_lecture() -> bool:
    """Whether this page is shown to a room."""
    return bool(st.session_state.get(LECTURE, False))


def offer_lecture() -> bool:
    """The switch, and the look of the page when it is on."""
    notices.report_choices({LECTURE: ("true", "false")})
    on: bool = st.toggle(
        "Lecture",
        key=LECTURE,
        bind="query-params",
        help="For a projector: large type, no settings, one step on a screen; ← and → turn the "
        "page. The address keeps it.",
    )
    if on:
        st.html(_STYLE)
    return on


def choose_step(key: str, count: int) -> int:
    """The step on the screen, from 1; ← and → or the buttons go on. It is part of the address."""
    numbers = range(1, count + 1)
    notices.report_choices({key: [str(number) for number in numbers]})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number: int = st.segmented_control(
            "Step",
            list(numbers),
            default=1,
            required=True,
            format_func=str,
            key=key,
            bind="query-params",
            label_visibility="collapsed",
            width="content",
        )
        _go("Previous", ":material/chevron_left:", "Left", key, number - 1, count)
        _go("Next", ":material/chevron_right:", "Right", key, number + 1, count)
    return number


def _go(label: str, icon: str, arrow: str, key: str, number: int, count: int) -> None:
    st.button(
        label,
        icon=icon,
        # Only here: elsewhere the arrow keys belong to the sliders.
        shortcut=arrow if is_lecture() else None,
        disabled=not 1 <= number <= count,
        on_click=lambda: st.session_state.update({key: number}),
    )
