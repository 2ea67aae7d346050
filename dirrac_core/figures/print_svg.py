"""Two small pictures of a portfolio as inline SVG, for a page that is printed: no script, no font.

Colours are those of every figure; what stands out also has a line or a hollow mark, so that the
page can be printed in black and white.
"""

import html
from collections.abc import Sequence

import numpy as np
import pandas as pd

from dirrac_core.figures.drawing.palette import FAVOURABLE, INK, MUTED_INK, NEUTRAL, UNFAVOURABLE
from dirrac_core.figures.portfolio import BARS, Quantity, histogram_of

WIDTH, HEIGHT = 330, 128
LEFT, RIGHT, TOP, BOTTOM = 30, 8, 16, 30
LABEL_WIDTH, ROW = 140, 15
LONGEST_LABEL = 20
_INK, _MUTED = INK["light"], MUTED_INK["light"]


def promises_svg(frame: pd.DataFrame, quantity: Quantity, limit: float) -> str:
    """How many plans have which worst case, of 100; those beyond the limit stand out."""
    values = quantity.values(frame)
    bars = histogram_of(values, limit)
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    most = max(int(bars.counts.max()), 1)
    step = wide / BARS
    parts = [
        _rectangle(
            LEFT + k * step + 0.5,
            TOP + high * (1 - count / most),
            step - 1,
            high * count / most,
            colour,
        )
        for k, (count, colour) in enumerate(zip(bars.counts, bars.colours, strict=True))
    ]
    at = LEFT + wide * limit / 100
    parts += [
        _line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, _MUTED),
        _line(at, TOP - 10, at, HEIGHT - BOTTOM, _INK, dash="3 2"),
        _text(at + 3, TOP - 3, f"≤ {limit:g}", _INK),
        _text(LEFT - 4, TOP + 7, f"{most:,}", _MUTED, "end"),
        _text(LEFT - 4, HEIGHT - BOTTOM, "0", _MUTED, "end"),
        *(
            _text(LEFT + wide * tick / 100, HEIGHT - BOTTOM + 11, f"{tick}", _MUTED, "middle")
            for tick in (0, 25, 50, 75, 100)
        ),
        _text(LEFT + wide / 2, HEIGHT - 5, quantity.title, _MUTED, "middle"),
    ]
    alt = f"Histogram of {values.size} plans: {quantity.title}, limit {limit:g}."
    return _svg(WIDTH, HEIGHT, alt, parts)


def groups_svg(table: pd.DataFrame, quantity: Quantity, small: int) -> str:
    """The mean of a quantity in each group of `equity` with its interval; small groups hollow."""
    names = (quantity.column, f"{quantity.column}_low", f"{quantity.column}_high")
    centre, low, high = (quantity.factor * table[name].to_numpy(dtype=np.float64) for name in names)
    known = np.concatenate([column[np.isfinite(column)] for column in (centre, low, high)])
    top = float(known.max()) if known.size and known.max() > 0.0 else 1.0
    height = TOP + ROW * len(table) + BOTTOM
    wide = WIDTH - LABEL_WIDTH - RIGHT

    def across(value: float) -> float:
        return LABEL_WIDTH + wide * value / top

    parts = [_line(LABEL_WIDTH, height - BOTTOM, WIDTH - RIGHT, height - BOTTOM, _MUTED)]
    for k, (group, people) in enumerate(zip(table["group"], table["n"], strict=True)):
        middle = TOP + ROW * (k + 0.5)
        parts.append(_text(LABEL_WIDTH - 6, middle + 3, _label(str(group), people), _INK, "end"))
        if not np.isfinite(centre[k]):
            parts.append(_text(LABEL_WIDTH + 4, middle + 3, "nobody has a plan", UNFAVOURABLE))
            continue
        if np.isfinite(low[k]):
            parts.append(_line(across(low[k]), middle, across(high[k]), middle, NEUTRAL, 1.5))
        fill = "#FFFFFF" if people < small else FAVOURABLE
        colour = NEUTRAL if people < small else FAVOURABLE
        parts.append(
            f'<circle cx="{across(centre[k]):.1f}" cy="{middle:.1f}" r="3.6" fill="{fill}" '
            f'stroke="{colour}" stroke-width="1.5"/>'
        )
    parts += [
        _text(LABEL_WIDTH, height - BOTTOM + 11, "0", _MUTED, "middle"),
        _text(WIDTH - RIGHT, height - BOTTOM + 11, quantity.words(top), _MUTED, "end"),
        _text(LABEL_WIDTH + wide / 2, height - 5, quantity.title, _MUTED, "middle"),
    ]
    return _svg(WIDTH, height, f"{quantity.title} by group, with 95 % intervals.", parts)


def _label(group: str, people: int) -> str:
    short = group if len(group) <= LONGEST_LABEL else f"{group[: LONGEST_LABEL - 1]}…"
    return f"{short} ({people:,})"


def _svg(width: float, height: float, alt: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{html.escape(alt)}" '
        f'font-size="8.5" font-family="sans-serif">{"".join(parts)}</svg>'
    )


def _rectangle(x: float, y: float, width: float, height: float, colour: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>'
    )


def _line(
    x0: float, y0: float, x1: float, y1: float, colour: str, width: float = 1.0, dash: str = ""
) -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{colour}" '
        f'stroke-width="{width:g}"{dashed}/>'
    )


def _text(x: float, y: float, words: str, colour: str, anchor: str = "start") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}">'
        f"{html.escape(words)}</text>"
    )
