"""Long work in parallel: one function over many items, with progress and a way to stop."""

import os
import pickle
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Generic, TypeVar

from joblib import Parallel, delayed, effective_n_jobs
from joblib.externals.loky import ProcessPoolExecutor
from joblib.externals.loky.backend.reduction import dumps

from dirrac_core.errors import InvalidInput, WorkerFailure
from dirrac_core.progress import Cancel, Progress, never, no_progress

Item = TypeVar("Item")
Result = TypeVar("Result")

ALL_CORES = -1
# Items travel to a worker in batches, because the function and all it holds travel with each
# batch. A worker gets at least so many batches, so that none waits long for the last one.
BATCHES_PER_WORKER = 8
LARGEST_BATCH = 32
# Seconds between two looks of a worker for its parent.
PARENT_PAUSE = 0.5
# Seconds between two questions whether to stop, while workers of one's own are at work.
ASK_EVERY = 0.1
# Batches that wait at each worker of one's own.
AHEAD = 2
# One thread per worker process.
_ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}


@dataclass(frozen=True, eq=False)
class Mapped(Generic[Result]):
    """The results in the order of the items; `complete` is False when the work was cancelled."""

    results: list[Result]
    complete: bool


def mapped(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int | None = ALL_CORES,
    progress: Progress = no_progress,
    cancel: Cancel = never,
) -> Mapped[Result]:
    """function(item) for every item, by joblib; the same results for any number of `jobs`.

    `jobs` None takes the workers of the surrounding `own_workers`; without one the number, like the
    backend, from the surrounding `joblib.parallel_config`. `cancel` is asked after each result, and
    by `own_workers` all the time; when it answers True the finished results, a first part of the
    items, are returned.
    """
    jobs = checked_jobs(jobs)
    results: list[Result] = []
    if cancel():
        return Mapped(results, not items)
    own = _OWN.get() if jobs is None else None
    size = batch_size(len(items), worker_count(jobs))
    batches = (items[start : start + size] for start in range(0, len(items), size))
    stream = (
        _by_joblib(function, batches, jobs) if own is None else own.each(function, batches, cancel)
    )
    try:
        for done in stream:
            for result in done:
                results.append(result)
                progress(len(results) / len(items), f"{len(results)} of {len(items)} done")
                if cancel():
                    return Mapped(results, len(results) == len(items))
    except BrokenProcessPool:
        message = (
            "Worker processes must run until their work is done, got one that was ended from "
            "outside, most often because memory ran out; fewer of them need less"
        )
        raise WorkerFailure(message) from None
    except CancelledError as lost:
        # Nothing here cancels a task: the cluster did, having lost its scheduler.
        raise _cluster_lost(lost) from None
    finally:
        stream.close()
    return Mapped(results, len(results) == len(items))


def _by_joblib(
    function: Callable[[Item], Result], batches: Iterator[Sequence[Item]], jobs: int | None
) -> Generator[list[Result]]:
    # joblib's own batches differ from run to run with the clock; these do not.
    workers = Parallel(
        n_jobs=jobs,
        return_as="generator",
        batch_size=1,
        initializer=end_with_parent,
        initargs=(os.getpid(),),
    )
    stream: Generator[list[Result]] = workers(delayed(_each)(function, batch) for batch in batches)
    return stream


class _OwnWorkers:
    """Worker processes of one long work and no other; started when first needed."""

    def __init__(self, count: int, niceness: int) -> None:
        self.count, self._niceness = count, niceness
        self._pool: ProcessPoolExecutor | None = None

    def each(
        self,
        function: Callable[[Item], Result],
        batches: Iterator[Sequence[Item]],
        cancel: Cancel,
    ) -> Generator[list[Result]]:
        """The results batch by batch, in their order; ends early, and at once, when cancelled."""
        pool = self._started()
        # Pickled once: what it holds may take a second, in which no page of this process goes on.
        sent = bytes(dumps(function))
        if cancel():
            return
        waiting: deque[Future[list[Result]]] = deque(
            pool.submit(_each_sent, sent, batch) for batch in islice(batches, AHEAD * self.count)
        )
        while waiting:
            while not wait((waiting[0],), timeout=ASK_EVERY).done:
                if cancel():
                    self.end()
                    return
            yield waiting.popleft().result()
            waiting.extend(pool.submit(_each_sent, sent, batch) for batch in islice(batches, 1))

    def end(self) -> None:
        """End the processes, whatever they are doing."""
        if self._pool is not None:
            self._pool.shutdown(kill_workers=True)
            self._pool = None

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self.count,
                initializer=_begin_worker,
                initargs=(os.getpid(), self._niceness),
                env=_ONE_THREAD,
            )
        return self._pool


