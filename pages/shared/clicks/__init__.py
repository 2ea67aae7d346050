"""Clicks anywhere into a chart: read in the browser, so that no mark is drawn just to be hit."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import streamlit as st

_EVENT = "place"
# Whole numbers from a browser can be too long for a float; NaN is not below anything either.
_LARGEST = 1e300


def watch_clicks(chart: str, place: Callable[[float, float], None]) -> None:
    """Call `place` with the coordinates of each click into the plotting area of a keyed chart."""
    key = f"clicks {chart}"

    def clicked() -> None:
        point = read_place(st.session_state[key].get(_EVENT))
        if point is not None:
            place(*point)

    part = st.components.v2.component("clicks", js=_script())
    part(key=key, data={"chart": chart.replace(" ", "-")}, on_place_change=clicked)


def read_place(sent: object) -> tuple[float, float] | None:
    """The two numbers a browser sent; None for anything else."""
    if not isinstance(sent, dict):
        return None
    values = [sent.get(side) for side in ("x", "y")]
    numbers = [
        float(value)
        for value in values
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST
    ]
    return (numbers[0], numbers[1]) if len(numbers) == 2 else None


@cache
def _script() -> str:
    return (Path(__file__).parent / "clicks.js").read_text(encoding="utf-8")
