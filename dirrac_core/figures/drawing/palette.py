"""One palette and one template for every figure: colour-blind safe, for light and dark pages.

The hues are those of Okabe and Ito (Color Universal Design, 2008). Orange, sky blue, purple and
yellow are darkened, and black is lightened to grey, until each stands out by 3 : 1 from a white
and from a black page, so that one colour serves both themes. Violet, brown, teal and rose follow
for components beyond the sixth.
Colour is never the only carrier: components also have a number and a marker.
"""

from functools import cache
from typing import Any, Final

import plotly.graph_objects as go

from dirrac_core.arrays import checked_choice
from dirrac_core.figures.drawing.sketch import Sketch

THEMES: Final = ("light", "dark")

FAVOURABLE: Final = "#0072B2"
UNFAVOURABLE: Final = "#D55E00"
FAVOURABLE_SYMBOL: Final = "circle"
UNFAVOURABLE_SYMBOL: Final = "x"
NEUTRAL: Final = "#808080"

COMPONENT_COLOURS: Final = (
    "#009E73",
    "#C46FA0",
    "#B87F00",
    "#3A8FC4",
    "#858000",
    "#7A7F8A",
    "#8A6FD6",
    "#A1714B",
    "#2E9CA6",
    "#D0567F",
)
COMPONENT_SYMBOLS: Final = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "pentagon",
    "star",
    "triangle-down",
    "hexagon",
    "cross",
    "hourglass",
)
COMPONENT_DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")

BACKGROUND: Final = {"light": "#FFFFFF", "dark": "#0E1117"}
INK: Final = {"light": "#31333F", "dark": "#FAFAFA"}
MUTED_INK: Final = {"light": "#5F6370", "dark": "#B4B8C4"}
GRID: Final = {"light": "rgba(49, 51, 63, 0.12)", "dark": "rgba(250, 250, 250, 0.14)"}
FONT: Final = '"Source Sans 3", "Source Sans Pro", "Source Sans", system-ui, sans-serif'


def component_colour(k: int) -> str:
    """The colour of component k (from 0), the same in every figure."""
    return COMPONENT_COLOURS[k % len(COMPONENT_COLOURS)]


def component_symbol(k: int) -> str:
    """The marker of component k, as many as colours."""
    return COMPONENT_SYMBOLS[k % len(COMPONENT_SYMBOLS)]


def component_dash(k: int) -> str:
    """The line style of component k, where line style carries nothing else."""
    return COMPONENT_DASHES[k % len(COMPONENT_DASHES)]


def component_name(k: int, names: tuple[str, ...] | None = None) -> str:
    """The given name of component k, or its number."""
    return f"Component {k + 1}" if names is None else names[k]


def translucent(colour: str, opacity: float) -> str:
    """A #RRGGBB colour as rgba(...)."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity:g})"


@cache
def template(theme: str) -> dict[str, Any]:
    """The explicit plotly template of a theme: transparent, few lines, readable type."""
    checked_choice("theme", theme, THEMES)
    ink, muted = INK[theme], MUTED_INK[theme]
    axis = {
        "gridcolor": GRID[theme],
        "linecolor": muted,
        "zeroline": False,
        "ticks": "",
        "ticklabelstandoff": 6,
        "tickfont": {"color": muted, "size": 13},
        "title": {"font": {"color": ink, "size": 14}, "standoff": 10},
        "automargin": True,
    }
    layout = dict(
        font={"family": FONT, "size": 14, "color": ink},
        paper_bgcolor="rgba(0, 0, 0, 0)",
        plot_bgcolor="rgba(0, 0, 0, 0)",
        colorway=[FAVOURABLE, UNFAVOURABLE, *COMPONENT_COLOURS],
        margin={"l": 8, "r": 16, "t": 40, "b": 8},
        xaxis=axis,
        yaxis=axis,
        legend={
            "orientation": "h",
            "x": 0.0,
            "xanchor": "left",
            "y": 1.02,
            "yanchor": "bottom",
            "bgcolor": "rgba(0, 0, 0, 0)",
            "font": {"color": ink, "size": 13},
        },
        hoverlabel={
            "bgcolor": BACKGROUND[theme],
            "bordercolor": muted,
            "font": {"family": FONT, "size": 13, "color": ink},
            "align": "left",
        },
        annotationdefaults={"font": {"color": ink, "size": 13}, "showarrow": False},
    )
    return {"layout": layout}


def new_figure(theme: str) -> Sketch:
    """An empty figure with the template of the theme."""
    return Sketch(template(theme))


def described(drawn: Sketch | go.Figure, alt: str) -> go.Figure:
    """The finished figure with its description, for those who cannot see it."""
    drawn.update_layout(meta={"alt": alt})
    return drawn.figure() if isinstance(drawn, Sketch) else drawn


def alt_text(figure: go.Figure) -> str:
    """The description that every figure of this package carries."""
    return str(figure.layout.meta["alt"])


def enlarged(figure: go.Figure, scale: float, tallest: int) -> go.Figure:
    """A copy for a lecture hall: type and height times `scale`, the height at most `tallest`."""
    copy = go.Figure(figure)
    layout = copy.layout.template.layout
    for font in (
        layout.font,
        layout.legend.font,
        layout.annotationdefaults.font,
        *(axis.tickfont for axis in (layout.xaxis, layout.yaxis)),
        *(axis.title.font for axis in (layout.xaxis, layout.yaxis)),
        *(note.font for note in copy.layout.annotations if note.font.size),
        *(trace.textfont for trace in copy.data if "textfont" in trace and trace.textfont.size),
    ):
        font.size = round(scale * font.size)
    if copy.layout.height:
        copy.layout.height = min(round(scale * copy.layout.height), tallest)
    return copy
