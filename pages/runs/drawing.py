"""Whether any page of this server is being drawn: what can wait does not begin until none is."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


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

    def rest(self) -> float:
        """For how many seconds none has been drawn."""
        return 0.0 if self.going_on else time.monotonic() - self._ended


PAGES = Pages()
