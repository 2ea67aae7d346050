"""Results of long work by what they are about, kept for everyone on the server; bounded."""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Any

# A portfolio of a thousand people takes about a megabyte.
MOST_KEPT = 64


class KeptResults:
    """The results last used; read-only by agreement, like everything visitors share."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._results: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()

    def put(self, key: Hashable, result: Any) -> None:
        """Keep a result; the one unused for longest makes room."""
        with self._lock:
            self._results[key] = result
            self._results.move_to_end(key)
            while len(self._results) > self._most:
                self._results.popitem(last=False)

    def get(self, key: Hashable) -> Any | None:
        """The result kept under this key; None without one."""
        with self._lock:
            if key not in self._results:
                return None
            self._results.move_to_end(key)
            return self._results[key]
