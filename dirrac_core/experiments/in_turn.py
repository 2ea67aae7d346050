"""The parts of an experiment one after the other, with one progress bar and one way to stop."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pandas as pd

from dirrac_core.evaluation.parallel import Cancel, Progress
from dirrac_core.experiments.experiment import Settings

# The datasets of the paper.
REAL = ("german", "sba", "student")


def in_turn(
    names: Sequence[str],
    rows_of: Callable[[str, Progress], pd.DataFrame],
    progress: Progress,
    cancel: Cancel,
) -> pd.DataFrame:
    """rows_of(name, progress) for every name, with `dataset` as a column.

    A part that was cancelled says so in its `attrs["complete"]`; it is kept and is the last one.
    """
    parts: list[pd.DataFrame] = []
    complete = True
    for index, name in enumerate(names):

        def tell(part: float, words: str, index: int = index, name: str = name) -> None:
            progress((index + part) / len(names), f"{name}: {words}")

        if cancel():
            complete = False
            break
        rows = rows_of(name, tell)
        own = [column for column in rows.columns if column != "dataset"]
        parts.append(rows.assign(dataset=name)[["dataset", *own]])
        complete = bool(rows.attrs.get("complete", True))
        if not complete:
            break
    frame = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    frame.attrs["complete"] = complete
    return frame


def at_most(settings: Settings, applicants: int) -> Settings:
    """The settings, with this many applicants where no other number was asked for."""
    if settings.applicants is not None:
        return settings
    return replace(settings, applicants=applicants)
