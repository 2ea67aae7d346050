"""What an experiment is: a table or a figure of the paper, computed as rows and shown from them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import pandas as pd
import plotly.graph_objects as go

from dirrac_core.parallel import ALL_CORES
from dirrac_core.progress import Cancel, Progress, never, no_progress, step_of

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

    def at_most(self, applicants: int | None) -> "Settings":
        """The settings, with this many applicants where no other number was given."""
        return self if self.applicants is not None else replace(self, applicants=applicants)


@dataclass(frozen=True)
class Run:
    """One run: how much is computed, who is told how far it is, and whether to stop."""

    settings: Settings
    progress: Progress = no_progress
    cancel: Cancel = never

    @property
    def how(self) -> tuple[int | None, Progress, Cancel]:
        """What every study asks for last: processes, progress and whether to stop."""
        return self.settings.jobs, self.progress, self.cancel


Compute = Callable[[Settings, Progress, Cancel], pd.DataFrame]
Draw = Callable[[pd.DataFrame, str], go.Figure]
Part = Callable[[Run], pd.DataFrame]
Parts = Callable[[Settings], Mapping[str, Part]]


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


def our_rows(frame: pd.DataFrame, columns: Sequence[str], **about: str | list[str]) -> pd.DataFrame:
    """Some columns of a study, with whose numbers they are and what they are about."""
    return marked(frame.assign(source=OURS, **about)[columns], frame.attrs["complete"])


def per_dataset(rows_of: Callable[[str, Run], pd.DataFrame]) -> Parts:
    """A part for each of the paper's datasets."""
    return lambda _: {name: partial(rows_of, name) for name in REAL}


def in_parts(
    parts: Parts,
    finished: Callable[[pd.DataFrame], pd.DataFrame] = lambda rows: rows,
    most: int | None = None,
) -> Compute:
    """The `compute` that goes through `parts(settings)` and ends with `finished(rows)`.

    At most so many applicants are asked where no other number was given.
    """

    def compute(settings: Settings, progress: Progress, cancel: Cancel) -> pd.DataFrame:
        run = Run(settings.at_most(most), progress, cancel)
        found = in_turn(parts(run.settings), run)
        return marked(finished(found), found.attrs["complete"])

    return compute


def in_turn(parts: Mapping[str, Part], run: Run) -> pd.DataFrame:
    """The rows of every part, one after the other, with one progress bar and one way to stop.

    A part that was cancelled says so in its `attrs["complete"]`; it is kept and is the last one.
    """
    done: list[pd.DataFrame] = []
    for index, (name, part) in enumerate(parts.items()):
        if run.cancel():
            break
        tell = step_of(run.progress, index, len(parts), f"{name}: ")
        done.append(part(replace(run, progress=tell)))
        if not done[-1].attrs.get("complete", True):
            break
    complete = len(done) == len(parts) and all(d.attrs.get("complete", True) for d in done)
    return marked(pd.concat(done, ignore_index=True) if done else pd.DataFrame(), complete)
