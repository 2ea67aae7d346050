"""Whether any page of this server is being drawn: what can wait does not begin until none is."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

# Seconds without any page being drawn before other work begins.
PAUSE = 0.25


class Pages:
    """How many runs of a page this server has begun, and how many of them still go on."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.begun = self.going_on = 0
        self._ended = float("-inf")

    @contextmanager
    def drawn(self) -> Iterator[None]:
        """Inside, a page is drawn."""
        with self._lock:
            self.begun += 1
            self.going_on += 1
        try:
            yield
        finally:
            with self._lock:
                self.going_on -= 1
                self._ended = time.monotonic()

    def are_at_rest(self) -> bool:
        """Whether none has been drawn for `PAUSE` seconds."""
        return not self.going_on and time.monotonic() - self._ended >= PAUSE


PAGES = Pages()
