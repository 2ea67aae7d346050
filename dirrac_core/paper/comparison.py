"""A table that compares methods: the published rows, the published protocol, and ours."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from dirrac_core.paper.bench import Bench, Variants, compete, our_bench
from dirrac_core.paper.experiment import PRESET, Compute, Part, Settings, in_turn, marked
from dirrac_core.paper.protocol import protocol_bench, published_favourable
from dirrac_core.paper.published import published
from dirrac_core.progress import Cancel, Progress
from dirrac_core.studies import Measures, describe, mean_interval

Row = dict[str, Any]
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


def comparison(table: str, parts: Callable[[Settings], Mapping[str, Part]]) -> Compute:
    """The `compute` of a table: its published rows, and those of `parts(settings)`."""

    def compute(settings: Settings, progress: Progress, cancel: Cancel) -> pd.DataFrame:
        found = in_turn(parts(settings), progress, cancel)
        return marked(assembled(published(table), found), found.attrs["complete"])

    return compute


def protocol_and_ours(table: str, competitors: Competitors, preset: str = PRESET) -> Compute:
    """The `compute` of a table of `competitors(bench)`: ours, and every draw of the protocol."""

    def parts(settings: Settings) -> dict[str, Part]:
        makers: dict[str, Callable[[], Bench]] = {}
        for name in dict.fromkeys(published(table)["dataset"]):
            makers[f"{name}, ours"] = partial(our_bench, name, settings, preset)
            for draw in range(settings.draws):
                words = f"{name}, published protocol, draw {draw + 1} of {settings.draws}"
                makers[words] = partial(protocol_bench, name, draw, settings, preset)
        return {
            words: partial(bench_part, make, competitors, settings)
            for words, make in makers.items()
        }

    return comparison(table, parts)


def bench_part(
    make: Callable[[], Bench],
    competitors: Competitors,
    settings: Settings,
    progress: Progress,
    cancel: Cancel,
) -> pd.DataFrame:
    """One row per competitor on the bench; none when cancelled."""
    bench = make()
    found = compete(bench, competitors(bench), settings, progress, cancel)
    about: Row = {name: getattr(bench, name) for name in ("source", "dataset", "favourable")}
    about["draw"] = np.nan if bench.draw is None else bench.draw
    rows = [
        about | {"method": method.name, "parameter": method.parameter} | measured_row(measured)
        for method, measured in found or []
    ]
    return marked(pd.DataFrame(rows), found is not None)


def measured_row(measured: Sequence[Measures]) -> Row:
    """The numbers of one row, from the measured plans of one method."""
    summary = describe(measured)
    same = ("n", "plans", "success", "m1", "m2", "cost_l1", "cost_l1_spread", "cost_l2")
    return {name: summary[name] for name in (*same, "cost_l2_spread", "keeps_rules", "seconds")} | {
        "m1_spread": float(np.sqrt(summary["m1"] * (1.0 - summary["m1"]))),
        "m2_spread": summary["m2_spread_models"],
        "m2_low": summary["m2_low_applicants"],
        "m2_high": summary["m2_high_applicants"],
    }


def assembled(printed: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Dataset by dataset the published rows, the averages over draws and ours; then the draws."""
    found = rows.reindex(columns=COLUMNS)
    drawn = found[found["draw"].notna()]
    averages = [
        _over_draws(part)
        for _, part in drawn.groupby(["source", "dataset", "favourable", "method"], sort=False)
    ]
    known = printed.assign(favourable=printed["dataset"].map(published_favourable))
    parts = [known.reindex(columns=COLUMNS), pd.DataFrame(averages, columns=COLUMNS)]
    parts.append(found[found["draw"].isna()])
    table = pd.concat([part for part in parts if len(part)])
    datasets = list(dict.fromkeys(printed["dataset"]))
    table = table.sort_values("dataset", key=lambda names: names.map(datasets.index), kind="stable")
    return pd.concat([table, drawn] if len(drawn) else [table], ignore_index=True)


def _over_draws(part: pd.DataFrame) -> Row:
    """One row for all draws of one method on one dataset."""
    row: Row = {str(name): value for name, value in part.iloc[0].items()}
    row |= {"draw": np.nan, "n": int(part["n"].sum()), "plans": int(part["plans"].sum())}
    row |= {name: part[name].mean() for name in AVERAGED}
    row |= {f"{name}_draws": part[name].std(ddof=0) for name in OVER_DRAWS}
    m2 = mean_interval(part["m2"].dropna(), shares=True)
    return row | {"m2_low": m2.low, "m2_high": m2.high}
