"""Rows as a table for reading: means with their spread in one cell, single draws left out."""

import pandas as pd

SPREAD, LOW, HIGH, DRAWS = "_spread", "_low", "_high", "_draws"
MISSING = "–"


def markdown(rows: pd.DataFrame) -> str:
    """A Markdown table: "0.94 ± 0.15" where there is a spread, "[0.90, 0.97]" for an interval.

    A spread over draws follows as "draws ± 0.03". Rows of single draws and columns without any
    value are left out; the CSV has them.
    """
    averaged = rows[rows["draw"].isna()] if "draw" in rows else rows
    shown = averaged.dropna(axis="columns", how="all")
    ends = (SPREAD, LOW, HIGH, DRAWS)
    columns = [
        str(name)
        for name in shown.columns
        if not any(str(name) == f"{base}{end}" for base in shown.columns for end in ends)
    ]
    lines = [columns, ["---"] * len(columns)]
    for _, row in shown.iterrows():
        lines.append([_cell(row, name) for name in columns])
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _cell(row: "pd.Series[str]", name: str) -> str:
    """The value of one column with all that qualifies it."""
    measured = f"{name}{SPREAD}" in row
    text = _words(row[name], measured)
    if text == MISSING:
        return text
    spread, low, high, draws = (
        _words(row.get(f"{name}{end}"), measured) for end in (SPREAD, LOW, HIGH, DRAWS)
    )
    if spread != MISSING:
        text += f" ± {spread}"
    if low != MISSING and high != MISSING:
        text += f" [{low}, {high}]"
    if draws != MISSING:
        text += f", draws ± {draws}"
    return text


def _words(value: object, measured: bool) -> str:
    """What is measured has two decimals, or two digits when small; text never opens a cell."""
    if value is None or value != value:
        return MISSING
    if isinstance(value, float):
        if value.is_integer() and not measured:
            return f"{value:.0f}"
        return f"{value:.2g}" if 0.0 < abs(value) < 0.1 else f"{value:.2f}"
    return str(value).replace("|", "\\|")
