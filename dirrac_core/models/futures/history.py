"""Replayed history: what the model went through between two past periods may happen again.

The present people are cut into windows of about equal information, at whole periods; a model is
trained on each of them, and Δ_t = θ̂_{t+1} − θ̂_t is a change that did happen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, brief, checked_choice, checked_number, checked_whole_number
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.periods import Periods
from dirrac_core.errors import InvalidInput
from dirrac_core.models.futures.bootstrap import pooled_model
from dirrac_core.models.futures.shift import HISTORY, NOISE, PRIOR, STORIES, Shift
from dirrac_core.models.futures.shifts import Pool
from dirrac_core.models.logistic import LogisticSettings

FEWEST_PEOPLE = 20
MOST_WINDOWS = 9
# A refusal names so many periods.
MOST_COUNTED = 4
# More periods than this are first put together, so that cutting stays quick.
MOST_PERIODS = 400
BASES = ("all", "recent")
WEIGHTINGS = ("equal", "recency")
ARROW = " → "


@dataclass(frozen=True)
class History:
    """How the past is replayed.

    `windows` is how many windows are wanted; `base` is where the changes start: the model of
    "all" present people or of the most "recent" window; `weighting` gives the changes equal
    weights or, by "recency", 1, 2, 3, … from the oldest on; `strength` multiplies every change.
    """

    windows: int = 4
    base: str = "all"
    weighting: str = "equal"
    strength: float = 1.0

    def __post_init__(self) -> None:
        checked_whole_number("The number of windows", self.windows, 2, MOST_WINDOWS)
        checked_choice("The base of replayed history", self.base, BASES)
        checked_choice("The weighting of past changes", self.weighting, WEIGHTINGS)
        if isinstance(self.strength, bool | str):
            message = f"The strength of history must be a number, got {brief(self.strength)}"
            raise InvalidInput(message)
        strength = checked_number("The strength of history", self.strength, low=0.0)
        if strength > STORIES[HISTORY].strongest:
            message = f"The strength of history must be at most 3, got {strength:g}"
            raise InvalidInput(message)
        object.__setattr__(self, "strength", strength)


@dataclass(frozen=True, eq=False)
class Window:
    """The periods called `name`, and who of the present people falls into them (n,)."""

    name: str
    rows: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Change:
    """What happened between two windows that follow each other."""

    before: str
    after: str

    @property
    def name(self) -> str:
        """Such as “2003 → 2004”."""
        return f"{self.before}{ARROW}{self.after}"


def windows_of(dataset: Dataset, windows: int = History.windows) -> tuple[Window, ...]:
    """The present people in up to `windows` windows with about equal counts of the rarer outcome.

    Of all cuts at whole periods, the one with the smallest sum of squared differences from equal
    counts. Windows with fewer than 20 people or one outcome only join their smaller neighbour.
    """
    periods = _periods(dataset)
    outcome = dataset.present.y
    rare = outcome == (1 if outcome.mean() < 0.5 else 0)
    count = len(periods.names)
    per_period = np.bincount(periods.index[rare], minlength=count).astype(np.float64)
    starts = _cuts(per_period, min(windows, count))
    spans = list(zip(starts, [*(s - 1 for s in starts[1:]), count - 1], strict=True))
    while len(spans) > 1:
        weak = next((i for i, span in enumerate(spans) if not _usable(dataset, span)), None)
        if weak is None:
            break
        beside = [i for i in (weak - 1, weak + 1) if 0 <= i < len(spans)]
        other = min(beside, key=lambda i: int(per_period[spans[i][0] : spans[i][1] + 1].sum()))
        first, last = sorted((weak, other))
        spans[first : last + 1] = [(spans[first][0], spans[last][1])]
    if len(spans) < 2:
        message = (
            f"Replayed history needs at least two windows of {FEWEST_PEOPLE} people with both "
            f"outcomes, got {_counted(dataset)}"
        )
        raise InvalidInput(message)
    return tuple(
        Window(periods.name(a, b), (a <= periods.index) & (periods.index <= b)) for a, b in spans
    )


def past_changes(dataset: Dataset, windows: int = History.windows) -> tuple[Change, ...]:
    """The changes from each window to the next, the oldest first."""
    found = windows_of(dataset, windows)
    return tuple(Change(a.name, b.name) for a, b in zip(found, found[1:], strict=False))


def history_shifts(dataset: Dataset, history: History) -> tuple[Shift, ...]:
    """No change, each past change once more, and the sharpest past rise of the bad outcome.

    A change of the whole model is known only as well as two windows tell; how much more common the
    unfavourable outcome became is known far better, so it is a component of its own.
    """
    changes = past_changes(dataset, history.windows)
    recent = history.weighting == "recency"
    newest = float(len(changes)) if recent else 1.0
    again = [
        Shift(
            HISTORY,
            history.strength,
            weight=float(age) if recent else 1.0,
            value=change.name,
        )
        for age, change in enumerate(changes, start=1)
    ]
    rise = min(1.0, history.strength * sharpest_rise(dataset, history.windows))
    worse = [Shift(PRIOR, rise, weight=newest)] if rise > 0.0 else []
    return (Shift(NOISE, weight=newest), *again, *worse)


def sharpest_rise(dataset: Dataset, windows: int = History.windows) -> float:
    """log₁₀ of the largest factor by which the odds of the unfavourable outcome ever rose.

    From one window to the next; 0 when they never did.
    """
    y = dataset.present.y
    shares = [1.0 - float(y[window.rows].mean()) for window in windows_of(dataset, windows)]
    odds = np.log10([share / (1.0 - share) for share in shares])
    return max(0.0, float(np.diff(odds).max()))


def base_of(dataset: Dataset, history: History) -> str | None:
    """The name of the window that everything starts from; None: all present people."""
    return windows_of(dataset, history.windows)[-1].name if history.base == "recent" else None


def change_step(
    dataset: Dataset, name: str, size: int, settings: LogisticSettings | None = None
) -> Array:
    """Δ (D,) of the change called `name`, both models with the ridge per person of `size`."""
    ends = name.split(ARROW)
    if len(ends) != 2:
        message = f"A past change must be named as “2003{ARROW}2004”, got {name!r}"
        raise InvalidInput(message)
    before, after = (_window_model(dataset, end, size, settings) for end in ends)
    return after - before


def sentence_of(name: str, strength: float) -> str:
    """The change in one sentence."""
    before, after = name.split(ARROW)
    how = {1.0: "", 2.0: ", twice as hard", 0.5: ", half as hard"}
    hard = how.get(strength, f", {strength:g} times as hard")
    return f"The change of {before}{ARROW}{after} happens again{hard}."


def _window_model(
    dataset: Dataset, name: str, size: int, settings: LogisticSettings | None
) -> Array:
    present, rows = dataset.present, _periods(dataset).within(name)
    y = present.y[rows].astype(np.float64)
    if not 0.0 < y.sum() < y.size:
        message = (
            f"The people of {name} must have both outcomes, got {int(y.sum())} favourable "
            f"of {y.size}"
        )
        raise InvalidInput(message)
    return pooled_model(Pool(present.X[rows], y, np.ones(y.size)), size, settings)


def _periods(dataset: Dataset) -> Periods:
    if dataset.periods is None:
        message = f"Replayed history needs a period for each person, got none in {dataset.title}"
        raise InvalidInput(message)
    return dataset.periods


def _usable(dataset: Dataset, span: tuple[int, int]) -> bool:
    periods = _periods(dataset)
    y = dataset.present.y[(span[0] <= periods.index) & (periods.index <= span[1])]
    return y.size >= FEWEST_PEOPLE and 0 < int(y.sum()) < y.size


def _counted(dataset: Dataset) -> str:
    """How many people, and how many of them with the favourable outcome, each period has."""
    periods, y = _periods(dataset), dataset.present.y
    people = np.bincount(periods.index, minlength=len(periods.names))
    good = np.bincount(periods.index[y == 1], minlength=len(periods.names))
    counts = zip(periods.names, people, good, strict=True)
    parts = [f"{name}: {n:,} people, {k:,} favourable" for name, n, k in counts]
    more = len(parts) - MOST_COUNTED
    return "; ".join([*parts[:MOST_COUNTED], *([f"and {more} more periods"] if more > 0 else [])])


def _cuts(counts: Array, windows: int) -> Sequence[int]:
    """First periods of `windows` windows with the smallest Σ_w (count_w − total/windows)²."""
    # Neighbouring periods are put together where there are too many to look at every cut.
    edges = np.unique(np.linspace(0, counts.size, min(counts.size, MOST_PERIODS) + 1).astype(int))
    before = np.concatenate([[0.0], np.cumsum(counts)])[edges]
    share = before[-1] / windows
    miss = (before[None, :] - before[:, None] - share) ** 2
    miss[np.tril_indices(edges.size)] = np.inf
    best = miss[0]
    came_from = []
    for _ in range(windows - 1):
        through = best[:, None] + miss
        came_from.append(through.argmin(axis=0))
        best = through.min(axis=0)
    place, starts = edges.size - 1, []
    for step in reversed(came_from):
        place = int(step[place])
        starts.append(int(edges[place]))
    return [0, *reversed(starts)]
