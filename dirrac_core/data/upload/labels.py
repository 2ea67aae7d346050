"""The label of a stranger's table: which outcomes are favourable."""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

from dirrac_core.data.dataset import Labels
from dirrac_core.data.upload.columns import typed_column
from dirrac_core.data.upload.reading import LONGEST_TEXT
from dirrac_core.errors import InvalidTable

FEWEST_OF_A_CLASS = 5
MOST_LABELS = 200


def label_texts(values: "pd.Series[Any]") -> "pd.Series[Any]":
    """The outcomes as texts, NaN where missing."""
    column = typed_column("the label", values, "unordered", ".", [])
    texts = column.values
    return texts.map({value: _label_text(value) for value in texts.dropna().unique()})


def _label_text(value: object) -> str:
    """1, 1.0 and "1" are the same label."""
    text = str(value).strip()
    try:
        number = float(text)
    except ValueError:
        return text
    return str(int(number)) if number.is_integer() else text


def label_values(favourable: object) -> tuple[str, ...]:
    """One value of the label, or several, as texts."""
    several = isinstance(favourable, Collection) and not isinstance(favourable, str | bytes)
    wanted = list(favourable) if several else [favourable]  # type: ignore[call-overload]
    return tuple(dict.fromkeys(_label_text(value) for value in wanted))


def check_few(label: str, values: int) -> None:
    """Refuse a label with too many different values."""
    if values > MOST_LABELS:
        raise InvalidTable(
            f"The label {label!r} must have at most {MOST_LABELS} different values, got {values}"
        )


def good_values(favourable: object, outcome: "pd.Series[Any]", label: str) -> tuple[str, ...]:
    """The favourable value or values as texts, each of which must occur."""
    good = label_values(favourable)
    found = sorted(outcome.unique())
    check_few(label, len(found))
    longest = max(found, key=len)
    if len(longest) > LONGEST_TEXT:
        raise InvalidTable(
            f"The values of the label {label!r} may have at most {LONGEST_TEXT} characters, "
            f"got {len(longest):,}"
        )
    absent = [value for value in good if value not in found]
    if absent or not good:
        raise InvalidTable(
            f"The favourable value must occur in the label {label!r}, got {absent or good}; "
            f"it has {', '.join(found[:10])}"
        )
    return good


def classes(outcome: "pd.Series[Any]", good: tuple[str, ...], label: str, which: str) -> Labels:
    """1 for a favourable outcome, 0 for any other; both must occur."""
    y: Labels = outcome.isin(good).to_numpy().astype(np.int64)
    fewest = min(int(y.sum()), int((1 - y).sum()))
    if fewest < FEWEST_OF_A_CLASS:
        raise InvalidTable(
            f"The label {label!r} of the {which} table needs at least {FEWEST_OF_A_CLASS} "
            f"favourable and as many other outcomes, got {int(y.sum())} and {int((1 - y).sum())}"
        )
    return y
