"""The feasible set of the paper's Figure 2, for one applicant and growing radii ρ, and live."""

from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dirrac_core.case.scenario import Scenario
from dirrac_core.data import Actions
from dirrac_core.feasible import FeasibleSet
from dirrac_core.figures.drawing.panels import panelled
from dirrac_core.figures.plane.geometry import geometry
from dirrac_core.figures.plane.geometry_marks import Landmark
from dirrac_core.geometry.axes import plain_axis
from dirrac_core.geometry.slices import Slice
from dirrac_core.models.futures.shift import PRIOR, Shift
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.paper.bench import our_bench
from dirrac_core.paper.experiment import OURS, Run
from dirrac_core.paper.synthetic_futures import kinds_of_models
from dirrac_core.recourse import find_recourse

RADII = (0.0, 1.0, 2.0)
# Live: wide enough that every margin stands apart from its boundary and all three bend.
LIVE_RADIUS = 1.6
# What the budget leaves above the cheapest plan at the largest radius, in ℓ2 as in the figure.
DELTA_ADD = 0.05
WINDOW = (-0.05, 1.05, -0.05, 1.05)
HEIGHT = 300
COMPONENT, APPLICANT, PLAN = "component", "applicant", "plan"
VECTOR = ["x1", "x2", "x3"]


def compute(run: Run) -> pd.DataFrame:
    """For each ρ the components (θ̂_k as x1, x2, x3), the applicant and the best plan.

    The budget `delta` is the same for every ρ, so that only the margins move.
    """
    bench = our_bench("synthetic", replace(run.settings, applicants=1))
    mixture = kinds_of_models(run.settings.seed).mixture()
    run.progress(0.5, "components estimated")
    (applicant,) = bench.applicants
    dirrac = replace(bench.dirrac(mixture), cost="l2", current_model=None)
    asked = [replace(dirrac, radii=rho) for rho in RADII]
    delta = asked[-1].problem(applicant.x0, applicant.actions).delta_min + DELTA_ADD
    rows: list[tuple[object, ...]] = []
    for rho, method in zip(RADII, asked, strict=True):
        plan = find_recourse(method.problem(applicant.x0, applicant.actions, delta))
        components = zip(mixture.means, mixture.weights, strict=True)
        points = [(COMPONENT, theta, weight) for theta, weight in components]
        points.append((APPLICANT, applicant.x0, np.nan))
        if plan.x is not None:
            points.append((PLAN, plan.x, np.nan))
        rows += [
            (OURS, rho, kind, weight, *vector, delta, plan.worst_case_probability)
            for kind, vector, weight in points
        ]
    run.progress(1.0, "done")
    columns = ["source", "rho", "row", "weight", *VECTOR, "delta", "worst_case"]
    return pd.DataFrame(rows, columns=columns)


def draw(rows: pd.DataFrame, theme: str) -> go.Figure:
    """One panel per radius: boundaries, margins, budget, feasible set, applicant and plan."""
    axes = plain_axis("Feature 1, scaled"), plain_axis("Feature 2, scaled")
    box = Actions(lower=np.zeros(2), upper=np.ones(2))
    panels = {}
    for rho in sorted(rows["rho"].unique()):
        part = rows[rows["rho"] == rho].set_index("row")
        points, delta = part[VECTOR].astype(np.float64), float(part["delta"].iloc[0])
        means = points.loc[[COMPONENT]].to_numpy()
        # The picture has no use for covariances: only means and radii bound the feasible set.
        none = np.zeros((len(means), 3, 3))
        mixture = ParameterMixture(part.loc[[COMPONENT], "weight"], means, none)
        x0 = points.loc[APPLICANT].to_numpy()
        feasible = FeasibleSet(x0, mixture, rho, box, "l2", delta)
        shown = [kind for kind in (APPLICANT, PLAN) if kind in points.index]
        marks = [Landmark(kind, points.loc[kind].to_numpy()) for kind in shown]
        panels[f"ρ = {rho:g}"] = geometry(
            Slice(feasible, x0, (0, 1)), axes, marks, window=WINDOW, theme=theme, compact=True
        )
    return panelled(panels, height=HEIGHT, theme=theme)


def figure_2_scenario() -> Scenario:
    """Settings whose geometry looks like Figure 2.

    Two features, a Euclidean budget, and three components that differ in slope and place.
    """
    moved = {"covariance-growth": 1.0, PRIOR: -1.0, "economic-period": 1.0}
    return Scenario(
        "synthetic",
        395,
        shifts=tuple(Shift(story, size, radius=LIVE_RADIUS) for story, size in moved.items()),
        delta_add=0.12,
        cost="l2",
        futures="sampling",
        radius_unit="weights",
    )
