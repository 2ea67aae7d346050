"""What a finished portfolio says: promised and happened, the tail, what people are asked to do."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dirrac_core.case.documents.still_holds import is_broken
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.schema.feature import Feature, Value
from dirrac_core.data.schema.schema import with_constant
from dirrac_core.errors import InvalidInput


@dataclass(frozen=True)
class Verdict:
    """A portfolio in a few numbers: shares of future models that decline a plan.

    Of `people`, `plans` have a plan and `promises` a plan with a promise. `promised` is the mean
    worst case of those and `happened` the mean share of later models that declined the same plans;
    `broken` counts the plans that more of them declined than was promised. NaN without a promise.
    """

    people: int
    plans: int
    promises: int
    promised: float
    happened: float
    broken: int

    @property
    def covered(self) -> bool:
        """Whether, on average over the plans, no more declined than was promised."""
        return self.happened <= self.promised


def verdict(frame: pd.DataFrame) -> Verdict:
    """What was promised to the people of a portfolio, and what happened later."""
    found = frame[frame["found"].astype(bool)]
    promised = found[found["worst_case"].notna()]
    if promised.empty:
        return Verdict(len(frame), len(found), 0, np.nan, np.nan, 0)
    worst = promised["worst_case"].to_numpy(dtype=np.float64)
    declined = 1.0 - promised["m2"].to_numpy(dtype=np.float64)
    return Verdict(
        len(frame),
        len(found),
        len(promised),
        float(worst.mean()),
        float(declined.mean()),
        int(is_broken(declined, worst).sum()),
    )


def riskier_than(frame: pd.DataFrame, share: float) -> int:
    """How many plans more than this share of the future models may decline, or carry no promise."""
    if not 0.0 <= share <= 1.0:
        raise InvalidInput(f"A share of future models must lie between 0 and 1, got {share:g}")
    found = frame[frame["found"].astype(bool)]
    return int((~(found["worst_case"].astype(np.float64) <= share + 1e-9)).sum())


@dataclass(frozen=True)
class FeatureDemand:
    """What the plans ask of one feature, in real units.

    `people` are asked to change it, `up` of them upwards (a later category). `before` and `after`
    are medians over those people for a number, the most frequent change for a category. For
    `at_edge` people the plan ends at the smallest or largest value in the data.
    """

    feature: str
    people: int
    up: int
    before: str
    after: str
    at_edge: int


def demands(frame: pd.DataFrame, dataset: Dataset) -> tuple[FeatureDemand, ...]:
    """What a portfolio asks people to change, the most frequent first."""
    pairs: dict[str, list[tuple[Value, Value]]] = {}
    for row, x in _plans(frame):
        start = with_constant(dataset.present.X[row])
        for change in dataset.schema.describe_change(start, x):
            pairs.setdefault(change.feature, []).append((change.before, change.after))
    listed = [_demand(dataset.schema.feature(name), changes) for name, changes in pairs.items()]
    return tuple(sorted(listed, key=lambda demand: (-demand.people, demand.feature)))


def edges(frame: pd.DataFrame, dataset: Dataset) -> dict[int, tuple[str, ...]]:
    """Row of a person → the numbers their plan moves to an end of the range in the data."""
    at_edge = {}
    for row, x in _plans(frame):
        start = with_constant(dataset.present.X[row])
        names = tuple(
            change.feature
            for change in dataset.schema.describe_change(start, x)
            if _at_edge(dataset.schema.feature(change.feature), change.after)
        )
        if names:
            at_edge[row] = names
    return at_edge


def _plans(frame: pd.DataFrame) -> list[tuple[int, np.ndarray]]:
    found = frame[frame["found"].astype(bool)]
    return [(int(row), x) for row, x in zip(found["row"], found["x"], strict=True)]


def _at_edge(feature: Feature, value: Value) -> bool:
    if isinstance(value, str):
        return False
    least, most = feature.extremes
    room = 1e-9 * (most - least)
    return value <= least + room or value >= most - room


def _demand(feature: Feature, changes: list[tuple[Value, Value]]) -> FeatureDemand:
    if feature.is_categorical:
        (before, after), _ = Counter(changes).most_common(1)[0]
        order = feature.categories.index
        up = sum(order(str(new)) > order(str(old)) for old, new in changes)
    else:
        numbers = np.array(changes, dtype=np.float64)
        before, after = (float(value) for value in np.median(numbers, axis=0))
        up = int((numbers[:, 1] > numbers[:, 0]).sum())
    return FeatureDemand(
        feature.name,
        len(changes),
        up,
        feature.format_value(before),
        feature.format_value(after),
        sum(_at_edge(feature, new) for _, new in changes),
    )
