"""Rows of an experiment as a table for reading: paper, its protocol and ours side by side."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pandas as pd

from dirrac_core.experiments.experiment import OURS, PROTOCOL, PUBLISHED
from pages.shared import wording

SOURCES = {PUBLISHED: "Paper", PROTOCOL: "Its protocol", OURS: "Ours"}
# What tells rows of one dataset apart, as far as a table has it.
KEYS = {"method": "Method", "model": "Model", "people": "People"}
# The paper's name for the method; ours says which of two solvers it is.
SUFFIX = " (as published)"


@dataclass(frozen=True)
class Measure:
    """A column of rows: how its numbers are titled and written. `…_spread` is its ±."""

    column: str
    title: str
    scale: float = 1.0
    digits: int = 0

    def cell(self, row: pd.Series) -> str:
        """ "99 ± 7", or nothing where there is no number."""
        value = row.get(self.column)
        if pd.isna(value):
            return ""
        spread = row.get(f"{self.column}_spread")
        after = "" if pd.isna(spread) else f" ± {self._written(spread)}"
        return self._written(value) + after

    def interval(self, row: pd.Series) -> str:
        """ "97 to 100", or nothing."""
        ends = row.get(f"{self.column}_low"), row.get(f"{self.column}_high")
        return "" if any(map(pd.isna, ends)) else " to ".join(map(self._written, ends))

    def _written(self, value: float) -> str:
        return f"{self.scale * value:.{self.digits}f}"


MEASURES = (
    Measure("m2", "Accepted later, in 100 (M2)", 100.0),
    Measure("n", "People (n)"),
    Measure("success", "Success, in 100", 100.0),
    Measure("cost_l1", "Effort ℓ1", digits=2),
    Measure("cost_l2", "Effort ℓ2", digits=2),
    Measure("m1", "Accepted today, in 100 (M1)", 100.0),
    Measure("accuracy", "Right, in 100 (accuracy)", 100.0),
    Measure("keeps_rules", "Keep every rule, in 100", 100.0),
    Measure("seconds", "Seconds a plan", digits=3),
)


def side_by_side(rows: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """One row a method, one column a number and source; single draws are left out."""
    part = rows[rows["dataset"] == dataset]
    if "draw" in part:
        part = part[part["draw"].isna()]
    if "method" in part:
        part = part.assign(method=part["method"].str.removesuffix(SUFFIX))
    keys = [key for key in KEYS if key in part]
    lines = _lines(part, keys)
    found = {(row["source"], *(row[key] for key in keys)): row for _, row in part.iterrows()}
    columns: dict[tuple[str, str], list[str]] = {}
    for title, write in _columns():
        for source, named in SOURCES.items():
            cells = [
                write(found[source, *line]) if (source, *line) in found else "" for line in lines
            ]
            if any(cells):
                columns[title, named] = cells
    table = pd.DataFrame(columns)
    named = [tuple(wording.MODELS.get(part, part) for part in line) for line in lines]
    table.index = pd.MultiIndex.from_tuples(named, names=[KEYS[key] for key in keys])
    return table


def _lines(part: pd.DataFrame, keys: list[str]) -> list[tuple[str, ...]]:
    """The rows in the order of the source that has most of them."""
    own = [
        list(each[keys].itertuples(index=False, name=None)) for _, each in part.groupby("source")
    ]
    return list(
        dict.fromkeys(line for lines in sorted(own, key=len, reverse=True) for line in lines)
    )


def _columns() -> Iterator[tuple[str, Callable[[pd.Series], str]]]:
    """Title and way of writing of every column, intervals after their number."""
    for measure in MEASURES:
        yield measure.title, measure.cell
        yield f"95 % ({measure.column.upper()})", measure.interval


def favourable_words(rows: pd.DataFrame, dataset: str) -> str:
    """What counts as the good outcome, source by source where they differ; "" if not said."""
    if "favourable" not in rows:
        return ""
    part = rows[(rows["dataset"] == dataset) & rows["favourable"].notna()]
    told = part.groupby("source", sort=False)["favourable"].first()
    if told.nunique() > 1:
        each = ", ".join(f"“{words}” ({SOURCES[source].lower()})" for source, words in told.items())
        return f"Favourable outcome: {each}."
    return f"Favourable outcome: “{told.iloc[0]}”." if len(told) else ""
