"""Names written on curves, where they stand apart from one another, instead of a legend."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.figures.drawing.palette import BACKGROUND
from dirrac_core.figures.drawing.sketch import Trace, scatter
from dirrac_core.geometry.conics import Window

LABELS = "labels"
LONGEST = 26
# A curve is sampled at so many points when its label looks for a place.
SAMPLES = 160
# Labels are wider than high: distances across count less, in parts of the window.
WIDTH, HEIGHT = 0.20, 0.05
# No label begins closer to the edge than this part of the window.
EDGE = 0.05


@dataclass(frozen=True, eq=False)
class Named:
    """A curve (n, 2), parted by rows of NaN, with the words to write on it and their colour."""

    curve: Array
    words: str
    colour: str


def shortened(words: str) -> str:
    """Words of a length that fits on a curve, without what stands in brackets where need be."""
    words = words if len(words) <= LONGEST else words.partition(" (")[0]
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1].rstrip()}…"


def label_places(
    curves: Sequence[Named], window: Window, avoid: Sequence[Array]
) -> list[float | None]:
    """Of each curve the share of its visible part at which its label stands; None: unseen.

    Each label in turn takes the place farthest from the points to avoid and the labels before it.
    """
    size = np.array([window[1] - window[0], window[3] - window[2]])
    unit = size * [WIDTH, HEIGHT]
    taken = [np.asarray(point, dtype=np.float64) for point in avoid]
    places: list[float | None] = []
    for named in curves:
        seen = _visible(named.curve, window)
        if not len(seen):
            places.append(None)
            continue
        apart = np.full(len(seen), np.inf)
        for point in taken:
            apart = np.minimum(apart, np.linalg.norm((seen - point) / unit, axis=1))
        best = int(apart.argmax()) if taken else len(seen) // 2
        taken.append(seen[best])
        places.append(best / max(len(seen) - 1, 1))
    return places


def label_data(
    curves: Sequence[Named], places: Sequence[float | None], window: Window
) -> dict[str, list[object]]:
    """The words, where they stand and on which side of their point, for one plotly trace."""
    middle = (window[0] + window[1]) / 2.0
    data: dict[str, list[object]] = {"x": [], "y": [], "text": [], "textposition": []}
    for named, place in zip(curves, places, strict=True):
        seen = _visible(named.curve, window)
        shown = place is not None and len(seen) > 0
        point = seen[round((place or 0.0) * (len(seen) - 1))] if shown else (None, None)
        data["x"].append(point[0])
        data["y"].append(point[1])
        data["text"].append(named.words)
        side = "right" if point[0] is None or point[0] < middle else "left"
        data["textposition"].append(f"top {side}")
    return data


def halo(theme: str) -> str:
    """A shadow in the colour of the page, which keeps words readable on top of lines."""
    return ", ".join([f"0px 0px 3px {BACKGROUND[theme]}"] * 4)


def label_trace(
    curves: Sequence[Named],
    places: Sequence[float | None],
    window: Window,
    size: int,
    theme: str,
) -> Trace:
    """All labels as one trace of words without marks."""
    return scatter(
        **label_data(curves, places, window),
        mode="text",
        textfont={
            "color": [named.colour for named in curves],
            "size": size,
            "shadow": halo(theme),
        },
        name=LABELS,
        hoverinfo="skip",
        showlegend=False,
    )


def _visible(curve: Array, window: Window) -> Array:
    """Points along the curve inside the window, evenly spaced in its vertices' parameter."""
    if not len(curve):
        return np.empty((0, 2))
    if len(curve) < SAMPLES:
        ends = np.linspace(0.0, len(curve) - 1.0, SAMPLES)
        places = np.arange(len(curve))
        curve = np.column_stack([np.interp(ends, places, curve[:, side]) for side in (0, 1)])
    dx, dy = EDGE * (window[1] - window[0]), EDGE * (window[3] - window[2])
    x, y = curve[:, 0], curve[:, 1]
    inside = (x > window[0] + dx) & (x < window[1] - dx)
    inside &= (y > window[2] + dy) & (y < window[3] - dy)
    seen: Array = curve[inside]
    return seen
