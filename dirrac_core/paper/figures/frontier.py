"""Cost against validity of DiRRAc and ROAR, on the paper's datasets and on synthetic shifts."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pandas as pd
import plotly.graph_objects as go

from dirrac_core.data import load_dataset
from dirrac_core.figures.drawing.panels import panelled
from dirrac_core.figures.frontier import frontier
from dirrac_core.methods import Dirrac, Roar, RoarPublished
from dirrac_core.paper.bench import Bench, our_bench
from dirrac_core.paper.experiment import OURS, PRESET, REAL, Settings, in_turn, marked
from dirrac_core.paper.synthetic_futures import kinds_of_models
from dirrac_core.progress import Cancel, Progress
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


def compute_frontier(settings: Settings, progress: Progress, cancel: Cancel) -> pd.DataFrame:
    """The frontiers on the paper's datasets."""
    asked = settings.at_most(APPLICANTS)

    def rows_of(name: str, tell: Progress, cancel: Cancel) -> pd.DataFrame:
        bench = our_bench(name, asked, PRESET)
        grids = DELTA_ADDS, LAMBDAS
        return _swept(bench, bench.dirrac(), grids, asked, tell, cancel)

    return in_turn({name: partial(rows_of, name) for name in REAL}, progress, cancel)


def compute_synthetic(settings: Settings, progress: Progress, cancel: Cancel) -> pd.DataFrame:
    """The frontiers on synthetic shifts, whose kinds DiRRAc knows; other samples judge."""
    asked = settings.at_most(APPLICANTS)
    schema = load_dataset("synthetic").schema
    bench = our_bench("synthetic", asked, PRESET)
    later = kinds_of_models(schema, asked.seed + JUDGING_SEED).future()
    bench = replace(bench, judge=Judge(later, bench.judge.favourable))
    known = kinds_of_models(schema, asked.seed).mixture()
    grids = SYNTHETIC_DELTA_ADDS, SYNTHETIC_LAMBDAS
    dirrac = bench.dirrac(known)
    return _swept(bench, dirrac, grids, asked, progress, cancel)


def _swept(
    bench: Bench,
    dirrac: Dirrac,
    grids: tuple[Sequence[float], Sequence[float]],
    settings: Settings,
    progress: Progress,
    cancel: Cancel,
) -> pd.DataFrame:
    methods = frontier_methods(
        dirrac, [Roar(bench.current), RoarPublished(bench.current)], (), *grids
    )
    people, judge, objective = bench.applicants, bench.judge, dirrac.objective()
    frame = dataset_frontier(people, methods, judge, objective, settings.jobs, progress, cancel)
    rows = frame.assign(dataset=bench.dataset, source=OURS)[COLUMNS]
    return marked(rows, frame.attrs["complete"])


def draw_frontier(rows: pd.DataFrame, theme: str) -> go.Figure:
    """One panel per dataset; the bars are 95 % intervals over applicants."""
    interval = ("m2_low_applicants", "m2_high_applicants")
    return panelled(
        {
            load_dataset(str(name)).title: frontier(
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
