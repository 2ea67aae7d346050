"""Cost against validity of DiRRAc and ROAR, on the paper's datasets and on synthetic shifts."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go

from dirrac_core.data import DATASETS
from dirrac_core.figures.drawing.panels import panelled
from dirrac_core.figures.frontier import frontier
from dirrac_core.methods import Dirrac, Roar, RoarPublished
from dirrac_core.paper.bench import Bench, our_bench
from dirrac_core.paper.experiment import Run, in_parts, our_rows, per_dataset
from dirrac_core.paper.synthetic_futures import kinds_of_models
from dirrac_core.studies import Judge, dataset_frontier, frontier_methods
from dirrac_core.studies.frontier import DELTA_ADDS, LAMBDAS
from dirrac_core.studies.staircase import with_steps

APPLICANTS = 30
# Two features scaled to [0, 1]: a plan costs about 0.5 and all methods are at 100 in 100 soon
# after, so both grids are fine where plans are cheap: δ_add small, and λ up to where today's model
# hardly accepts ROAR's plans any more.
SYNTHETIC_DELTA_ADDS = (0.0, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1, 0.2)
SYNTHETIC_LAMBDAS = (1.0, 2.0, 2.5, 2.75, 2.9, 3.0, 3.1, 3.2, 3.3)
# The shifted samples that judge are not those the mixture was estimated from.
JUDGING_SEED = 1_000
PARAMETERS = {"DiRRAc": "δ_add", "ROAR (exact)": "λ", "ROAR (as published)": "λ"}
COLUMNS = (
    "dataset source method parameter n plans success cost_l1 cost_l1_low cost_l1_high m2 "
    "m2_low_applicants m2_high_applicants worst_case keeps_rules"
).split()


def swept(name: str, run: Run) -> pd.DataFrame:
    """The frontier on one of the paper's datasets."""
    bench = our_bench(name, run.settings)
    return _swept(bench, bench.dirrac(), DELTA_ADDS, LAMBDAS, run)


compute = in_parts(per_dataset(swept), most=APPLICANTS)


def compute_synthetic(run: Run) -> pd.DataFrame:
    """The frontiers on synthetic shifts, whose kinds DiRRAc knows; other samples judge."""
    run = run.at_most(APPLICANTS)
    bench, seed = our_bench("synthetic", run.settings), run.settings.seed
    later = kinds_of_models(seed + JUDGING_SEED).future()
    bench = replace(bench, judge=Judge(later, bench.judge.favourable))
    dirrac = bench.dirrac(kinds_of_models(seed).mixture())
    return _swept(bench, dirrac, SYNTHETIC_DELTA_ADDS, SYNTHETIC_LAMBDAS, run)


def _swept(
    bench: Bench, dirrac: Dirrac, delta_adds: Sequence[float], lambdas: Sequence[float], run: Run
) -> pd.DataFrame:
    roars = (Roar(bench.current), RoarPublished(bench.current))
    methods = frontier_methods(dirrac, roars, (), delta_adds, lambdas)
    frame = dataset_frontier(bench.applicants, methods, bench.judge, dirrac.objective(), *run.how)
    return our_rows(frame, COLUMNS, dataset=bench.dataset.name)


def draw(rows: pd.DataFrame, theme: str) -> go.Figure:
    """One panel per dataset; the bars are 95 % intervals over applicants."""
    interval = ("m2_low_applicants", "m2_high_applicants")
    return panelled(
        {
            DATASETS[str(name)]: frontier(
                with_steps(part, "cost_l1", "m2"),
                interval=interval,
                value_title="future models that accept, in 100",
                parameters=PARAMETERS,
                theme=theme,
            )
            for name, part in rows.groupby("dataset", sort=False)
        },
        theme=theme,
    )
