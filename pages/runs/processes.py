"""One long function in a process of its own, with progress and a way to end it at once."""

import os
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from joblib.externals.loky.backend.context import get_context

from dirrac_core.errors import DirracError, WorkerFailure
from dirrac_core.progress import Cancel, Progress

# Added to the niceness of a worker process; a page always goes first.
POLITENESS = 5
# Seconds between two questions whether to stop.
ASK_EVERY = 0.1
# One thread per process, like joblib's own workers.
_ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
_PROGRESS, _DONE, _FAILED = "progress", "done", "failed"


def run_apart(
    function: Callable[..., Any], arguments: tuple[Any, ...], progress: Progress, cancel: Cancel
) -> Any | None:
    """function(*arguments, progress=…) in another process; None when it was cancelled.

    What goes there and back is pickled. Cancelling ends the process at once.
    """
    # Unlike the standard library's contexts, this one does not run the main script again there.
    context = get_context("loky")
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(
        target=_carry_out, args=(writer, function, arguments), daemon=True, env=_ONE_THREAD
    )
    process.start()
    writer.close()
    try:
        while not cancel():
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


def _carry_out(
    writer: Connection, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    """In the worker: a named error goes back; any other is logged there and ends the process."""
    os.nice(POLITENESS)

    def tell(part: float, words: str) -> None:
        writer.send((_PROGRESS, (part, words)))

    try:
        answer = (_DONE, function(*arguments, progress=tell))
    except DirracError as problem:
        answer = (_FAILED, problem)
    writer.send(answer)
