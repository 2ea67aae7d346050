"""Whose turn it is: a few runs work at a time, and nobody's second run goes before another's first.

A visitor holds all places but one at most, where there is more than one, so that a newcomer need
not wait for somebody who has started everything at once.
"""

from dataclasses import dataclass
from threading import Lock


@dataclass(frozen=True, eq=False)
class _Place:
    run: object
    visitor: object


class Turns:
    """The runs that work and those that wait; `most` of them work at a time, on `cores` cores."""

    def __init__(self, most: int, cores: int) -> None:
        self._most, self._cores = most, cores
        self._lock = Lock()
        self._working: list[_Place] = []
        self._waiting: list[_Place] = []

    def join(self, run: object, visitor: object) -> None:
        """Wait for a turn, behind those who came before."""
        with self._lock:
            self._waiting.append(_Place(run, visitor))

    def take(self, run: object) -> int:
        """How many cores this run may use from now on; 0 while it is not its turn."""
        with self._lock:
            order = self._order()
            if not order or order[0].run is not run or self._is_full(order[0]):
                return 0
            crowd = min(self._most, len(self._working) + len(self._waiting))
            self._waiting.remove(order[0])
            self._working.append(order[0])
            return max(1, self._cores // crowd)

    def leave(self, run: object) -> None:
        """Work or wait no longer."""
        with self._lock:
            self._working = [place for place in self._working if place.run is not run]
            self._waiting = [place for place in self._waiting if place.run is not run]

    def ahead(self, run: object) -> int:
        """How many runs must end or begin before this one begins; 0 once it works."""
        with self._lock:
            order = [place.run for place in self._order()]
            return len(self._working) + order.index(run) if run in order else 0

    def _order(self) -> list[_Place]:
        """Those who wait, in the order of their turns: the visitor with the least work first."""
        return sorted(self._waiting, key=lambda place: (self._is_full(place), self._held(place)))

    def _held(self, place: _Place) -> int:
        return sum(other.visitor is place.visitor for other in self._working)

    def _is_full(self, place: _Place) -> bool:
        each = max(1, self._most - 1)
        return len(self._working) >= self._most or self._held(place) >= each
