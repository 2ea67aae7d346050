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


@dataclass(frozen=True)
class Run:
    """One run: how much is computed, who is told how far it is, and whether to stop."""

    settings: Settings
    progress: Progress = no_progress
    cancel: Cancel = never

    def at_most(self, applicants: int | None) -> "Run":
        """The run, with this many applicants where no other number was given."""
        if self.settings.applicants is not None:
            return self
        return replace(self, settings=replace(self.settings, applicants=applicants))

    @property
    def how(self) -> tuple[int | None, Progress, Cancel]:
        """What every study asks for last: processes, progress and whether to stop."""
        return self.settings.jobs, self.progress, self.cancel


Compute = Callable[[Run], pd.DataFrame]
Draw = Callable[[pd.DataFrame, str], go.Figure]
Parts = Callable[[Settings], Mapping[str, Compute]]


@dataclass(frozen=True)
class Experiment:
    """One table or figure: `compute(run)` gives its rows.

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
    """The `compute` of what consists of `parts(settings)`; `finished` makes one table of the rows.

    They are computed one after the other, with one progress bar and one way to stop. A part that
    was cancelled says so in its `attrs["complete"]`; it is kept and is the last one. `most`
    applicants are asked where no other number was given.
    """

    def compute(run: Run) -> pd.DataFrame:
        run = run.at_most(most)
        named = parts(run.settings)
        done: list[pd.DataFrame] = []
        for index, (name, part) in enumerate(named.items()):
            if run.cancel():
                break
            tell = step_of(run.progress, index, len(named), f"{name}: ")
            done.append(part(replace(run, progress=tell)))
            if not done[-1].attrs.get("complete", True):
                break
        complete = len(done) == len(named) and all(d.attrs.get("complete", True) for d in done)
        rows = pd.concat(done, ignore_index=True) if done else pd.DataFrame()
        return marked(finished(rows), complete)

    return compute
