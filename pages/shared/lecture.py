"""Lecture mode: the whole width, large type, no settings; one step on a screen, by arrow keys."""

import streamlit as st

from pages.shared import notices
from pages.shared.address.declaration import LECTURE

# Large enough for the last row of a room at 1920 × 1080; everything on a page is sized in rem.
_STYLE = """<style>
html { font-size: 25px; }
[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"], [data-testid="stHeader"] {
    display: none;
}
[data-testid="stMainBlockContainer"] { max-width: 100%; padding: 1rem 2.5rem 2rem; }
.st-key-lecture { position: absolute; top: .3rem; right: 1.2rem;
    width: auto !important; z-index: 6; }
</style>"""
# Type in charts has its own size, in pixels.
CHART_SCALE = 1.6
# Pixels: a picture stands on one screen with its question and the way on.
TALLEST = 560


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
        help="For a projector: large type, no settings, one step on a screen. → reveals the "
        "answer, then turns the page; ← goes back. The address keeps it.",
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
        _go("Previous", ":material/chevron_left:", "Left", key, number, number - 1, count)
        _go("Next", ":material/chevron_right:", "Right", key, number, number + 1, count)
    return number


def predicted(key: str, number: int, question: str) -> bool:
    """The question of a step of `choose_step`; whether its answer is to be shown."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**Predict.** {question}", width="stretch")
        return st.toggle("Reveal", key=_revealed(key, number))


def speaker_notes(words: str) -> None:
    """What to say, folded away."""
    with st.expander("Speaker notes"):
        st.markdown(words)


def _revealed(key: str, number: int) -> str:
    return f"reveal {key} {number}"


def _go(label: str, icon: str, arrow: str, key: str, now: int, number: int, count: int) -> None:
    # In a lecture one key is enough: the answer first, then the next page.
    hidden = is_lecture() and number > now and not st.session_state.get(_revealed(key, now), False)
    change = {_revealed(key, now): True} if hidden else {key: number}
    st.button(
        label,
        icon=icon,
        # Only here: elsewhere the arrow keys belong to the sliders.
        shortcut=arrow if is_lecture() else None,
        disabled=not hidden and not 1 <= number <= count,
        on_click=st.session_state.update,
        args=(change,),
    )
