"""What the radius ρ and the extra budget δ_add do to cost, validity and guarantee."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import plotly.graph_objects as go

from dirrac_core.data import DATASETS
from dirrac_core.figures.lessons.sensitivity import sensitivity_lines
from dirrac_core.paper.bench import our_bench
from dirrac_core.paper.experiment import Run, in_parts, our_rows, per_dataset
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


def varied(
    radii: Sequence[float], delta_adds: Sequence[float], name: str, run: Run
) -> pd.DataFrame:
    """The study on one of the paper's datasets."""
    bench = our_bench(name, run.settings)
    people, dirrac = bench.applicants, bench.dirrac()
    frame = sensitivity(people, dirrac, bench.judge, radii, delta_adds, *run.how)
    return our_rows(frame, COLUMNS, dataset=name)


over_rho = partial(varied, RADII, (FIXED_DELTA_ADD,))
over_delta = partial(varied, (FIXED_RADIUS,), DELTA_ADDS)
compute_over_rho = in_parts(per_dataset(over_rho), most=APPLICANTS)
compute_over_delta = in_parts(per_dataset(over_delta), most=APPLICANTS)


def draw_over(setting: str, rows: pd.DataFrame, theme: str) -> go.Figure:
    """One line per dataset over "rho" or "delta_add"."""
    named = rows.assign(title=rows["dataset"].map(DATASETS))
    return sensitivity_lines(named, setting, "title", theme=theme)


draw_over_rho, draw_over_delta = partial(draw_over, "rho"), partial(draw_over, "delta_add")
