"""One long function in a process of its own, with progress and a way to end it at once."""

import os
import pickle
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any

from joblib.externals.loky.backend.context import get_context
from joblib.externals.loky.backend.reduction import dumps

from dirrac_core.errors import DirracError, WorkerFailure
from dirrac_core.parallel import end_with_parent
from dirrac_core.progress import Cancel, Progress

# Added to the niceness of a worker process: a page always goes first. With 5, two workers beside
# one busy server took nearly half its time on two cores; with 15, a sixth.
POLITENESS = 15
# Seconds between two questions whether to stop.
ASK_EVERY = 0.1
# One thread per process, like joblib's own workers.
_ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
_PROGRESS, _DONE, _FAILED = "progress", "done", "failed"


def run_apart(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    progress: Progress,
    cancel: Cancel,
    grace: float = 0.0,
) -> Any | None:
    """function(*arguments, progress=…) in another process; None when it was cancelled.

    What goes there and back is pickled. Cancelling ends the process at once. With `grace` the
    function is given cancel=… too, and so many seconds to hand back what it has by then.
    """
    work = dumps((function, arguments, grace > 0.0))
    # Unlike the standard library's contexts, this one does not run the main script again there.
    context = get_context("loky")
    reader, writer = context.Pipe(duplex=False)
    orders, handing = context.Pipe(duplex=False)
    process = context.Process(
        target=_carry_out, args=(writer, orders, os.getpid()), daemon=True, env=_ONE_THREAD
    )
    process.start()
    # From outside, so that it holds for the imports that the process begins with, too.
    nicer = os.getpriority(os.PRIO_PROCESS, 0) + POLITENESS
    os.setpriority(os.PRIO_PROCESS, process.pid, nicer)
    writer.close()
    orders.close()
    # A process that is still starting does not read, and whoever writes waits for it.
    handed = Thread(target=_hand_over, args=(handing, work), daemon=True)
    handed.start()
    until: float | None = None
    try:
        while until is None or time.monotonic() < until:
            if until is None and cancel():
                if not grace or handed.is_alive():
                    break
                _hand_over(handing, b"stop")
                until = time.monotonic() + grace
            if not reader.poll(ASK_EVERY):
                continue
            kind, content = _received(reader)
            if kind == _DONE:
                return content
            if kind == _FAILED:
                raise content
            progress(*content)
        return None
    finally:
        process.terminate()
        process.join()
        handed.join()
        handing.close()
        reader.close()


def _received(reader: Connection) -> tuple[str, Any]:
    try:
        kind, content = reader.recv()
    except EOFError:
        message = (
            "A worker process must run until its work is done, got one that was ended from "
            "outside, most often because memory ran out"
        )
        raise WorkerFailure(message) from None
    return kind, content


def _hand_over(handing: Connection, order: bytes) -> None:
    # A process that was ended meanwhile takes nothing.
    with suppress(BrokenPipeError):
        handing.send_bytes(order)


def _carry_out(writer: Connection, orders: Connection, parent: int) -> None:
    """In the worker: a named error goes back; any other is logged there and ends the process."""
    end_with_parent(parent)
    function, arguments, can_stop = pickle.loads(orders.recv_bytes())

    def tell(part: float, words: str) -> None:
        writer.send((_PROGRESS, (part, words)))

    # Whatever comes after the work is the order to stop.
    told: dict[str, Any] = {"cancel": orders.poll} if can_stop else {}
    try:
        answer = (_DONE, function(*arguments, progress=tell, **told))
    except DirracError as problem:
        answer = (_FAILED, problem)
    writer.send(answer)
