"""Long work beside the pages: one thread a run, stopped on request or when its visitor leaves.

The work itself is done by joblib's worker processes at low priority, so that every page stays
quick. All runs of the server share those workers, and stopping a run ends them: therefore one
run works at a time, and the others wait and are told.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Any

import streamlit as st
from joblib import parallel_config
from joblib.parallel import mp as multiprocessing

from dirrac_core.errors import DirracError
from dirrac_core.evaluation.parallel import ALL_CORES, Cancel, Progress
from pages.shared import notices

WAITING, RUNNING, FINISHED, STOPPED, FAILED = "waiting", "running", "finished", "stopped", "failed"
UNEXPECTED = "The computation ended unexpectedly. Nothing of it is kept; it can be started again"
NO_WORKERS = (
    "Long computations need worker processes, and this server cannot start any: it has no shared "
    "memory that it may write to (/dev/shm). docs/deploy.md says how whoever runs it can mend that"
)
# Added to the niceness of the worker processes; a page always goes first.
POLITENESS = 5
# Seconds between two looks at a run, on the page and in the queue.
LOOK_EVERY = 1.0
ASK_EVERY = 0.1

Work = Callable[[Progress, Cancel], Any]


@dataclass(eq=False)
class Run:
    """One computation: what it is `about`, how far it got, and its result.

    A stopped run keeps the result its work returned when told to stop.
    """

    about: Any
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

    def stopping(self) -> bool:
        """Whether it was asked to end."""
        return self._stop.is_set()

    def told(self, part: float, words: str) -> None:
        """How far the work is, in [0, 1], and a sentence about it."""
        self.part, self.words = min(max(part, 0.0), 1.0), words

    def wait(self, seconds: float) -> bool:
        """Wait for the end; whether it came."""
        return self._ended.wait(seconds)


class _Turns:
    """Whose turn it is: one run works, the rest wait in the order they came."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._queue: list[Run] = []

    def join(self, run: Run) -> None:
        with self._lock:
            self._queue.append(run)

    def leave(self, run: Run) -> None:
        with self._lock:
            self._queue.remove(run)

    def ahead(self, run: Run) -> int:
        """How many runs come before this one; 0 when it is its turn."""
        with self._lock:
            return self._queue.index(run) if run in self._queue else 0


_TURNS = _Turns()


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


def start(name: str, about: Any, work: Work) -> Run:
    """Begin work(progress, cancel) in its own thread, in the place of the last run of this name.

    The work may not call Streamlit. With jobs=None it is shared out among the worker processes.
    """
    before = run_of(name)
    if before is not None:
        before.stop()
    run = Run(about)
    _runs()[name] = run
    _TURNS.join(run)
    Thread(target=_carry_out, args=(run, work), name=f"run {name}", daemon=True).start()
    return run


def _carry_out(run: Run, work: Work) -> None:
    ended, run.problem = FAILED, UNEXPECTED
    try:
        while _TURNS.ahead(run) and not run.stopping():
            run._stop.wait(ASK_EVERY)
        if not run.stopping():
            run.state = RUNNING
            with _workers():
                run.result = work(run.told, run.stopping)
        ended, run.problem = STOPPED if run.stopping() else FINISHED, ""
    except DirracError as problem:
        run.problem = str(problem)
    finally:
        # Anything unexpected goes on to the server's log; the visitor is told that it happened.
        run.state = ended
        _TURNS.leave(run)
        run._ended.set()


def _workers() -> parallel_config:
    # joblib would go on in this process, and every visitor's page would stand still meanwhile.
    if multiprocessing is None:
        raise DirracError(NO_WORKERS)
    return parallel_config(
        backend="loky",
        n_jobs=ALL_CORES,
        inner_max_num_threads=1,
        initializer=os.nice,
        initargs=(POLITENESS,),
    )


def watch(run: Run) -> None:
    """Progress and a way to stop, looked at again and again; the page runs anew at the end."""
    st.fragment(_look, run_every=LOOK_EVERY)(run)


def _look(run: Run) -> None:
    if not run.active:
        st.rerun()
    ahead = _TURNS.ahead(run)
    if run.state == WAITING and ahead:
        others = "1 other computation" if ahead == 1 else f"{ahead} other computations"
        st.progress(0.0, f"Waiting for {others} on this server; it starts by itself.")
    else:
        st.progress(run.part, run.words or "Starting the worker processes")
    st.button(
        "Stopping" if run.stopping() else "Stop",
        icon=":material/stop:",
        key=f"stop {id(run)}",
        on_click=run.stop,
        disabled=run.stopping(),
        help="What is finished by then is kept.",
    )
    st.caption("You can go to other pages meanwhile and come back; closing the tab ends it.")


def failure(run: Run) -> None:
    """What went wrong, in words."""
    if run.state == FAILED:
        with notices.told_in_words():
            raise DirracError(run.problem)
