"""The lab itself: people, boundaries and models after a shift, and which plans survive it."""

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dirrac_core.figures.axes import feature_axis
from dirrac_core.figures.palette import BACKGROUND, COMPONENT_COLOURS, MUTED_INK
from dirrac_core.figures.parameter_cloud import parameter_cloud
from dirrac_core.figures.shift_impact import shift_impact_lines
from dirrac_core.figures.shift_types import Shifted, shift_types
from dirrac_core.models.component_words import weight_names
from dirrac_core.robustness.coverage import coverage
from pages.shared import background, wording
from pages.shared import lab_computing as lab
from pages.shared.lab_view import EXPLAINED, SYMBOLS, View, choose_view
from pages.shared.pictures import picture, theme

_CURVES = "curves of the shift lab"


def live() -> None:
    """Controls, the headline, the three pictures and the table."""
    view = choose_view()
    with st.spinner("Training the models of this shift"):
        after = lab.after_shift(view.kind, view.size)
        lab.methods(view.prepared, view.effort)
    rows = lab.validity(view.prepared, view.effort, view.kind, view.size)
    st.markdown(f"#### {headline(view, rows)}")
    st.caption(EXPLAINED[view.kind])
    _data(view, after)
    left, right = st.columns(2, gap="large")
    with left:
        _cloud(view, after)
    with right:
        _who_survives(view, rows)
        _curve(view)


def headline(view: View, rows: pd.DataFrame) -> str:
    """One computed sentence about this shift."""
    dirrac, _, roar = (float(m2) for m2 in rows["m2"])
    kind, size = lab.SHIFT_NAMES[view.kind].lower(), f"{SYMBOLS[view.kind]} = {view.size:.1f}"
    shift = f"{kind} of {size}" if view.kind == "both" else f"a {kind} of {size}"
    if view.size == 0.0:
        shift = "another draw of the same data"
    return (
        f"After {shift}, "
        f"{_in_100(dirrac)} later models accept DiRRAc's plans, and {_in_100(roar)} ROAR's."
    )


def _in_100(share: float) -> str:
    return f"{100 * share:.0f} in 100"


def _data(view: View, after: Shifted) -> None:
    """The paper's figure of data shifts: today and after the shift, in one window."""
    bundle = lab.models_today()
    present, schema = bundle.dataset.present, bundle.dataset.schema
    assert bundle.parameters is not None
    first, second = (feature_axis(feature) for feature in schema.features)
    title = f"{lab.SHIFT_NAMES[view.kind]}, {SYMBOLS[view.kind]} = {view.size:.1f}"
    panels = {
        "Today": Shifted(present.X, present.y, bundle.parameters[: lab.MODELS]),
        title: after,
    }
    figure = shift_types(panels, (first, second), bundle.current.theta, theme=theme())
    for column in range(1, len(panels) + 1):
        figure.add_trace(_plans(view), row=1, col=column)
    # On a narrow screen the legend would cover the titles; the words below say the same.
    figure.update_layout(showlegend=False, margin={"t": 40})
    picture(figure, "lab data")
    st.caption(
        "Orange crosses are people with the unfavourable outcome, blue dots people with the "
        "favourable one. Each thin line is the boundary of one re-trained model, which accepts "
        "what lies above and to the right of it; the dashed line is today's. Green diamonds are "
        "DiRRAc's plans, made before the shift."
    )


def _plans(view: View) -> go.Scatter:
    """DiRRAc's plans as marks."""
    dirrac = lab.methods(view.prepared, view.effort)[0]
    found = [plan.x for plan in dirrac.plans.values() if plan.x is not None]
    return go.Scatter(
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


def _cloud(view: View, after: Shifted) -> None:
    """The paper's figure of model parameters: what was prepared for, and what came."""
    future = lab.prepared_for(view.prepared)
    names = weight_names(lab.models_today().dataset.schema.columns)
    st.markdown("##### The models as points")
    picture(
        parameter_cloud(
            future.parameters,
            future.labels,
            future.mixture,
            lab.RADIUS,
            names,
            (0, 1),
            after.models,
            future.names,
            theme(),
        ),
        "lab cloud",
    )
    found = coverage(after.models, future.mixture, lab.RADIUS)
    where = (
        "inside: the guarantee covers them"
        if found.group_inside
        else ("outside: no guarantee covers them")
    )
    st.caption(
        f"Crosses are the models after the shift, together {found.group_distance:.2f} away from "
        f"“{future.names[found.nearest]}”, whose radius of doubt is ρ = {lab.RADIUS:g}, so they "
        f"are {where}. The ellipses are two deviations of what plans were prepared for."
    )


def _who_survives(view: View, rows: pd.DataFrame) -> None:
    """Effort, guarantee and observation of each method's plans, here."""
    st.markdown("##### Who survives it")
    facts = lab.plan_facts(view.prepared, view.effort)
    table = pd.DataFrame(
        {
            "Method": facts["method"],
            "Effort": [wording.amount(effort) for effort in facts["effort"]],
            "Guarantee: decline it": [wording.at_most(p) for p in facts["worst_case"]],
            "Observed: accept it": [_in_100(m2) for m2 in rows["m2"]],
        }
    ).set_index("Method")
    st.table(table, alt="Effort, guarantee and observed acceptance of each method's plans")
    st.caption(
        f"Means over {int(facts['plans'].min())} declined people. The guarantee is about the "
        f"futures prepared for; the observation is {int(rows['models'].iloc[0])} models trained "
        "after this shift. ROAR looks at today's model only, and at its usual setting it simply "
        "goes further."
    )


def _curve(view: View) -> None:
    """The paper's last figure for this kind of shift, with the present size marked."""
    st.markdown("##### Against the size of the shift")
    about = (view.prepared, view.effort)
    run = background.run_of(_CURVES)
    if run is None or run.about != about:
        st.button(
            "Compute for every size",
            icon=":material/play_arrow:",
            type="primary",
            on_click=_start,
            args=about,
        )
        st.caption(
            f"{lab.MODELS} models are trained for each of {len(lab.SIZES)} sizes of every kind; "
            "that takes some seconds."
        )
        return
    if run.active:
        background.watch(run)
        return
    background.failure(run)
    if run.result is None or run.result.empty:
        _again("Nothing was computed.", about)
        return
    own = run.result[run.result["kind"] == view.kind]
    if len(own) < len(lab.SIZES) * len(lab.methods(*about)):
        done = own["magnitude"].nunique()
        _again(f"Stopped after {done} of {len(lab.SIZES)} sizes of this kind.", about)
    if own.empty:
        return
    figure = shift_impact_lines(own, columns=1, theme=theme())
    figure.add_vline(
        x=view.size,
        line={"color": MUTED_INK[theme()], "width": 2, "dash": "dot"},
    )
    picture(figure, "lab curve")
    st.caption(
        "The dotted line is the present size. Plans are made once, before the shift. Bars are 95 % "
        "t intervals over the models of one size."
    )


def _again(words: str, about: tuple[str, float]) -> None:
    st.info(words, icon=":material/info:")
    st.button("Go on", icon=":material/play_arrow:", on_click=_start, args=about)


def _start(prepared: str, effort: float) -> None:
    background.start(
        _CURVES,
        (prepared, effort),
        lambda progress, cancel: lab.curves(prepared, effort, progress, cancel),
    )
