"""The JSON of every figure function, in both themes, from inputs made here or solved at once."""

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dirrac_core import (
    Actions,
    ParameterMixture,
    RecourseProblem,
    WeightBall,
    find_recourse,
    load_dataset,
    worst_case_model,
)
from dirrac_core.case.case import make_case
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import with_constant
from dirrac_core.figures.adversary_bars import adversary_bars
from dirrac_core.figures.component_bars import component_bars
from dirrac_core.figures.drawing.palette import THEMES, alt_text
from dirrac_core.figures.drawing.panels import panelled
from dirrac_core.figures.frontier import frontier
from dirrac_core.figures.lessons.elbow import elbow
from dirrac_core.figures.lessons.sensitivity import sensitivity_lines
from dirrac_core.figures.lessons.shift_impact import shift_impact_lines
from dirrac_core.figures.lessons.shift_types import Shifted, shift_types
from dirrac_core.figures.methods.changes import MethodPlan, method_changes
from dirrac_core.figures.model_icons import model_icons
from dirrac_core.figures.parameter_cloud import parameter_cloud
from dirrac_core.figures.plane.geometry import geometry
from dirrac_core.figures.plane.geometry_animation import geometry_over_radius
from dirrac_core.figures.plane.geometry_marks import Landmark
from dirrac_core.figures.plane.recourse_idea import recourse_idea
from dirrac_core.figures.portfolio import distribution, group_intervals, people_dots
from dirrac_core.geometry.algorithm_walk import walk
from dirrac_core.geometry.axes import feature_axis, plain_axis
from dirrac_core.geometry.case_plane import case_plane, roar_plan, telling_features
from dirrac_core.geometry.model_cloud import model_cloud
from dirrac_core.geometry.radius_frames import RadiusFrame, radius_frames
from dirrac_core.geometry.slices import Slice
from dirrac_core.models.estimate import estimate_mixture
from dirrac_core.models.pulls import pulls_down
from dirrac_core.robustness.readings import readings_of
from dirrac_core.studies.staircase import with_steps
from tests.golden import more_figures
from tests.golden.store import compact
from tests.golden.tables import EFFORT, GROUPS, PEOPLE, WORST
from tests.small_problems import slice_at

PLAIN = (plain_axis("First"), plain_axis("Second"))
Draw = Callable[[str], go.Figure]


def answers() -> dict[str, Any]:
    """Of each figure and theme the digest of its JSON, its description and the names it shows."""
    drawn = {**_bars(), **_clouds(), **_geometry(), **_german(), **_tables(), **_shifts()}
    drawn |= more_figures.lessons() | more_figures.comparisons()
    found = {}
    for name, draw in drawn.items():
        for theme in THEMES:
            figure = draw(theme)
            found[f"{name} · {theme}"] = {
                "sha256": _digest(figure.to_json()),
                "alt": alt_text(figure),
                "traces": [trace.name for trace in figure.data],
            }
    for name, picture in more_figures.pictures().items():
        found[name] = {"sha256": _digest(compact(picture))}
    return found


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _bars() -> dict[str, Draw]:
    rng = np.random.default_rng(3)
    d, radii = 14, np.array([0.05, 0.1, 0.2])
    factors = rng.normal(size=(3, d, d)) * 0.08
    mixture = ParameterMixture(
        [0.2, 0.3, 0.5],
        rng.normal(size=(3, d)) * 0.2 + 0.6,
        factors @ factors.transpose(0, 2, 1),
    )
    x = np.append(rng.uniform(0.2, 1.0, d - 1), 1.0)
    columns = [f"Column {j}" for j in range(d - 1)]
    worst = worst_case_model(x, mixture, radii, 1).mean
    accepts = rng.random(100) > 0.2
    ball, names = WeightBall("kl", 0.2), ("One", "Two", "Three")
    return {
        "component_bars nominal": lambda t: component_bars(readings_of(x, mixture, radii), theme=t),
        "component_bars ball": lambda t: component_bars(
            readings_of(x, mixture, radii, ball), names, t
        ),
        "adversary_bars": lambda t: adversary_bars(mixture.means[1], worst, columns, t),
        "model_icons": lambda t: model_icons(accepts, [f"reason {m}" for m in range(100)], t),
        "model_icons all accept": lambda t: model_icons(np.ones(100, dtype=bool), theme=t),
        "elbow": lambda t: elbow([80.0, 20.0, 10.0, 8.0], 2, t),
    }


