"""Long work in parallel: one function over many items, with progress and a way to stop."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from joblib import Parallel, delayed

Progress = Callable[[float, str], None]
Cancel = Callable[[], bool]
Item = TypeVar("Item")
Result = TypeVar("Result")

ALL_CORES = -1


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
    `joblib.parallel_config`. `cancel` is asked before each result is waited for; when it answers
    True the finished results, a first part of the items, are returned.
    """
    results: list[Result] = []
    if cancel is not None and cancel():
        return Mapped(results, not items)
    stream = Parallel(n_jobs=jobs, return_as="generator")(delayed(function)(i) for i in items)
    try:
        for result in stream:
            results.append(result)
            if progress is not None:
                progress(len(results) / len(items), f"{len(results)} of {len(items)} done")
            if cancel is not None and cancel():
                break
    finally:
        stream.close()
    return Mapped(results, len(results) == len(items))
