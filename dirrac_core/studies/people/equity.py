"""Who bears the cost: a portfolio by groups of any feature."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.data.dataset import Dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.studies.intervals import mean_interval, share_interval

BINS = 4
# What is averaged over the plans of a group; the second ones are probabilities and shares.
MEANS = ("cost", "price_of_robustness", "gap", "features_changed", "plausibility")
SHARES = ("worst_case", "m2", "declined")
# A few people decide the numbers of a smaller group, so no gap is read from it. The share without
# a plan is over the people of a group, every mean over those of them who have one.
FEWEST = 30


def equity(frame: pd.DataFrame, dataset: Dataset, feature: str, bins: int = BINS) -> pd.DataFrame:
    """The portfolio by groups of one feature: a category each, or `bins` quantiles of a number.

    Each group has `n` applicants, the share `infeasible` without a plan (Wilson interval), and
    over its `plans` the means (t interval) of cost, price of robustness, gap, features changed,
    plausibility, worst case, M2 and its complement, the share `declined` later.
    """
    if bins < 1:
        raise InvalidInput(f"The number of groups must be ≥ 1, got {bins}")
    groups, names = groups_by(dataset, feature, frame["row"].to_numpy(), bins)
    rows = []
    for name in names:
        chosen = frame[(groups == name).to_numpy()]
        found = chosen[chosen["found"].astype(bool)]
        found = found.assign(declined=1.0 - found["m2"].astype(np.float64))
        infeasible = share_interval(~chosen["found"].to_numpy(dtype=bool))
        row: dict[str, object] = {
            "feature": feature,
            "group": name,
            "n": len(chosen),
            "plans": len(found),
            "infeasible": infeasible.value,
            "infeasible_low": infeasible.low,
            "infeasible_high": infeasible.high,
        }
        for column in (*MEANS, *SHARES):
            values = found[column].dropna().to_numpy(dtype=np.float64)
            mean = mean_interval(values, shares=column in SHARES)
            # None of these is ever negative; a wide t interval of a few people would be.
            low = max(mean.low, 0.0)
            row |= {column: mean.value, f"{column}_low": low, f"{column}_high": mean.high}
        rows.append(row)
    return pd.DataFrame(rows)


@dataclass(frozen=True, eq=False)
class Gap:
    """The largest difference of a mean between two groups, each a row of `equity`."""

    column: str
    high: "pd.Series[Any]"
    low: "pd.Series[Any]"

    @property
    def difference(self) -> float:
        """How much more the group with the most has."""
        return float(self.high[self.column] - self.low[self.column])

    @property
    def ratio(self) -> float:
        """How many times as much it has; NaN where the other has nothing."""
        lowest = float(self.low[self.column])
        return float(self.high[self.column]) / lowest if lowest > 0.0 else np.nan

    @property
    def is_clear(self) -> bool:
        """Whether the two intervals lie apart."""
        return bool(self.high[f"{self.column}_low"] > self.low[f"{self.column}_high"])


def largest_gap(table: pd.DataFrame, column: str) -> Gap | None:
    """The groups with the most and the least of a measure, among those it counts FEWEST or more.

    None when fewer than two such groups have the measure.
    """
    values = table[column].astype(np.float64)
    counted = table["n" if column == "infeasible" else "plans"]
    known = table[(counted >= FEWEST) & np.isfinite(values)]
    if len(known) < 2:
        return None
    ordered = known[column].to_numpy(dtype=np.float64)
    return Gap(column, known.iloc[int(ordered.argmax())], known.iloc[int(ordered.argmin())])


def without_any_plan_first(table: pd.DataFrame) -> pd.DataFrame:
    """The groups in which nobody has a plan before the others, the larger ones first."""
    if table.empty:
        return table
    nobody = table["plans"] == 0
    lost = table[nobody].sort_values("n", ascending=False, kind="stable")
    return pd.concat([lost, table[~nobody]], ignore_index=True)


def groups_by(
    dataset: Dataset, feature: str, rows: npt.NDArray[np.int64], bins: int = BINS
) -> tuple["pd.Series[str]", list[str]]:
    """The group of each of these present people by one feature, and all groups in their order.

    A group is a category, or one of `bins` quantiles of a number.
    """
    described = dataset.schema.feature(feature)
    people = dataset.present.people[feature].iloc[rows].reset_index(drop=True)
    if described.is_categorical:
        groups = people.astype(str)
        return groups, [name for name in described.categories if (groups == name).any()]
    part = pd.qcut(people, bins, labels=False, duplicates="drop")
    ends = people.groupby(part).agg(["min", "max"])
    # A group is named by the smallest and the largest value in it.
    words = [
        described.format_value(high)
        if low == high
        else f"{described.number(low)} – {described.format_value(high)}"
        for low, high in zip(ends["min"], ends["max"], strict=True)
    ]
    return part.map(dict(zip(ends.index, words, strict=True))), words