def _clouds() -> dict[str, Draw]:
    rng = np.random.default_rng(1)
    centres = np.array([[0.0, 0.0, 0.0, 0.0], [4.0, 2.0, 0.0, 1.0]])
    models = np.vstack([c + rng.normal(size=(40, 4)) * [0.5, 0.3, 0.2, 0.1] for c in centres])
    estimate = estimate_mixture(models, 2)
    given = (models, estimate.labels, estimate.mixture, [0.3, 0.7], ("a", "b", "c", "constant"))
    today = np.array([1.0, 1.0, -1.0])
    tomorrow = today + rng.normal(size=(60, 3)) * 0.2
    points = ([0.1, 0.2, 1.0], [0.5, 0.5, 1.0], [0.9, 1.0, 1.0])
    return {
        "parameter_cloud principal": lambda t: parameter_cloud(model_cloud(*given), theme=t),
        "parameter_cloud weights": lambda t: parameter_cloud(
            model_cloud(*given, (3, 1), models + 2.0), ("One", "Two"), t
        ),
        "recourse_idea": lambda t: recourse_idea(*points, today, tomorrow, PLAIN, t),
    }


def _geometry() -> dict[str, Draw]:
    """A made-up problem in two columns, with every layer."""
    found: dict[str, Draw] = {}
    mixture = ParameterMixture(
        [0.4, 0.6], [[1.6, 0.9, -1.2], [0.9, 1.5, -1.0]], [0.02 * np.eye(3), 0.05 * np.eye(3)]
    )
    for cost in ("l1", "l2"):
        asked = RecourseProblem(
            [0.15, 0.2, 1.0],
            mixture,
            radii=[0.3, 0.15],
            delta_add=0.3,
            cost=cost,
            actions=Actions(lower=[0, 0], upper=[1, 1]),
        )
        plane = Slice(asked.feasible_set, asked.x0, (0, 1))
        plan = find_recourse(asked)
        marks = [Landmark("applicant", asked.x0), Landmark("plan", plan.x)]
        frames = [
            RadiusFrame(rho, slice_at(rho, plane), plan.x, plan.worst_case_probability)
            for rho in (0.0, 0.1, 0.3)
        ]
        path = [step.x for step in find_recourse(asked, solver="projected_gradient").trace]
        found[f"geometry {cost}"] = lambda t, p=plane: geometry(p, PLAIN, theme=t)
        found[f"geometry {cost} all layers"] = (
            lambda t, p=plane, m=marks, way=path, o=asked.objective: geometry(
                p, PLAIN, m, way, o, ("One", "Two"), theme=t
            )
        )
        found[f"geometry_over_radius {cost}"] = lambda t, f=frames, m=marks: geometry_over_radius(
            f, PLAIN, m[:1], theme=t
        )
    return found


def _german() -> dict[str, Draw]:
    """Figures of one real applicant."""
    case = make_case(Scenario("german", 1, components=2))
    x = find_recourse(case.problem).x
    plane = case_plane(case, telling_features(case, x), case.x0)
    roar, path = roar_plan(case), walk(case, steps=5).points
    marks = [Landmark("applicant", case.x0), Landmark("plan", x), Landmark("roar", roar.x)]
    frames = radius_frames(case, telling_features(case, x), at_plan=True)[1][::4]
    schema, data = case.dataset.schema, case.dataset.present
    models = case.bundle.future.parameters
    typical = data.X[data.y == 1].mean(axis=0)
    reasons = pulls_down(models, x, typical, schema)
    plans = [
        MethodPlan("DiRRAc", x, True),
        MethodPlan("ROAR", roar.x, False),
        MethodPlan("RBR", None, False),
    ]
    return {
        "geometry german": lambda t: geometry(plane.slice, plane.axes, marks, path, theme=t),
        "geometry_over_radius german": lambda t: geometry_over_radius(
            frames, plane.axes, marks[:1], theme=t
        ),
        "method_changes": lambda t: method_changes(schema, case.x0, plans, t),
        "method_changes nothing": lambda t: method_changes(schema, case.x0, [], t),
        "method_changes many features": lambda t: _many_changes(t),
        "model_icons german": lambda t: model_icons(models @ x >= 0.0, reasons, t),
    }


