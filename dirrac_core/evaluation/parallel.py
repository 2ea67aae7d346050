"""Long work in parallel: one function over many items, with progress and a way to stop."""

from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Generic, TypeVar

from joblib import Parallel, delayed, effective_n_jobs

from dirrac_core.errors import WorkerFailure

Progress = Callable[[float, str], None]
Cancel = Callable[[], bool]
Item = TypeVar("Item")
Result = TypeVar("Result")

ALL_CORES = -1
# Items travel to a worker in batches, because the function and all it holds travel with each
# batch. A worker gets at least so many batches, so that none waits long for the last one.
BATCHES_PER_WORKER = 8
LARGEST_BATCH = 32


@dataclass(frozen=True, eq=False)
class Mapped(Generic[Result]):
    """The results in the order of the items; `complete` is False when the work was cancelled."""

    results: list[Result]
    complete: bool


def mapped(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int | None = ALL_CORES,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Mapped[Result]:
    """function(item) for every item, by joblib; the same results for any number of `jobs`.

    `jobs` None takes the number, like the backend, from the surrounding
    `joblib.parallel_config`. `cancel` is asked after each result; when it answers True the
    finished results, a first part of the items, are returned.
    """
    results: list[Result] = []
    if cancel is not None and cancel():
        return Mapped(results, not items)
    size = batch_size(len(items), effective_n_jobs(jobs))
    batches = (items[start : start + size] for start in range(0, len(items), size))
    # joblib's own batches differ from run to run with the clock; these do not.
    workers = Parallel(n_jobs=jobs, return_as="generator", batch_size=1)
    stream = workers(delayed(_each)(function, batch) for batch in batches)
    try:
        for done in stream:
            for result in done:
                results.append(result)
                if progress is not None:
                    progress(len(results) / len(items), f"{len(results)} of {len(items)} done")
                if cancel is not None and cancel():
                    return Mapped(results, len(results) == len(items))
    except BrokenProcessPool:
        message = (
            "Worker processes must run until their work is done, got one that was ended from "
            "outside, most often because memory ran out; fewer of them need less"
        )
        raise WorkerFailure(message) from None
    finally:
        stream.close()
    return Mapped(results, len(results) == len(items))


def _each(function: Callable[[Item], Result], batch: Sequence[Item]) -> list[Result]:
    return [function(item) for item in batch]


def batch_size(items: int, workers: int) -> int:
    """How many items travel together: one where nothing travels, else so that nobody idles."""
    if workers == 1:
        return 1
    return min(LARGEST_BATCH, max(1, items // (BATCHES_PER_WORKER * workers)))
