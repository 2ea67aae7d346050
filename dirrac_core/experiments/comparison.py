"""A table that compares methods: the published rows, the published protocol, and ours."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from dirrac_core.evaluation import Measures, describe, mean_interval
from dirrac_core.evaluation.parallel import Cancel, Progress
from dirrac_core.experiments.bench import Bench, Variants, compete, our_bench
from dirrac_core.experiments.experiment import Compute, Settings
from dirrac_core.experiments.protocol import protocol_bench, published_favourable
from dirrac_core.experiments.published import published

Row = dict[str, Any]
Competitors = Callable[[Bench], Sequence[Variants]]
AVERAGED = (
    "parameter",
    "success",
    "m1",
    "m1_spread",
    "m2",
    "m2_spread",
    "cost_l1",
    "cost_l1_spread",
    "cost_l2",
    "cost_l2_spread",
    "keeps_rules",
    "seconds",
)
OVER_DRAWS = ("m2", "cost_l1", "cost_l2")
COLUMNS = (
    "source",
    "dataset",
    "favourable",
    "method",
    "parameter",
    "draw",
    "n",
    "plans",
    "success",
    "m1",
    "m1_spread",
    "m2",
    "m2_spread",
    "m2_low",
    "m2_high",
    "m2_draws",
    "cost_l1",
    "cost_l1_spread",
    "cost_l1_draws",
    "cost_l2",
    "cost_l2_spread",
    "cost_l2_draws",
    "keeps_rules",
    "seconds",
)
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


def comparison(table: str, competitors: Competitors, preset: str = "free") -> Compute:
    """The `compute` of a table: `competitors(bench)` under the rules of `preset`."""

    def compute(settings: Settings, progress: Progress, cancel: Cancel) -> pd.DataFrame:
        printed = published(table)
        benches = list(_benches(list(dict.fromkeys(printed["dataset"])), settings, preset))
        rows: list[Row] = []
        complete = True
        for index, (words, make) in enumerate(benches):

            def tell(part: float, _: str, index: int = index, words: str = words) -> None:
                progress((index + part) / len(benches), words)

            found = bench_rows(make(), competitors, settings, tell, cancel)
            if found is None:
                complete = False
                break
            rows += found
        frame = assembled(printed, rows)
        frame.attrs["complete"] = complete
        return frame

    return compute


def bench_rows(
    bench: Bench, competitors: Competitors, settings: Settings, progress: Progress, cancel: Cancel
) -> list[Row] | None:
    """One row a competitor; None when cancelled."""
    found = compete(bench, competitors(bench), settings, progress, cancel)
    if found is None:
        return None
    about: Row = {
        "source": bench.source,
        "dataset": bench.dataset,
        "favourable": bench.favourable,
        "draw": bench.draw,
    }
    return [
        about | {"method": method.name, "parameter": method.parameter} | measured_row(measured)
        for method, measured in found
    ]


def measured_row(measured: Sequence[Measures]) -> Row:
    """The numbers of one row, from the measured plans of one method."""
    told = describe(measured)
    same = ("n", "plans", "success", "m1", "m2", "cost_l1", "cost_l1_spread", "cost_l2")
    return {name: told[name] for name in (*same, "cost_l2_spread", "keeps_rules", "seconds")} | {
        "m1_spread": float(np.sqrt(told["m1"] * (1.0 - told["m1"]))),
        "m2_spread": told["m2_spread_models"],
        "m2_low": told["m2_low_applicants"],
        "m2_high": told["m2_high_applicants"],
    }


def assembled(printed: pd.DataFrame, rows: Sequence[Row]) -> pd.DataFrame:
    """Dataset by dataset the published rows, the averages over draws and ours; then the draws."""
    found = pd.DataFrame(rows, columns=list(COLUMNS))
    drawn = found[found["draw"].notna()]
    averages = [
        _over_draws(part)
        for _, part in drawn.groupby(["source", "dataset", "favourable", "method"], sort=False)
    ]
    told = printed.assign(favourable=printed["dataset"].map(published_favourable))
    parts = [told.reindex(columns=list(COLUMNS)), pd.DataFrame(averages, columns=list(COLUMNS))]
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


def _benches(
    datasets: Sequence[str], settings: Settings, preset: str
) -> Iterator[tuple[str, Callable[[], Bench]]]:
    """What is run, in order: words for the progress bar, and how to make the bench."""
    for name in datasets:
        yield f"{name}, ours", partial(our_bench, name, settings, preset)
        for draw in range(settings.draws):
            words = f"{name}, published protocol, draw {draw + 1} of {settings.draws}"
            yield words, partial(protocol_bench, name, draw, settings, preset)
