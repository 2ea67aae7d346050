"""Long work beside the pages: one thread per run, stopped on request or when its visitor leaves.

The work itself is done by worker processes at low priority, so that every page stays quick. Each
run has processes of its own, so stopping one harms no other. A few runs work at a time, as the
cores allow, and the others wait in an order that is fair between visitors.
"""

import time
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from threading import Event, Thread
from typing import Any

import streamlit as st
from joblib import cpu_count
from joblib.parallel import mp as multiprocessing

from dirrac_core.errors import DirracError
from dirrac_core.parallel import own_workers
from dirrac_core.progress import Cancel, Progress
from pages.runs.drawing import PAGES
from pages.runs.kept import KeptResults
from pages.runs.processes import ASK_EVERY, POLITENESS, run_apart
from pages.runs.turns import Turns

WAITING, RUNNING, FINISHED, STOPPED, FAILED = "waiting", "running", "finished", "stopped", "failed"
UNEXPECTED = "The computation ended unexpectedly. Nothing of it is kept; it can be started again"
NO_WORKERS = (
    "Long computations need worker processes, and this server cannot start any: it has no shared "
    "memory that it may write to (/dev/shm). docs/deploy.md says how whoever runs it can mend that"
)

Work = Callable[[Progress, Cancel], Any]


@dataclass(eq=False)
class Run:
    """One computation: what it is `about`, how far it got, and its result.

    A stopped run keeps the result its work returned when asked to stop. It begins when no page of
    the server has been drawn for `rest` seconds.
    """

    about: Any
    rest: float = 0.0
    state: str = WAITING
    part: float = 0.0
    words: str = ""
    result: Any = None
    problem: str = ""
    _stop: Event = field(default_factory=Event, repr=False)
    _ended: Event = field(default_factory=Event, repr=False)

    @property
    def active(self) -> bool:
        """Whether it waits or works."""
        return self.state in (WAITING, RUNNING)

    def stop(self) -> None:
        """Ask it to end; it does so at the next result."""
        self._stop.set()

    def is_stopping(self) -> bool:
        """Whether it was asked to end."""
        return self._stop.is_set()

    def report(self, part: float, words: str) -> None:
        """Note how far the work is, in [0, 1], with a sentence about it."""
        self.part, self.words = min(max(part, 0.0), 1.0), words

    def wait(self, seconds: float) -> bool:
        """Wait for the end; whether it came."""
        return self._ended.wait(seconds)


# Runs that work at a time; each of them needs memory for its own worker processes.
MOST_AT_ONCE = 4
# Where pages are drawn all the time, a run waits for them no longer than this many seconds.
LONGEST_WAIT = 5.0
_TURNS = Turns(min(MOST_AT_ONCE, cpu_count()), cpu_count())
# Finished results for everyone on the server, by what they are about.
_KEPT = KeptResults()


@st.cache_resource(scope="session", show_spinner=False, on_release=lambda runs: _stop_all(runs))
def _runs() -> dict[str, Run]:
    """The runs of this visitor by name; they are stopped when the visitor is gone."""
    return {}


def _stop_all(runs: dict[str, Run]) -> None:
    for run in runs.values():
        run.stop()


def run_of(name: str) -> Run | None:
    """The visitor's last run of this name."""
    return _runs().get(name)


def kept_result(name: str, about: Hashable) -> Any | None:
    """What a finished run of this name, of any visitor, found about exactly this."""
    return _KEPT.get((name, about))


def start(name: str, about: Any, work: Work, keep: bool = False, rest: float = 0.0) -> Run:
    """Begin work(progress, cancel) in its own thread, in place of the last run of this name.

    The work may not call Streamlit. With jobs=None it is shared out among the worker processes.
    A finished result is kept for all visitors when `keep`; then it may hold nothing private.
    Work that nobody asked for waits until the pages have been at `rest` for so many seconds.
    """
    before = run_of(name)
    if before is not None:
        before.stop()
    run = Run(about, rest)
    runs = _runs()
    runs[name] = run
    join = partial(_TURNS.join, run, runs)
    if not rest:
        join()
    # A copy of this context: the run opens the tables of the visitor who started it.
    act = copy_context().run
    Thread(
        target=act,
        args=(_carry_out, run, work, (name, about) if keep else None, join if rest else None),
        name=f"run {name}",
        daemon=True,
    ).start()
    return run


def begin(name: str, about: Any, work: Work) -> None:
    """`start`, for a button."""
    start(name, about, work)


def start_apart(
    name: str,
    about: Any,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    keep: bool = False,
    rest: float = 0.0,
) -> Run:
    """Begin function(*arguments, progress=…) in a process of its own; else as `start`."""
    return start(name, about, partial(run_apart, function, arguments), keep, rest)


def places_ahead(run: Run) -> int:
    """How many runs of the server come before this one; 0 when it is its turn."""
    return _TURNS.ahead(run)


def _carry_out(
    run: Run, work: Work, kept_as: Hashable | None, join: Callable[[], None] | None
) -> None:
    ended, run.problem = FAILED, UNEXPECTED
    try:
        if join:
            # Whoever rests has no place yet, and holds up nobody.
            _rest(run)
            join()
        cores = _turn(run)
        if cores:
            run.state = RUNNING
            with _workers(cores):
                run.result = work(run.report, run.is_stopping)
        ended, run.problem = STOPPED if run.is_stopping() else FINISHED, ""
        if ended == FINISHED and kept_as is not None:
            _KEPT.put(kept_as, run.result)
    except DirracError as problem:
        run.problem = str(problem)
    finally:
        # Anything unexpected goes on to the server's log; the visitor reads that it happened.
        run.state = ended
        _TURNS.leave(run)
        run._ended.set()


def _rest(run: Run) -> None:
    """Wait until no page has been drawn for a while."""
    end = time.monotonic() + LONGEST_WAIT
    while not run.is_stopping() and PAGES.rest() < run.rest and time.monotonic() < end:
        run._stop.wait(ASK_EVERY)


def _turn(run: Run) -> int:
    """Wait for the turn of a run: how many cores it may use; 0 when it was stopped before."""
    while not run.is_stopping():
        cores = _TURNS.take(run)
        if cores:
            return cores
        run._stop.wait(ASK_EVERY)
    return 0


def _workers(cores: int) -> AbstractContextManager[None]:
    # Without worker processes every visitor's page would stand still meanwhile.
    if multiprocessing is None:
        raise DirracError(NO_WORKERS)
    return own_workers(cores, POLITENESS)
