"""Everybody planned for: together where the kernel settles them, the others one by one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from dirrac_core.arrays import Array
from dirrac_core.parallel import has_own_workers, mapped, worker_count
from dirrac_core.progress import Cancel, Progress, scaled
from dirrac_core.solvers.batch.crowd import Places
from dirrac_core.solvers.batch.pieces import Mask
from dirrac_core.studies.measures import BATCH

KERNEL = "kernel"
# The kernel's part of the progress of a run in which few people are left over.
KERNEL_SHARE = 0.9
Item = TypeVar("Item")


@dataclass(frozen=True, eq=False)
class Everybody:
    """One row per person by place (the index); a first part when not `complete`.

    `one_by_one` is how many of them the kernel left to the solver.
    """

    rows: pd.DataFrame
    one_by_one: int
    complete: bool


def plan_everybody(
    together: Callable[[Array], tuple[Mask, pd.DataFrame]] | None,
    one: Callable[[Item], dict[str, Any]],
    X: Array,
    items: Callable[[int], Item],
    jobs: int | None,
    progress: Progress,
    cancel: Cancel,
) -> Everybody:
    """The rows of the people X (n, D − 1): the kernel's in batches, the others one by one.

    `together` gives of some people who is settled, and the rows of those; None leaves everybody to
    `one`, which is asked with the item of a place.
    """
    people = len(X)
    parts: list[pd.DataFrame] = []
    left = np.arange(people)
    finished = people
    share = 0.0
    if together is not None and people:
        # A single batch is done sooner than a worker starts, but only a worker can be stopped.
        workers = 1 if people <= BATCH and not has_own_workers(jobs) else jobs
        size = _even_size(people, worker_count(workers))
        starts = range(0, people, size)
        batches = [X[first : first + size] for first in starts]
        share = KERNEL_SHARE
        done = mapped(together, batches, workers, scaled(progress, 0.0, share), cancel)
        unsettled = []
        for first, (settled, rows) in zip(starts, done.results, strict=False):
            parts.append(rows.set_axis(first + np.flatnonzero(settled)))
            unsettled.append(first + np.flatnonzero(~settled))
        left = np.concatenate(unsettled) if unsettled else left[:0]
        finished = min(people, size * len(done.results))
        if not done.complete:
            return _first_part(parts, left, finished)
    asked = [items(int(place)) for place in left]
    rest = mapped(one, asked, jobs, scaled(progress, share, 1.0), cancel)
    if rest.results:
        parts.append(pd.DataFrame(rest.results, index=left[: len(rest.results)]))
    if not rest.complete:
        return _first_part(parts, left[len(rest.results) :], finished)
    if not asked and people:
        progress(1.0, "")
    return Everybody(_in_order(parts), len(left), True)


def _even_size(people: int, workers: int) -> int:
    """The size of a batch, at most BATCH, so that all workers have as much to do."""
    rounds = -(-people // (BATCH * workers))
    return -(-people // (rounds * workers))


def _first_part(parts: list[pd.DataFrame], missing: Places, finished: int) -> Everybody:
    """Everybody before the first one who is missing."""
    end = int(min(finished, missing.min(initial=finished)))
    rows = _in_order(parts)
    kept = rows.loc[rows.index < end]
    return Everybody(kept, int((kept["solved_by"] != KERNEL).sum()) if len(kept) else 0, False)


def _in_order(parts: list[pd.DataFrame]) -> pd.DataFrame:
    there = [part for part in parts if len(part)]
    return pd.concat(there).sort_index() if there else pd.DataFrame()
