"""Missing values: a value of their own and, for numbers, an indicator; nobody is left out."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from dirrac_core.data.schema.feature import YES_NO, Feature
from dirrac_core.data.schema.rules import UnknownRule
from dirrac_core.data.understanding.names import free_name
from dirrac_core.data.upload.columns import Column
from dirrac_core.errors import InvalidTable

NOT_STATED = "not stated"
# A column of which less is known says nothing; it must be left out.
MOST_MISSING = 0.9


@dataclass(frozen=True, eq=False)
class Filled:
    """A column without gaps; `gaps` (n,) marks what was missing, None when nothing ever was."""

    column: Column
    gaps: "pd.Series[bool] | None" = None


def check_gaps(column: Column, which: str) -> None:
    """Refuse a column of which almost nothing is known."""
    missing, rows = int(column.values.isna().sum()), len(column.values)
    if rows and missing > MOST_MISSING * rows:
        raise InvalidTable(
            f"At most {MOST_MISSING:.0%} of the values of a column may be missing, got {missing} "
            f"of {rows} in {column.name!r} of the {which} table; leave the column out"
        )


def with_stand_ins(column: Column, gappy: bool, stand_in: float | None) -> Filled:
    """The column with what is missing as “not stated”, or as the number `stand_in`."""
    if not gappy:
        return Filled(column)
    gaps = column.values.isna()
    if column.numeric:
        return Filled(replace(column, values=column.values.fillna(stand_in)), gaps)
    texts = column.values.astype(object)
    order = (*column.order, NOT_STATED) if column.order else ()
    return Filled(replace(column, values=texts.where(~gaps, NOT_STATED), order=order), gaps)


def stand_in_of(column: Column) -> float | None:
    """The number that stands where one is missing: a typical one that occurs."""
    if not column.numeric:
        return None
    return float(np.quantile(column.values.dropna().to_numpy(np.float64), 0.5, method="nearest"))


def indicator(feature: Feature, taken: list[str]) -> Feature:
    """The feature that says whether a number is missing."""
    return Feature(
        free_name(f"{feature.name} missing", taken),
        "unordered",
        categories=YES_NO,
        direction="none",
        explanation=f"Whether {feature.name} is not known.",
        source=feature.source,
        protected=feature.protected,
    )


def unknown_rule(feature: Feature, switch: Feature | None, stand_in: float | None) -> UnknownRule:
    """What is not known of somebody cannot be changed by a plan."""
    reason = f"{feature.name} is not known and stays so"
    if switch is None:
        return UnknownRule(feature.name, feature.name, NOT_STATED, None, reason)
    return UnknownRule(feature.name, switch.name, YES_NO[1], stand_in, reason)


def gap_texts(gaps: "pd.Series[Any]") -> "pd.Series[Any]":
    """The values of an indicator."""
    return gaps.map({False: YES_NO[0], True: YES_NO[1]})
