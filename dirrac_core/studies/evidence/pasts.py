"""Situations in which a promise can be checked: some people known, others who judge later.

Each `Past` is a dataset as it could have been: its present people are those known at the time, its
shifted people the ones whose models judge the plans. Four kinds of evidence:

- "dates": cut at past periods. The present people before a date; judged by those of the next
  window.
- "past": the same, and then all present people, judged by the shifted people of the dataset.
- "placebo": the present people in two random halves. Nothing changes but luck.
- "groups": one subgroup held out, as if it were another site. Judged by its people.

Shifted people are looked at by "past" only: it is for reporting, never for choosing a setting.
The ranges of the schema are those of all present people. A model given by its coefficients did not
exist at another time: each past trains its recipe, or a model of its own where that is not known.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import checked_choice
from dirrac_core.data.dataset import Dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.models.futures.history import FEWEST_PEOPLE, windows_of
from dirrac_core.models.futures.recipe import trained_again
from dirrac_core.models.futures.stress import FEWEST_OF_AN_OUTCOME, subgroups

DATES, PAST, PLACEBO, GROUPS = KINDS = ("dates", "past", "placebo", "groups")
DATE_WINDOWS = 6
# A past needs so many windows behind it, or there would be no change to learn from.
WINDOWS_KNOWN = 2
SPLITS = 4
MOST_GROUPS = 4
# A smaller group has models of its own that are mostly luck.
SMALLEST_SITE = 0.25
SHIFTED = "shifted people"

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Past:
    """What was known (present people) and who judges (shifted people), under a name.

    `rows` (n,) are the places of its present people among those of the whole dataset.
    """

    name: str
    dataset: Dataset
    rows: Rows

    def resampled(self, rng: np.random.Generator) -> "Past":
        """The same past with other luck: both its parts drawn again, with replacement."""
        present = _drawn(self.dataset.present.y, rng)
        assert self.dataset.shifted is not None
        later = _drawn(self.dataset.shifted.y, rng)
        periods = self.dataset.periods
        drawn = replace(
            self.dataset,
            present=self.dataset.present.some(present),
            shifted=self.dataset.shifted.some(later),
            periods=None if periods is None else periods.of(present),
        )
        return Past(self.name, drawn, self.rows[present])


def default_kind(dataset: Dataset) -> str:
    """The strongest evidence a dataset has: later people, else a placebo."""
    return PLACEBO if dataset.shifted is None and dataset.periods is None else PAST


def pasts_of(dataset: Dataset, kind: str, seed: int = 0) -> tuple[Past, ...]:
    """All pasts of one kind, in the order of time where there is one."""
    learnt, rows = dataset.for_training, dataset.training_rows
    if learnt is dataset:
        return _pasts(dataset, kind, seed)
    # A past is made of the people models are trained on; its rows are those of everybody.
    found = _pasts(learnt, kind, seed)
    return found if rows is None else tuple(replace(p, rows=rows[p.rows]) for p in found)


def _pasts(dataset: Dataset, kind: str, seed: int) -> tuple[Past, ...]:
    match checked_choice("The kind of evidence", kind, KINDS):
        case "dates":
            return _dates(dataset)
        case "past":
            return _past(dataset)
        case "placebo":
            return tuple(placebo(dataset, seed, split) for split in range(SPLITS))
        case _:
            return _groups(dataset)


def placebo(dataset: Dataset, seed: int, split: int) -> Past:
    """Two random halves of the present people: one is known, the other judges."""
    count = len(dataset.present)
    if count < 2 * FEWEST_PEOPLE:
        message = f"A placebo needs at least {2 * FEWEST_PEOPLE} present people, got {count}"
        raise InvalidInput(message)
    order = np.random.default_rng([seed, split]).permutation(count)
    known, later = (np.sort(half) for half in np.array_split(order, 2))
    return _cut(dataset, f"split {split + 1}", known, later)


def _dates(dataset: Dataset) -> tuple[Past, ...]:
    if dataset.periods is None:
        message = f"Past dates need a period for each person, got none in {dataset.title}"
        raise InvalidInput(message)
    windows = windows_of(dataset, DATE_WINDOWS)
    if len(windows) <= WINDOWS_KNOWN:
        message = (
            f"Past dates need at least {WINDOWS_KNOWN + 1} windows of {FEWEST_PEOPLE} people with "
            f"both outcomes, got {len(windows)}"
        )
        raise InvalidInput(message)
    pasts = []
    for place in range(WINDOWS_KNOWN, len(windows)):
        known = np.any([window.rows for window in windows[:place]], axis=0)
        later = windows[place]
        pasts.append(_cut(dataset, later.name, np.flatnonzero(known), np.flatnonzero(later.rows)))
    return tuple(pasts)


def _past(dataset: Dataset) -> tuple[Past, ...]:
    if dataset.periods is None and dataset.shifted is None:
        message = (
            f"The past needs a period for each person or shifted people, got neither in "
            f"{dataset.title}"
        )
        raise InvalidInput(message)
    dated = () if dataset.periods is None else _dates(dataset)
    if dataset.shifted is None:
        return dated
    whole = replace(dataset, given_model=trained_again(dataset, dataset.present))
    return (*dated, Past(SHIFTED, whole, np.arange(len(dataset.present), dtype=np.intp)))


def _groups(dataset: Dataset) -> tuple[Past, ...]:
    """The groups closest to half of the people, at most one for each feature."""
    y = dataset.present.y
    able = [
        group
        for group in subgroups(dataset)
        if SMALLEST_SITE <= float(group.rows.mean()) <= 1.0 - SMALLEST_SITE
        and min(_rarer(y[group.rows]), _rarer(y[~group.rows])) >= FEWEST_OF_AN_OUTCOME
    ]
    able.sort(key=lambda group: abs(float(group.rows.mean()) - 0.5))
    first = {group.feature: group for group in reversed(able)}
    chosen = [group for group in able if first[group.feature] is group][:MOST_GROUPS]
    if not chosen:
        message = (
            f"Held-out groups need a group of {SMALLEST_SITE:.0%} to {1.0 - SMALLEST_SITE:.0%} of "
            f"the people with at least {FEWEST_OF_AN_OUTCOME} people of each outcome inside and "
            f"outside, got none among {len(dataset.present)} people"
        )
        raise InvalidInput(message)
    return tuple(
        _cut(dataset, f"people {g.words}", np.flatnonzero(~g.rows), np.flatnonzero(g.rows))
        for g in chosen
    )


def _cut(dataset: Dataset, name: str, known: Rows, later: Rows) -> Past:
    present, judges = dataset.present.some(known), dataset.present.some(later)
    for who, sample in (("known", present), ("who judge later", judges)):
        favourable = int(sample.y.sum())
        if favourable in (0, len(sample)):
            message = (
                f"The people {who} must have both outcomes, got {favourable} favourable of "
                f"{len(sample)} ({name})"
            )
            raise InvalidInput(message)
    periods = None if dataset.periods is None else dataset.periods.of(known)
    given = trained_again(dataset, present)
    cut = replace(dataset, present=present, shifted=judges, periods=periods, given_model=given)
    return Past(name, cut, known)


def _drawn(y: npt.NDArray[np.int64], rng: np.random.Generator) -> Rows:
    """Rows drawn with replacement, as many of each outcome as there are."""
    drawn = [
        rng.choice(np.flatnonzero(y == outcome), int((y == outcome).sum())) for outcome in (0, 1)
    ]
    rows: Rows = np.sort(np.concatenate(drawn)).astype(np.intp)
    return rows


def _rarer(y: npt.NDArray[np.int64]) -> int:
    return min(int(y.sum()), int(y.size - y.sum()))
