"""Rows of an experiment as a table for reading: paper, its protocol and ours side by side."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pandas as pd

from dirrac_core.paper.experiment import OURS, PROTOCOL, PUBLISHED
from dirrac_core.paper.store import without_draws
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
        low, high = row.get(f"{self.column}_low"), row.get(f"{self.column}_high")
        if pd.isna(low) or pd.isna(high):
            return ""
        return f"{self._written(low)} to {self._written(high)}"

    def _written(self, value: float) -> str:
        return f"{self.scale * value:.{self.digits}f}"


MEASURES = (
    Measure("m2", "Accepted later, in 100 (M2)", 100.0),
    Measure("fresh", "Accepted by fresh re-trainings, in 100", 100.0),
    Measure("n", "People (n)"),
    Measure("success", "Success, in 100", 100.0),
    Measure("cost_l1", "Effort ℓ1", digits=2),
    Measure("cost_l2", "Effort ℓ2", digits=2),
    Measure("m1", "Accepted today, in 100 (M1)", 100.0),
    Measure("accuracy", "Right, in 100 (accuracy)", 100.0),
    Measure("keeps_rules", "Keep every rule, in 100", 100.0),
    Measure("seconds", "Seconds per plan", digits=3),
)


# The numbers drawn before the table: does a plan last, and what does it cost?
DUMBBELLS = {
    "accepted later, in 100 (M2)": "m2",
    "accepted by fresh re-trainings, in 100": "fresh",
    "effort, ℓ1": "cost_l1",
}


def by_source(rows: pd.DataFrame, dataset: str, column: str) -> pd.DataFrame | None:
    """One row per method, one column per source; None where the table has no such numbers."""
    if column not in rows or "method" not in rows:
        return None
    part = _averaged(rows, dataset).dropna(subset=column)
    if part.empty:
        return None
    part = part.assign(source=part["source"].map(SOURCES))
    scale = next(measure.scale for measure in MEASURES if measure.column == column)
    table = scale * part.pivot_table(index="method", columns="source", values=column, sort=False)
    return table[[name for name in SOURCES.values() if name in table]]


def differs_in_outcome(rows: pd.DataFrame, dataset: str) -> bool:
    """Whether the sources do not agree on what the good outcome is."""
    return bool(_outcomes(rows, dataset).nunique() > 1)


def side_by_side(rows: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """One row per method, one column per number and source; single draws are left out.

    Where the paper has no rows, no source is named.
    """
    part = _averaged(rows, dataset)
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
    if set(part["source"]) == {OURS}:
        table = table.droplevel(1, axis="columns")
    index = [tuple(wording.MODELS.get(part, part) for part in line) for line in lines]
    table.index = pd.MultiIndex.from_tuples(index, names=[KEYS[key] for key in keys])
    return table


def _averaged(rows: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """The rows of one dataset without single draws; methods have the paper's names."""
    part = without_draws(rows[rows["dataset"] == dataset])
    if "method" in part:
        part = part.assign(method=part["method"].str.removesuffix(SUFFIX))
    return part


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
        yield f"95 % ({measure.column.capitalize()})", measure.interval


def favourable_words(rows: pd.DataFrame, dataset: str) -> str:
    """What counts as the good outcome, source by source where they differ; "" if not said."""
    outcomes = _outcomes(rows, dataset)
    if outcomes.nunique() > 1:
        each = ", ".join(
            f"“{words}” ({SOURCES[str(source)].lower()})" for source, words in outcomes.items()
        )
        return f"Favourable outcome: {each}."
    return f"Favourable outcome: “{outcomes.iloc[0]}”." if len(outcomes) else ""


def _outcomes(rows: pd.DataFrame, dataset: str) -> "pd.Series[str]":
    """What each source takes for the good outcome, as far as it is said."""
    if "favourable" not in rows:
        return pd.Series(dtype=str)
    part = rows[(rows["dataset"] == dataset) & rows["favourable"].notna()]
    return part.groupby("source", sort=False)["favourable"].first()
