"""What an experiment is: a table or a figure of the paper, computed as rows and shown from them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import pandas as pd
import plotly.graph_objects as go

from dirrac_core.parallel import ALL_CORES
from dirrac_core.progress import Cancel, Progress, step_of

# Whose numbers a row holds: the paper's, our run of its protocol, or the certified solver with
# box, whole categories and right labels.
PUBLISHED, PROTOCOL, OURS = "published", "published protocol", "ours"
# The datasets of the paper, and the rules of most of its experiments.
REAL = ("german", "sba", "student")
PRESET = "free"


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

    def at_most(self, applicants: int) -> "Settings":
        """The settings, with this many applicants where no other number was given."""
        return self if self.applicants is not None else replace(self, applicants=applicants)


Compute = Callable[[Settings, Progress, Cancel], pd.DataFrame]
Draw = Callable[[pd.DataFrame, str], go.Figure]
Part = Callable[[Progress, Cancel], pd.DataFrame]


@dataclass(frozen=True)
class Experiment:
    """One table or figure: `compute(settings, progress, cancel)` gives its rows.

    `place` names it in the paper; it is empty for what the paper does not have. `about` says in
    one plain sentence what the paper shows there, `difference` why ours differs; without a place
    they say what is compared and what comes out. Rows are a tidy DataFrame of numbers and words
    only, so that they survive a CSV; `attrs["complete"]` is False when cancelled. A figure is drawn
    from rows alone by `draw(rows, theme)`, theme "light" or "dark". Tables have `draw` None.
    """

    name: str
    kind: Literal["table", "figure"]
    title: str
    place: str
    about: str
    difference: str
    compute: Compute
    draw: Draw | None = None


def marked(rows: pd.DataFrame, complete: bool) -> pd.DataFrame:
    """The rows, with whether they are complete."""
    rows.attrs["complete"] = complete
    return rows


def in_turn(parts: Mapping[str, Part], progress: Progress, cancel: Cancel) -> pd.DataFrame:
    """The rows of every part, one after the other, with one progress bar and one way to stop.

    A part that was cancelled says so in its `attrs["complete"]`; it is kept and is the last one.
    """
    done: list[pd.DataFrame] = []
    for index, (name, part) in enumerate(parts.items()):
        if cancel():
            break
        done.append(part(step_of(progress, index, len(parts), f"{name}: "), cancel))
        if not done[-1].attrs.get("complete", True):
            break
    complete = len(done) == len(parts) and all(d.attrs.get("complete", True) for d in done)
    frame = pd.concat(done, ignore_index=True) if done else pd.DataFrame()
    return marked(frame, complete)