def _many_changes(theme: str) -> go.Figure:
    sba = load_dataset("sba")
    x0 = with_constant(sba.present.X[31])
    other = with_constant(sba.present.X[int(np.flatnonzero(sba.present.y == 1)[0])])
    return method_changes(sba.schema, x0, [MethodPlan("A", other, True)], theme)


def _tables() -> dict[str, Draw]:
    """Figures of tables: the frontier and the portfolio."""
    columns = ["method", "parameter", "cost_l1", "m2", "m2_low", "m2_high", "bound"]
    rows = [
        ("DiRRAc", 1.0, 1.4, 0.9, 0.8, 0.95, 0.2),
        ("ROAR", 0.1, 2.0, 0.7, 0.6, 0.8, np.nan),
        ("DiRRAc", 0.0, 0.4, 0.5, 0.4, 0.6, 0.9),
        ("AR", np.nan, 0.3, 0.4, 0.3, 0.5, 1.0),
        ("ROAR", 0.2, np.nan, np.nan, np.nan, np.nan, np.nan),
    ]
    curve = pd.DataFrame(rows, columns=columns).assign(keeps_rules=[1.0, 0.5, 1.0, 1.0, np.nan])
    return {
        "frontier": lambda t: frontier(
            with_steps(curve, "cost_l1", "m2"), parameters={"DiRRAc": "δ_add"}, theme=t
        ),
        "frontier bound": lambda t: frontier(
            with_steps(curve, "cost_l1", "bound", lower_is_better=True),
            value="bound",
            interval=None,
            theme=t,
        ),
        "distribution": lambda t: distribution(PEOPLE, WORST, t, 20.0),
        "distribution of nobody": lambda t: distribution(
            PEOPLE.assign(found=False), WORST, t, 20.0
        ),
        "people_dots": lambda t: people_dots(
            PEOPLE, EFFORT, WORST, t, ["b", "a", "b", "a"], ["a", "b"], {5: ("Duration",)}
        ),
        "people_dots of one group": lambda t: people_dots(PEOPLE, EFFORT, WORST, t, None, [], {}),
        "group_intervals": lambda t: group_intervals(GROUPS, EFFORT, 30, t),
    }


def _shifts() -> dict[str, Draw]:
    """Figures of shifts: people and boundaries, sensitivity, impact, and panels of any figures."""
    rng = np.random.default_rng(5)
    people = rng.random((30, 2))
    today = np.array([1.0, 1.0, -1.0])
    shifted = Shifted(people, people.sum(axis=1) > 1.0, today + 0.2 * rng.normal(size=(9, 3)))
    settings = pd.DataFrame(
        [
            (name, value, 1 + value, 1.0, 1.5 + value, 0.6 + value, 0.5, 0.95, 0.3 - value, 5)
            for name in ("German", "SBA")
            for value in (0.2, 0.0, 0.1)
        ],
        columns=[
            *("dataset", "rho", "cost_l1", "cost_l1_low", "cost_l1_high", "m2"),
            *("m2_low_applicants", "m2_high_applicants", "worst_case", "plans"),
        ],
    ).assign(n=5)
    impact = pd.DataFrame(
        [
            (method, kind, size, m2, m2 - 0.1, m2 + 0.05)
            for kind in ("mean", "both")
            for size in (1.0, 0.0)
            for method, m2 in (("DiRRAc", 0.95 - 0.2 * size), ("AR", np.nan))
        ],
        columns=["method", "kind", "magnitude", "m2", "m2_low", "m2_high"],
    )
    synthetic = tuple(map(feature_axis, load_dataset("synthetic").schema.features))
    curve = [80.0, 20.0, 10.0]
    return {
        "shift_types": lambda t: shift_types(
            {"Now": shifted, "Later": shifted}, synthetic, today, theme=t
        ),
        "sensitivity_lines": lambda t: sensitivity_lines(settings, "rho", "dataset", theme=t),
        "shift_impact_lines": lambda t: shift_impact_lines(impact, theme=t),
        "panelled": lambda t: panelled(
            {"One": elbow(curve, 2, t), "Two": elbow(curve, 1, t)}, columns=1, theme=t
        ),
    }
