"""Being stopped from outside: SIGTERM ends a command as Ctrl-C does, with a word; a reader that has
enough, as `head` has, ends it without one."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

# As shells count them: 128 and the number of the signal.
INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM
UNREAD = 128 + signal.SIGPIPE
STOPPED = (INTERRUPTED, TERMINATED)


class Terminated(KeyboardInterrupt):
    """The process was asked to end by SIGTERM: a service manager, a container, `kill`."""


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """Raise `Terminated` in the main thread when SIGTERM comes; only that thread hears signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_: int, __: FrameType | None) -> None:
        # A second one must not cut short what the first one has tidied up.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise Terminated

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def exit_code(stop: KeyboardInterrupt) -> int:
    """The exit code of a command that was stopped."""
    return TERMINATED if isinstance(stop, Terminated) else INTERRUPTED


def end_at_once(code: int) -> NoReturn:
    """End the process with this code after everything printed has been written.

    A stop may leave a library in the middle of reading ahead, and a thread of it that still runs
    would abort an orderly end of the interpreter.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def unread() -> int:
    """The exit code of a command whose reader has left; what is still to be printed goes nowhere.

    Python writes the rest of its buffer when it ends, and would complain once more.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return UNREAD
