"""A table that compares methods: the published rows, the published protocol, and ours."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dirrac_core.paper.bench import Bench, Variants, compete
from dirrac_core.paper.experiment import Compute, Parts, Run, Settings, in_parts, marked
from dirrac_core.paper.protocol import published_favourable
from dirrac_core.paper.store import published
from dirrac_core.studies import Measures, describe, mean_interval

Row = dict[str, Any]
Maker = Callable[[Settings], Bench]
Competitors = Callable[[Bench], Sequence[Variants]]
COLUMNS = (
    "source dataset favourable method parameter draw n plans success m1 m1_spread m2 m2_spread "
    "m2_low m2_high m2_draws cost_l1 cost_l1_spread cost_l1_draws cost_l2 cost_l2_spread "
    "cost_l2_draws keeps_rules seconds"
).split()
"""The columns of a comparison.

`n` applicants were asked, `plans` got a plan; `success` is the share of all n whose plan today's
model accepts, the other numbers are means over the plans. A `…_spread` is the standard deviation
over applicants, that of M2 over future models, as the paper prints it. `keeps_rules` is the share
of plans inside the range of the data, with whole categories and coherent features.
`parameter` is δ_add or λ.

The published protocol has a row for each class-balancing `draw`, and one without a number that
averages them: its `n` and `plans` are totals, `…_draws` are standard deviations over draws, and
`m2_low` to `m2_high` is the interval over draws. In other rows it is the interval over applicants.
"""
# What is averaged over draws, and what also gets its standard deviation over them.
AVERAGED = (
    "parameter success m1 m1_spread m2 m2_spread cost_l1 cost_l1_spread cost_l2 cost_l2_spread "
    "keeps_rules seconds"
).split()
OVER_DRAWS = ("m2", "cost_l1", "cost_l2")


def comparison(table: str, parts: Parts, most: int | None = None) -> Compute:
    """The `compute` of a table: its published rows, and those of `parts(settings)`."""
    return in_parts(parts, lambda found: assembled(published(table), found), most)


def bench_part(make: Maker, competitors: Competitors, run: Run) -> pd.DataFrame:
    """One row per competitor on the bench; none when cancelled."""
    bench = make(run.settings)
    found = compete(bench, competitors(bench), run)
    dataset, draw = bench.dataset, np.nan if bench.draw is None else bench.draw
    about: Row = {"source": bench.source, "dataset": dataset.name, "draw": draw}
    about["favourable"] = dataset.favourable
    rows = [
        about | {"method": method.name, "parameter": method.parameter} | measured_row(measured)
        for method, measured in found or []
    ]
    return marked(pd.DataFrame(rows), found is not None)


def measured_row(measured: Sequence[Measures]) -> Row:
    """The numbers of one row, from the measured plans of one method; some are no COLUMNS."""
    summary = describe(measured)
    return summary | {
        "m1_spread": float(np.sqrt(summary["m1"] * (1.0 - summary["m1"]))),
        "m2_spread": summary["m2_spread_models"],
        "m2_low": summary["m2_low_applicants"],
        "m2_high": summary["m2_high_applicants"],
    }


def assembled(printed: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Dataset by dataset the published rows, the averages over draws and ours; then the draws."""
    found = rows.reindex(columns=COLUMNS)
    drawn = found[found["draw"].notna()]
    averages = []
    for _, part in drawn.groupby(["source", "dataset", "favourable", "method"], sort=False):
        m2 = mean_interval(part["m2"].dropna(), shares=True)
        row = over_draws(part, AVERAGED, OVER_DRAWS) | {"m2_low": m2.low, "m2_high": m2.high}
        averages.append(row | {name: int(part[name].sum()) for name in ("n", "plans")})
    ours = found[found["draw"].isna()]
    table = after_published(printed, COLUMNS, pd.DataFrame(averages), ours)
    datasets = list(dict.fromkeys(printed["dataset"]))
    table = table.sort_values("dataset", key=lambda names: names.map(datasets.index), kind="stable")
    return pd.concat([table, drawn] if len(drawn) else [table], ignore_index=True)


def over_draws(part: pd.DataFrame, averaged: Sequence[str], spread: Sequence[str]) -> Row:
    """One row for all draws of the same: the means, and with `…_draws` the standard deviations."""
    row: Row = {str(name): value for name, value in part.iloc[0].items()} | {"draw": np.nan}
    row |= {name: part[name].mean() for name in averaged}
    return row | {f"{name}_draws": part[name].std(ddof=0) for name in spread}


def after_published(
    printed: pd.DataFrame, columns: list[str], *parts: pd.DataFrame
) -> pd.DataFrame:
    """These columns of the published rows, with their favourable outcome, and of all parts."""
    known = printed.assign(favourable=printed["dataset"].map(published_favourable))
    kept = [part.reindex(columns=columns) for part in (known, *parts) if len(part)]
    return pd.concat(kept, ignore_index=True)
