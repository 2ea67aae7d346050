"""The pictures of the lab: people and boundaries after a shift, and the models as points."""

import streamlit as st

from dirrac_core.figures.drawing.palette import BACKGROUND, COMPONENT_COLOURS
from dirrac_core.figures.drawing.sketch import Trace, scatter
from dirrac_core.figures.lessons.shift_types import Shifted, shift_types
from dirrac_core.figures.parameter_cloud import parameter_cloud
from dirrac_core.geometry.axes import feature_axis
from dirrac_core.geometry.model_cloud import model_cloud
from dirrac_core.models.component_words import weight_names
from dirrac_core.robustness.coverage import coverage
from pages.shared.pictures import draw_picture, theme
from pages.shift_lab import computing
from pages.shift_lab.computing import MODELS, SHIFT_NAMES
from pages.shift_lab.view import SYMBOLS, View

PEOPLE = (
    "Orange crosses are people with the unfavourable outcome, blue dots people with the favourable "
    "one. Each thin line is the boundary of one re-trained model, which accepts what lies above "
    "and to the right of it; the dashed line is today's. Green diamonds are DiRRAc's plans, made "
    "before the shift."
)


def draw_people(view: View, key: str) -> None:
    """The paper's figure of data shifts: today and after the shift, in one window."""
    after = computing.after_shift(view.kind, view.size)
    bundle = computing.models_today()
    present, schema = bundle.dataset.present, bundle.dataset.schema
    assert bundle.parameters is not None
    first, second = (feature_axis(feature) for feature in schema.features)
    title = f"{SHIFT_NAMES[view.kind]}, {SYMBOLS[view.kind]} = {view.size:.1f}"
    panels = {
        "Today": Shifted(present.X, present.y.astype(float), bundle.parameters[:MODELS]),
        title: after,
    }
    figure = shift_types(panels, (first, second), computing.model_today().theta, theme=theme())
    for column in range(1, len(panels) + 1):
        figure.add_trace(_plans(view), row=1, col=column)
    # On a narrow screen the legend would cover the titles; the words below say the same.
    figure.update_layout(showlegend=False, margin={"t": 40})
    draw_picture(figure, key)


def _plans(view: View) -> Trace:
    """DiRRAc's plans as marks."""
    dirrac = computing.methods(*view.plans)[0]
    found = [plan.x for plan in dirrac.plans.values() if plan.x is not None]
    return scatter(
        x=[x[0] for x in found],
        y=[x[1] for x in found],
        mode="markers",
        marker={
            "symbol": "diamond",
            "size": 10,
            "color": COMPONENT_COLOURS[0],
            "line": {"color": BACKGROUND[theme()], "width": 1},
        },
        name="DiRRAc's plans",
        hovertemplate="A plan of DiRRAc<extra></extra>",
    )


def draw_cloud(view: View) -> None:
    """The paper's figure of model parameters: what was prepared for, and what came."""
    after = computing.after_shift(view.kind, view.size)
    future = computing.preparation(view.prepared)
    names = weight_names(computing.models_today().dataset.schema.columns)
    st.markdown("#### The models as points")
    draw_picture(
        parameter_cloud(
            model_cloud(
                *(future.parameters, future.labels, future.mixture, view.rho, names),
                (0, 1),
                after.models,
            ),
            future.names,
            theme(),
        ),
        "lab cloud",
    )
    found = coverage(after.models, future.mixture, view.rho)
    near = future.names[found.nearest]
    if found.group_inside:
        st.success(
            f"What came lies inside what was declared: the models after the shift are together "
            f"{found.group_distance:.2f} away from “{near}”, and ρ = {view.rho:g}. The promise "
            "covers them.",
            icon=":material/check:",
        )
    else:
        st.caption(
            f"The models after the shift are together {found.group_distance:.2f} away from "
            f"“{near}”, and ρ = {view.rho:g}: outside, so the promise does not cover them."
        )
    st.caption(
        "Crosses are the models after the shift; ellipses are two deviations of what was "
        "prepared for."
    )
