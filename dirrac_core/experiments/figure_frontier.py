"""Cost against validity of DiRRAc and ROAR, on the paper's datasets and on synthetic shifts."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go

from dirrac_core.baselines import Dirrac, Roar, RoarPublished
from dirrac_core.data import load_dataset
from dirrac_core.evaluation import Judge, dataset_frontier, frontier_methods
from dirrac_core.evaluation.frontier import DELTA_ADDS, LAMBDAS
from dirrac_core.evaluation.parallel import Cancel, Progress
from dirrac_core.experiments.bench import Bench, our_bench
from dirrac_core.experiments.experiment import OURS, Experiment, Settings
from dirrac_core.experiments.in_turn import REAL, at_most, in_turn
from dirrac_core.experiments.synthetic_futures import kinds_of_models
from dirrac_core.figures.frontier import frontier
from dirrac_core.figures.panels import panelled

APPLICANTS = 30
PRESET = "free"
# Two features scaled to [0, 1]: a plan costs about 0.5 and all methods are at 100 in 100 soon
# after, so both grids are fine where plans are cheap: δ_add small, and λ up to where today's model
# hardly accepts ROAR's plans any more.
SYNTHETIC_DELTA_ADDS = (0.0, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1, 0.2)
SYNTHETIC_LAMBDAS = (1.0, 2.0, 2.5, 2.75, 2.9, 3.0, 3.1, 3.2, 3.3)
# The shifted samples that judge are not those the mixture was estimated from.
JUDGING_SEED = 1_000
PARAMETERS = {"DiRRAc": "δ_add", "ROAR (exact)": "λ", "ROAR (as published)": "λ"}
COLUMNS = (
    "source",
    "method",
    "parameter",
    "n",
    "plans",
    "success",
    "cost_l1",
    "cost_l1_low",
    "cost_l1_high",
    "m2",
    "m2_low_applicants",
    "m2_high_applicants",
    "worst_case",
    "keeps_rules",
)


def dirrac_of(bench: Bench) -> Dirrac:
    """DiRRAc with the bench's re-trained models as one component; today's model must accept."""
    return Dirrac(bench.current, bench.mixture(), current_model=bench.current.theta)


def _real(settings: Settings, progress: Progress, cancel: Cancel) -> pd.DataFrame:
    asked = at_most(settings, APPLICANTS)

    def rows_of(name: str, tell: Progress) -> pd.DataFrame:
        bench = our_bench(name, asked, PRESET)
        grids = DELTA_ADDS, LAMBDAS
        return _swept(bench, dirrac_of(bench), bench.judge, grids, asked, tell, cancel)

    return in_turn(REAL, rows_of, progress, cancel)


def _synthetic(settings: Settings, progress: Progress, cancel: Cancel) -> pd.DataFrame:
    asked = at_most(settings, APPLICANTS)
    schema = load_dataset("synthetic").schema

    def rows_of(name: str, tell: Progress) -> pd.DataFrame:
        bench = our_bench(name, asked, PRESET)
        known = kinds_of_models(schema, asked.seed)
        judge = Judge(
            kinds_of_models(schema, asked.seed + JUDGING_SEED).future(), bench.judge.favourable
        )
        dirrac = replace(dirrac_of(bench), mixture=known.mixture())
        grids = SYNTHETIC_DELTA_ADDS, SYNTHETIC_LAMBDAS
        return _swept(bench, dirrac, judge, grids, asked, tell, cancel)

    return in_turn(("synthetic",), rows_of, progress, cancel)


def _swept(
    bench: Bench,
    dirrac: Dirrac,
    judge: Judge,
    grids: tuple[Sequence[float], Sequence[float]],
    settings: Settings,
    progress: Progress,
    cancel: Cancel,
) -> pd.DataFrame:
    methods = frontier_methods(
        dirrac, [Roar(bench.current), RoarPublished(bench.current)], (), *grids
    )
    frame = dataset_frontier(
        bench.applicants, methods, judge, dirrac.objective(), settings.jobs, progress, cancel
    )
    rows = frame.assign(source=OURS)[list(COLUMNS)]
    rows.attrs["complete"] = frame.attrs["complete"]
    return rows


def draw(rows: pd.DataFrame, theme: str) -> go.Figure:
    """A panel a dataset; the bars are 95 % intervals over applicants."""
    interval = ("m2_low_applicants", "m2_high_applicants")
    return panelled(
        {
            load_dataset(str(name)).title: frontier(
                part,
                interval=interval,
                value_title="future models that accept, in 100",
                parameters=PARAMETERS,
                theme=theme,
            )
            for name, part in rows.groupby("dataset", sort=False)
        },
        theme=theme,
    )


EXPERIMENTS = (
    Experiment(
        name="frontier",
        kind="figure",
        title="Cost against validity on real data",
        place="Figure 3, Section 5",
        about=(
            "Swept over δ_add, DiRRAc reaches every level of M2 validity at a smaller ℓ1 cost than "
            "ROAR swept over λ."
        ),
        difference=(
            "With ROAR solved to its optimum under the same rules, DiRRAc does not always "
            "dominate: on Student the frontiers lie on each other, on SBA neither gains much "
            "beyond a cost of 0.7 and ROAR as published gets further only with plans between two "
            "categories, and on German DiRRAc is far cheaper until its budget allows a change of "
            "Status, whose codes the corrected data permute, a shift nobody declared, so that M2 "
            "falls."
        ),
        compute=_real,
        draw=draw,
    ),
    Experiment(
        name="frontier_synthetic",
        kind="figure",
        title="Cost against validity on synthetic shifts",
        place="Figure 8, Appendix A",
        about=(
            "On two Gaussian classes whose mean or covariance shifts, DiRRAc is said to reach the "
            "same validity as ROAR at a smaller cost."
        ),
        difference=(
            "DiRRAc is told the three kinds of shift and ROAR is solved to its optimum; then the "
            "frontiers lie on each other, because with two features there is little to choose but "
            "how far to go. With λ up to 0.2, as in the paper, ROAR only goes further than needed "
            "and so looks dearer; ours goes on to λ = 3.3."
        ),
        compute=_synthetic,
        draw=draw,
    ),
)
