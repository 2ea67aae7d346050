"""Long work says how far it is, and can be stopped."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# The part done, from 0 to 1, and what is being done.
Progress = Callable[[float, str], None]
# Whether to stop; asked between two steps.
Cancel = Callable[[], bool]


def no_progress(part: float, words: str) -> None:
    """No-op progress callback."""


def never() -> bool:
    """Never cancels."""
    return False


def step_of(progress: Progress, index: int, steps: int, prefix: str = "") -> Progress:
    """Progress within step `index` (from 0) of `steps` equal ones, as progress of the whole."""

    def tell(part: float, words: str) -> None:
        progress((index + part) / steps, prefix + words)

    return tell


def scaled(progress: Progress, low: float, high: float) -> Progress:
    """Progress of a step that begins at `low` and ends at `high` of the whole."""

    def tell(part: float, words: str) -> None:
        progress(low + (high - low) * part, words)

    return tell


class _ThisThread(threading.local):
    """What this thread looks at between two solves; work handed to another thread does not."""

    look: Callable[[], object] | None = None


_HERE = _ThisThread()


@contextmanager
def looking_up(look: Callable[[], object]) -> Iterator[None]:
    """Inside, this thread calls `look` between steps of long work; it may raise to leave it.

    What is left so has computed nothing and kept nothing, and can be begun again.
    """
    before, _HERE.look = _HERE.look, look
    try:
        yield
    finally:
        _HERE.look = before


def look_up() -> None:
    """Between two steps of long work: the place to leave it."""
    if _HERE.look is not None:
        _HERE.look()
