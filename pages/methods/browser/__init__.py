"""What the browser draws itself: a table of a few rows that a visitor can sort."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from pages.shared.browser import mount


@dataclass(frozen=True)
class Column:
    """How a column is headed, what explains it, and how many digits its numbers have."""

    title: str
    help: str = ""
    digits: int = 0


def show_sortable(frame: pd.DataFrame, columns: Mapping[str, Column], alt: str, key: str) -> None:
    """The named columns of a frame, of numbers and texts; the first one names the row."""
    mount(
        Path(__file__).parent,
        "table",
        key,
        {
            "alt": alt,
            "columns": [asdict(column) for column in columns.values()],
            "rows": list(zip(*(_cells(frame[name]) for name in columns), strict=True)),
        },
        own_styles=False,
    )


def _cells(column: "pd.Series[Any]") -> list[Any]:
    """The values of a column; what is missing is None, which JSON knows."""
    return [None if value != value else value for value in column.tolist()]