_OWN: ContextVar[_OwnWorkers | None] = ContextVar("workers of one's own", default=None)


@contextmanager
def own_workers(count: int, niceness: int = 0) -> Iterator[None]:
    """Inside, `mapped` with jobs None has `count` processes that it shares with nobody.

    They are started when first needed, are nicer than this process by `niceness`, and end with the
    block; cancelling ends them at once and harms no other work.
    """
    if count < 1:
        raise InvalidInput(f"The number of worker processes must be ≥ 1, got {count}")
    workers = _OwnWorkers(count, niceness)
    token = _OWN.set(workers)
    try:
        yield
    finally:
        _OWN.reset(token)
        workers.end()


def _begin_worker(parent: int, niceness: int) -> None:
    os.nice(niceness)
    end_with_parent(parent)


def by_worker(
    function: Callable[[], Result], jobs: int | None = ALL_CORES, cancel: Cancel = never
) -> Result | None:
    """function() by a worker where that can be stopped, else here; None when cancelled."""
    if not has_own_workers(jobs):
        return function()
    found = mapped(_called, (function,), jobs, cancel=cancel).results
    return found[0] if found else None


def _called(function: Callable[[], Result]) -> Result:
    return function()


def has_own_workers(jobs: int | None) -> bool:
    """Whether `mapped` with these `jobs` can be stopped in the middle of an item."""
    return jobs is None and _OWN.get() is not None


def worker_count(jobs: int | None) -> int:
    """How many workers `mapped` has for these `jobs`; a cluster has to be asked."""
    own = _OWN.get() if jobs is None else None
    if own is not None:
        return own.count
    try:
        return int(effective_n_jobs(jobs))
    except OSError as lost:
        raise _cluster_lost(lost) from None


def _cluster_lost(problem: Exception) -> WorkerFailure:
    return WorkerFailure(
        "The scheduler of a cluster must answer until the work is done, got no connection to it; "
        f"start it again, and go on with what is finished (resume): {problem}"
    )


def checked_jobs(jobs: int | None) -> int | None:
    """`jobs` when it is a number of processes: 1 or more, or −1 and below counted from all."""
    whole = isinstance(jobs, int) and not isinstance(jobs, bool)
    if jobs is not None and (not whole or jobs == 0):
        message = f"jobs must be a number of processes ≥ 1, or -1 for every core, got {jobs!r}"
        raise InvalidInput(message)
    return jobs


def end_with_parent(parent: int) -> None:
    """Watch the process `parent` from this worker of it, and end when it is gone.

    A parent that is killed without warning cannot end its workers, and each holds all it loaded.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_PAUSE)
        os._exit(1)

    threading.Thread(target=watch, name="end with parent", daemon=True).start()


def _each(function: Callable[[Item], Result], batch: Sequence[Item]) -> list[Result]:
    return [function(item) for item in batch]


def _each_sent(sent: bytes, batch: Sequence[Any]) -> list[Any]:
    return _each(_received(sent), batch)


@lru_cache(maxsize=1)
def _received(sent: bytes) -> Callable[[Any], Any]:
    """The function a worker was sent; it comes with every batch and is read once."""
    function: Callable[[Any], Any] = pickle.loads(sent)
    return function


def batch_size(items: int, workers: int) -> int:
    """How many items travel together: one where nothing travels, else so that nobody idles."""
    if workers == 1:
        return 1
    return min(LARGEST_BATCH, max(1, items // (BATCHES_PER_WORKER * workers)))
