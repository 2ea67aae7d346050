"""Long work says how far it is, and can be stopped."""

from collections.abc import Callable

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
