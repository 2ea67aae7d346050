"""The lab itself: people, boundaries and models after a shift, and which plans survive it."""

import pandas as pd
import streamlit as st

from dirrac_core.figures.drawing.lines import DECLINE
from dirrac_core.figures.drawing.palette import MUTED_INK
from dirrac_core.figures.lessons.shift_impact import shift_impact_lines
from dirrac_core.wording import per_hundred
from pages.runs import background
from pages.runs.panel import show_run
from pages.shared import wording
from pages.shared.pictures import draw_picture, theme
from pages.shift_lab import computing
from pages.shift_lab.computing import MODELS, SHIFT_NAMES
from pages.shift_lab.pictures import PEOPLE, draw_cloud, draw_people
from pages.shift_lab.view import EXPLAINED, SYMBOLS, View, choose_view

_CURVES = "curves of the shift lab"


def show_lab() -> None:
    """Controls, the headline, the three pictures and the table."""
    view = choose_view()
    with st.spinner("Training the models of this shift"):
        computing.after_shift(view.kind, view.size)
        computing.methods(*view.plans)
    rows = computing.validity(*view.plans, view.kind, view.size)
    st.markdown(f"### {headline(view, rows)}")
    st.caption(EXPLAINED[view.kind])
    draw_people(view, "lab data")
    st.caption(PEOPLE)
    left, right = st.columns(2, gap="large")
    with left:
        draw_cloud(view)
    with right:
        _who_survives(view, rows)
        _curve(view)


def headline(view: View, rows: pd.DataFrame) -> str:
    """One computed sentence about this shift."""
    dirrac, _, roar = (float(m2) for m2 in rows["m2"])
    kind, size = SHIFT_NAMES[view.kind].lower(), f"{SYMBOLS[view.kind]} = {view.size:.1f}"
    shift = f"{kind} of {size}" if view.kind == "both" else f"a {kind} of {size}"
    if view.size == 0.0:
        shift = "another draw of the same data"
    return (
        f"After {shift}, "
        f"of 100 later models {_declining(dirrac)} decline DiRRAc's plans, and "
        f"{_declining(roar)} ROAR's."
    )


def _declining(accepted: float) -> str:
    return f"{100 * (1.0 - accepted):.0f}"


def _who_survives(view: View, rows: pd.DataFrame) -> None:
    """Effort, guarantee and observation of each method's plans, here."""
    st.markdown("#### Who survives it")
    facts = computing.plan_facts(*view.plans)
    table = pd.DataFrame(
        {
            "Method": facts["method"],
            "Effort": [wording.amount(effort) for effort in facts["effort"]],
            "Worst case: decline it": [
                f"at most {per_hundred(p)} of 100" for p in facts["worst_case"]
            ],
            "Observed: decline it": [f"{_declining(m2)} of 100" for m2 in rows["m2"]],
        }
    ).set_index("Method")
    st.table(table, alt="Effort, worst case and observed declines of each method's plans")
    st.caption(
        f"Means over {int(facts['plans'].min())} declined people and "
        f"{int(rows['models'].iloc[0])} models trained after this shift. The worst case is about "
        "the futures prepared for. ROAR looks at today's model only, and at its usual setting it "
        "simply goes further."
    )


def _curve(view: View) -> None:
    """The paper's last figure for this kind of shift, with the present size marked."""
    st.markdown("#### Against the size of the shift")
    about = view.plans
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
            f"{MODELS} models are trained for each of {len(computing.SIZES)} sizes of every "
            "kind; that takes some seconds."
        )
        return
    if show_run(run):
        return
    if run.result is None or run.result.empty:
        _again("Nothing was computed.", about)
        return
    own = run.result[run.result["kind"] == view.kind]
    if len(own) < len(computing.SIZES) * len(computing.methods(*about)):
        done = own["magnitude"].nunique()
        _again(f"Stopped after {done} of {len(computing.SIZES)} sizes of this kind.", about)
    if own.empty:
        return
    figure = shift_impact_lines(own, columns=1, theme=theme(), counted=DECLINE)
    figure.add_vline(
        x=view.size,
        line={"color": MUTED_INK[theme()], "width": 2, "dash": "dot"},
    )
    draw_picture(figure, "lab curve")
    st.caption(
        "The dotted line is the present size. Plans are made once, before the shift. Bars are 95 % "
        "t intervals over the models of one size."
    )


def _again(words: str, about: tuple[str, float, float]) -> None:
    st.info(words, icon=":material/info:")
    st.button("Go on", icon=":material/play_arrow:", on_click=_start, args=about)


def _start(prepared: str, effort: float, rho: float) -> None:
    about = (prepared, effort, rho)
    background.start(
        _CURVES, about, lambda progress, cancel: computing.curves(*about, progress, cancel)
    )
