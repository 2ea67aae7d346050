"""What an experiment is: a table or a figure of the paper, computed as rows and shown from them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import pandas as pd
import plotly.graph_objects as go

from dirrac_core.evaluation.parallel import ALL_CORES, Cancel, Progress

# Whose numbers a row holds: the paper's, our run of its protocol, or the certified solver with
# box, whole categories and right labels.
PUBLISHED, PROTOCOL, OURS = "published", "published protocol", "ours"


@dataclass(frozen=True)
class Settings:
    """How much to compute: `applicants` caps the people asked per dataset (None: the paper's all).

    `draws` is how many class-balancing draws of the published protocol are repeated to state the
    spread. The rows depend on everything but `jobs`.
    """

    seed: int = 0
    applicants: int | None = None
    draws: int = 10
    jobs: int | None = ALL_CORES


def unheard(part: float, words: str) -> None:
    """A progress callback for callers who do not want to know."""


def never() -> bool:
    """A cancel question that is always answered by no."""
    return False


Compute = Callable[[Settings, Progress, Cancel], pd.DataFrame]
Draw = Callable[[pd.DataFrame, str], go.Figure]


@dataclass(frozen=True)
class Experiment:
    """One table or figure: `compute(settings, progress, cancel)` gives its rows.

    `place` names it in the paper. `about` says in one plain sentence what the paper shows there,
    `difference` why ours differs. Rows are a tidy DataFrame of numbers and words only, so that
    they survive a CSV; `attrs["complete"]` is False when cancelled. A figure is drawn from rows
    alone by `draw(rows, theme)`, theme "light" or "dark". Tables have `draw` None.
    """

    name: str
    kind: Literal["table", "figure"]
    title: str
    place: str
    about: str
    difference: str
    compute: Compute
    draw: Draw | None = None
