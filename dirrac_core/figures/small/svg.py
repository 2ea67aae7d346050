"""A small SVG panel: real coordinates in, text out. Its ink is that of the page around it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from dirrac_core.arrays import Array

FONT_SIZE = 11
# A picture grows with its column up to so many times its own size.
LARGEST = 1.3125
# Two points nearer than this many pixels are drawn as one.
FINEST = 0.7


@dataclass(frozen=True)
class Panel:
    """A drawing area of `width` × `height` pixels inside margins, over a window of real values."""

    window: tuple[float, float, float, float]
    width: float = 320.0
    height: float = 190.0
    left: float = 34.0
    right: float = 8.0
    top: float = 8.0
    bottom: float = 28.0

    def place(self, points: Array) -> Array:
        """The pixels (n, 2) of real points (n, 2)."""
        low_x, high_x, low_y, high_y = self.window
        inner = (self.width - self.left - self.right, self.height - self.top - self.bottom)
        across = self.left + inner[0] * (points[:, 0] - low_x) / (high_x - low_x)
        down = self.top + inner[1] * (high_y - points[:, 1]) / (high_y - low_y)
        return np.column_stack([across, down])

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of one real point."""
        (placed,) = self.place(np.array([[x, y]]))
        return float(placed[0]), float(placed[1])

    @property
    def box(self) -> str:
        """The edges of the drawing area, as attributes of a rectangle."""
        wide, high = self.width - self.left - self.right, self.height - self.top - self.bottom
        return f"x='{self.left:g}' y='{self.top:g}' width='{wide:g}' height='{high:g}'"


def picture(panel: Panel, parts: Sequence[str], alt: str, name: str) -> str:
    """The whole SVG, with its description; `name` keeps its clip path apart from others'."""
    inside = "".join(parts)
    return (
        f"<svg viewBox='0 0 {panel.width:g} {panel.height:g}' width='100%' role='img' "
        f"aria-label='{escape(alt, quote=True)}' font-size='{FONT_SIZE}' fill='currentColor' "
        f"style='display:block;overflow:visible;max-width:{LARGEST * panel.width:g}px'>"
        f"<defs><clipPath id='{name}'><rect {panel.box}/></clipPath></defs>{inside}</svg>"
    )


def framed(panel: Panel, parts: Sequence[str], name: str) -> list[str]:
    """The edge of the drawing area, and what may not leave it."""
    return [
        f"<rect {panel.box} fill='none' stroke='currentColor' opacity='.25'/>",
        f"<g clip-path='url(#{name})'>{''.join(parts)}</g>",
    ]


def line(
    points: Array,
    colour: str = "currentColor",
    width: float = 1.5,
    dash: str = "",
    fill: str = "none",
    opacity: float = 1.0,
) -> str:
    """A line through pixels (n, 2); rows of NaN part it. A fill closes it."""
    steps, gap, last_x, last_y = [], True, 0.0, 0.0
    for x, y in points.tolist():
        if not (math.isfinite(x) and math.isfinite(y)):
            gap = True
        elif gap or abs(x - last_x) >= FINEST or abs(y - last_y) >= FINEST:
            steps.append(f"{'M' if gap else 'L'}{x:.1f} {y:.1f}")
            gap, last_x, last_y = False, x, y
    if not steps:
        return ""
    closed = "" if fill == "none" else "Z"
    dashed = f" stroke-dasharray='{dash}'" if dash else ""
    return (
        f"<path d='{''.join(steps)}{closed}' fill='{fill}' stroke='{colour}' "
        f"stroke-width='{width:g}' opacity='{opacity:g}'{dashed}/>"
    )


def text(
    x: float, y: float, words: str, anchor: str = "start", opacity: float = 0.8, weight: int = 400
) -> str:
    """Words at a pixel."""
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' opacity='{opacity:g}' "
        f"font-weight='{weight}'>{escape(words)}</text>"
    )


def rectangle(
    x: float, y: float, width: float, height: float, fill: str, stroke: str = "none", dash: str = ""
) -> str:
    """A bar."""
    dashed = f" stroke-dasharray='{dash}'" if dash else ""
    return (
        f"<rect x='{x:.1f}' y='{y:.1f}' width='{max(width, 0.0):.1f}' height='{height:g}' "
        f"fill='{fill}' stroke='{stroke}'{dashed}/>"
    )


def mark(x: float, y: float, kind: str, colour: str, title: str, hollow: bool = False) -> str:
    """A point by its kind, with its words on hover."""
    fill = "none" if hollow else colour
    shapes = {
        "circle": f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3.5' fill='{fill}' stroke='{colour}'/>",
        "cross": _strokes(x, y, ((-4, -4, 4, 4), (-4, 4, 4, -4)), colour),
        "plus": _strokes(x, y, ((-5, 0, 5, 0), (0, -5, 0, 5)), colour),
        "diamond": f"<path d='M{x:.1f} {y - 4.5:.1f}l4.5 4.5l-4.5 4.5l-4.5 -4.5Z' fill='{fill}' "
        f"stroke='{colour}'/>",
        "star": f"<path d='{_star(x, y)}' fill='{fill}' stroke='{colour}'/>",
    }
    return f"<g><title>{escape(title)}</title>{shapes[kind]}</g>"


def _strokes(x: float, y: float, ends: Sequence[tuple[int, int, int, int]], colour: str) -> str:
    drawn = "".join(f"M{x + a:.1f} {y + b:.1f}L{x + c:.1f} {y + d:.1f}" for a, b, c, d in ends)
    return f"<path d='{drawn}' stroke='{colour}' stroke-width='2.5' fill='none'/>"


def _star(x: float, y: float) -> str:
    angles = -np.pi / 2 + np.pi / 5 * np.arange(10)
    radii = np.where(np.arange(10) % 2 == 0, 7.5, 3.2)
    points = [
        f"{x + r * np.cos(a):.1f} {y + r * np.sin(a):.1f}"
        for a, r in zip(angles, radii, strict=True)
    ]
    return f"M{'L'.join(points)}Z"
