"""Dates become durations: how long before the last date of the column something was."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from dirrac_core.data.periods import read_dates
from dirrac_core.errors import InvalidTable

DAYS = {"days": 1.0, "months": 365.25 / 12.0, "years": 365.25}
# Shorter spans are measured in days, longer ones in months.
MONTHS_FROM = 180.0


def dates_of(values: "pd.Series[Any]", column: str) -> "pd.Series[Any]":
    """The column as dates, NaT where missing."""
    if isinstance(values.dtype, pd.PeriodDtype):
        stamps: pd.Series[Any] = values.dt.to_timestamp()
        return stamps
    if pd.api.types.is_datetime64_any_dtype(values):
        return values.dt.tz_localize(None) if values.dt.tz is not None else values
    # Each different date is read once.
    codes, found = pd.factorize(np.asarray(values, dtype=object))
    texts = pd.Series([str(getattr(c, "isoformat", lambda c=c: c)()).strip() for c in found])
    read = read_dates(texts, column)
    dates = read.reindex(codes).set_axis(values.index)
    return dates


def duration(dates: "pd.Series[Any]") -> dict[str, str]:
    """How a column of dates is measured: until its last date, in days or months."""
    last, first = dates.max(), dates.min()
    unit = "months" if (last - first).days >= MONTHS_FROM else "days"
    return {"until": last.strftime("%Y-%m-%d"), "unit": unit}


def as_durations(
    values: "pd.Series[Any]", how: Mapping[str, Any], column: str
) -> "pd.Series[float]":
    """Whole days, months or years before the date `how["until"]`, NaN where missing."""
    unit, until = how.get("unit"), how.get("until")
    end = pd.to_datetime(str(until), format="%Y-%m-%d", errors="coerce")
    if unit not in DAYS or pd.isna(end):
        raise InvalidTable(
            f"The dates of column {column!r} need “until”, a date such as 2004-03-31, and a unit "
            f"of {', '.join(DAYS)}, got {dict(how)!r:.80}"
        )
    days = (end - dates_of(values, column)).dt.total_seconds() / 86_400.0
    return pd.Series(np.floor(days / DAYS[unit] + 1e-9), index=values.index)
