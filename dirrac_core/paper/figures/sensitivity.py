"""What the radius ρ and the extra budget δ_add do to cost, validity and guarantee."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import plotly.graph_objects as go

from dirrac_core.data import load_dataset
from dirrac_core.figures.lessons.sensitivity import sensitivity_lines
from dirrac_core.paper.bench import our_bench
from dirrac_core.paper.experiment import OURS, PRESET, REAL, Settings, in_turn, marked
from dirrac_core.progress import Cancel, Progress
from dirrac_core.studies import sensitivity
from dirrac_core.studies.frontier import DELTA_ADDS
from dirrac_core.studies.sensitivity import RADII

APPLICANTS = 60
# What is fixed while the other is varied, as in the paper.
FIXED_RADIUS = 0.1
FIXED_DELTA_ADD = 0.1
COLUMNS = (
    "dataset source method rho delta_add n plans cost_l1 cost_l1_low cost_l1_high m2 "
    "m2_low_applicants m2_high_applicants worst_case"
).split()


def vary(
    radii: Sequence[float],
    delta_adds: Sequence[float],
    settings: Settings,
    progress: Progress,
    cancel: Cancel,
) -> pd.DataFrame:
    """The study on each of the paper's datasets."""
    asked = settings.at_most(APPLICANTS)

    def rows_of(name: str, tell: Progress, cancel: Cancel) -> pd.DataFrame:
        bench = our_bench(name, asked, PRESET)
        people, dirrac = bench.applicants, bench.dirrac()
        frame = sensitivity(
            people, dirrac, bench.judge, radii, delta_adds, asked.jobs, tell, cancel
        )
        return marked(frame.assign(dataset=name, source=OURS)[COLUMNS], frame.attrs["complete"])

    return in_turn({name: partial(rows_of, name) for name in REAL}, progress, cancel)


compute_over_rho = partial(vary, RADII, (FIXED_DELTA_ADD,))
compute_over_delta = partial(vary, (FIXED_RADIUS,), DELTA_ADDS)


def draw_over(setting: str, rows: pd.DataFrame, theme: str) -> go.Figure:
    """One line per dataset over "rho" or "delta_add"."""
    titles = {name: load_dataset(name).title for name in rows["dataset"].unique()}
    named = rows.assign(title=rows["dataset"].map(titles))
    return sensitivity_lines(named, setting, "title", theme=theme)
