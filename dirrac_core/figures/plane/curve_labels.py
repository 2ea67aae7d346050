"""Names written on curves, where they stand apart from one another, instead of a legend."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.figures.drawing.palette import BACKGROUND
from dirrac_core.figures.drawing.sketch import Trace, scatter
from dirrac_core.geometry.conics import Window

LABELS = "labels"
LONGEST = 26
# A curve is sampled at so many points when its label looks for a place.
SAMPLES = 160
# Pixels: the usual size of the picture, and of a letter; the browser may draw it larger.
PICTURE = (590.0, 340.0)
LETTER, LINE = 6.9, 19.0
# No label begins closer to the edge than this part of the window.
EDGE = 0.05
SIDES = ("top right", "top left", "bottom right", "bottom left")
MARK_UP = re.compile("<[^>]*>")


@dataclass(frozen=True, eq=False)
class Named:
    """A curve (n, 2), parted by rows of NaN, with the words to write on it and their colour."""

    curve: Array
    words: str
    colour: str


@dataclass(frozen=True)
class Place:
    """Where a label stands: at a share of its curve's visible part, on a side of that point."""

    share: float
    side: str


def shortened(words: str) -> str:
    """Words of a length that fits on a curve, without what stands in brackets where need be."""
    words = words if len(words) <= LONGEST else words.partition(" (")[0]
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1].rstrip()}…"


def words_boxes(points: Array, words: str, side: str, window: Window) -> Array:
    """The boxes (n, 4: left, bottom, right, top) that words take beside points (n, 2)."""
    per_pixel = max(
        (window[1] - window[0]) / PICTURE[0],
        (window[3] - window[2]) / PICTURE[1],
    )
    width = per_pixel * LETTER * (len(unescape(MARK_UP.sub("", words))) + 1)
    height = per_pixel * LINE
    vertical, _, across = side.partition(" ")
    start = {"right": 0.0, "left": -width}.get(across, -width / 2.0)
    bottom = {"top": 0.0, "bottom": -height}.get(vertical, -height / 2.0)
    corner = points + [start, bottom]
    return np.asarray(np.hstack([corner, corner + [width, height]]), dtype=np.float64)


def label_places(
    curves: Sequence[Named], window: Window, avoid: Sequence[Array]
) -> list[Place | None]:
    """Where the label of each curve stands; None where the curve is not seen.

    The curve with the least room chooses first. Each takes the place whose box covers least of the
    boxes (4,) to avoid and of the labels before it, and among those the one farthest from them.
    """
    seen = [_visible(named.curve, window) for named in curves]
    taken = [np.asarray(box, dtype=np.float64) for box in avoid]
    places: list[Place | None] = [None] * len(curves)
    for k in sorted(range(len(curves)), key=lambda k: len(seen[k])):
        if not len(seen[k]):
            continue
        boxes = np.vstack([words_boxes(seen[k], curves[k].words, side, window) for side in SIDES])
        best = _freest(boxes, taken, window)
        taken.append(boxes[best])
        side, point = divmod(best, len(seen[k]))
        places[k] = Place(point / max(len(seen[k]) - 1, 1), SIDES[side])
    return places


def _freest(boxes: Array, taken: Sequence[Array], window: Window) -> int:
    """Which box (n, 4) lies inside the window and least on the taken ones, far from them."""
    low, high = boxes[:, :2], boxes[:, 2:]
    size = high[0] - low[0]
    inside = [window[0], window[2]], [window[1], window[3]]
    covered = np.maximum(inside[0] - low, 0.0) + np.maximum(high - inside[1], 0.0)
    cost = (covered / size).sum(axis=1)
    near = np.zeros(len(boxes))
    for box in taken:
        shared = np.minimum(high, box[2:]) - np.maximum(low, box[:2])
        cost += np.prod(np.maximum(shared, 0.0) / size, axis=1)
        # The gap between the two, in sizes of the label.
        gap = np.linalg.norm(np.maximum(-shared, 0.0) / size, axis=1)
        near = np.maximum(near, 1.0 / (1.0 + gap))
    return int(np.lexsort((near, np.round(cost, 3)))[0])


def label_data(
    curves: Sequence[Named], places: Sequence[Place | None], window: Window
) -> dict[str, list[object]]:
    """The words, where they stand and on which side of their point, for one plotly trace."""
    data: dict[str, list[object]] = {"x": [], "y": [], "text": [], "textposition": []}
    for named, place in zip(curves, places, strict=True):
        seen = _visible(named.curve, window)
        x, y = None, None
        if place is not None and len(seen):
            x, y = seen[round(place.share * (len(seen) - 1))]
        data["x"].append(x)
        data["y"].append(y)
        data["text"].append(named.words)
        data["textposition"].append(SIDES[0] if place is None else place.side)
    return data


def halo(theme: str) -> str:
    """A shadow in the colour of the page, which keeps words readable on top of lines."""
    return ", ".join([f"0px 0px 3px {BACKGROUND[theme]}"] * 4)


def label_trace(
    curves: Sequence[Named],
    places: Sequence[Place | None],
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
