"""How cost, observed declines and worst case answer to ρ or δ_add on the real datasets."""

from functools import partial

import pandas as pd
import streamlit as st

from dirrac_core import DATASETS, load_dataset
from dirrac_core.figures.drawing.lines import DECLINE
from dirrac_core.figures.lessons.sensitivity import sensitivity_lines
from dirrac_core.methods import Dirrac
from dirrac_core.models.bundle import prepare
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.paper.figures.sensitivity import APPLICANTS as IN_PAPER
from dirrac_core.parallel import by_worker
from dirrac_core.progress import Cancel, Progress
from dirrac_core.studies import Judge, sensitivity
from dirrac_core.studies.frontier import DELTA_ADDS
from dirrac_core.studies.sensitivity import RADII
from dirrac_core.wording import per_hundred
from pages.runs import background
from pages.runs.panel import show_run
from pages.shared import notices, wording
from pages.shared.address.linked_controls import choose_one
from pages.shared.pictures import draw_picture, theme
from pages.shift_lab.computing import spread_applicants

_STUDY = "sensitivity study"
REAL = {name: title for name, title in DATASETS.items() if name != "synthetic"}
RHO, EFFORT = "rho", "delta_add"
SETTINGS = {RHO: "the radius of doubt ρ", EFFORT: "the extra effort δ_add"}
SYMBOLS = {RHO: "ρ", EFFORT: "δ_add"}
# The paper's study of ρ holds δ_add at 0.1, and its frontiers hold ρ at 0.1.
HELD = 0.1
APPLICANTS = 20


def show_study() -> None:
    """The choice, the computation with progress and a way to stop, and the three curves."""
    st.markdown(
        "Two settings decide how careful a plan is. Here the mean plan of some declined people is "
        "followed while one of them grows and the other is held at 0.1, as in the paper."
    )
    dataset, setting = _choices()
    about = (dataset, setting)
    run = background.run_of(_STUDY)
    if run is None or run.about != about:
        st.button(
            f"Compute for {APPLICANTS} applicants",
            icon=":material/play_arrow:",
            type="primary",
            on_click=_start,
            args=about,
        )
        st.caption("Every applicant is solved at every setting; that takes a few seconds.")
        return
    if show_run(run):
        return
    table = run.result
    if table is None or not table["n"].max():
        st.info("Nothing was computed.", icon=":material/info:")
        st.button("Compute again", icon=":material/play_arrow:", on_click=_start, args=about)
        return
    asked = int(table["n"].max())
    if not table.attrs["complete"]:
        st.info(
            f"Stopped after {asked} of {APPLICANTS} applicants; the means are over those.",
            icon=":material/info:",
        )
    st.markdown(f"### {headline(table, setting)}")
    if drawback(table):
        st.markdown(
            "More was spent and more decline: the care was spent on futures that did not come. A "
            "worst case covers the shifts that were declared, and here only re-trainings were."
        )
    left, right = st.columns([3, 2], gap="large")
    with left:
        # Panels one below the other can be read on a narrow screen too.
        figure = sensitivity_lines(table, setting, columns=1, theme=theme(), counted=DECLINE)
        draw_picture(figure, "lab sensitivity")
    with right:
        st.table(numbers(table, setting), alt="The means behind the curves")
        _describe(table, asked)


def _choices() -> tuple[str, str]:
    notices.report_choices({"lab_dataset": REAL.values(), "lab_setting": SETTINGS.values()})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        dataset = st.selectbox(
            "Dataset",
            list(REAL),
            format_func=REAL.__getitem__,
            key="lab_dataset",
            bind="query-params",
            width=320,
        )
        explained = f"{wording.GLOSSARY['rho']} {wording.GLOSSARY['delta_add']}"
        setting = choose_one("What grows", SETTINGS, "lab_setting", explained)
    return dataset, setting


def headline(table: pd.DataFrame, setting: str) -> str:
    """What the study found, from its first to its last setting with a plan."""
    drawn = table[table["plans"] > 0]
    if drawn.empty:
        return "Nobody gets a plan at any of these settings."
    first, last = drawn.iloc[0], drawn.iloc[-1]
    name = SYMBOLS[setting]
    return (
        f"From {name} = {first[setting]:g} to {last[setting]:g} the mean effort goes from "
        f"{wording.amount(first['cost_l1'])} to {wording.amount(last['cost_l1'])}, and the later "
        f"models that decline go from {100 * (1 - first['m2']):.0f} to "
        f"{100 * (1 - last['m2']):.0f} of 100."
    )


def numbers(table: pd.DataFrame, setting: str) -> pd.DataFrame:
    """The rows of the study as they are read: plans, effort, observation and worst case."""
    return pd.DataFrame(
        {
            SYMBOLS[setting]: [f"{value:g}" for value in table[setting]],
            "Plans": [
                f"{plans} of {n}" for plans, n in zip(table["plans"], table["n"], strict=True)
            ],
            "Effort": [wording.amount(cost) for cost in table["cost_l1"]],
            "Observed: decline": [_in_100(1.0 - m2) for m2 in table["m2"]],
            "Worst case: decline": [
                "none" if pd.isna(worst) else f"at most {per_hundred(worst)} of 100"
                for worst in table["worst_case"]
            ],
        }
    ).set_index(SYMBOLS[setting])


def _in_100(share: float) -> str:
    return "none" if pd.isna(share) else f"{100 * share:.0f} of 100"


def drawback(table: pd.DataFrame) -> bool:
    """Whether the most expensive plans are accepted notably less often than the best."""
    drawn = table[table["plans"] > 0]
    return bool(len(drawn) and drawn["m2"].max() - drawn["m2"].iloc[-1] >= wording.NOTABLE_FALL)


def _describe(table: pd.DataFrame, asked: int) -> None:
    least = int(table["plans"].min())
    plans = (
        "all of them get a plan everywhere"
        if least == asked
        else f"at the hardest setting {least} of them get a plan, and the means are over those"
    )
    st.caption(
        f"{asked} declined people, spread over all declined ones: {plans}. DiRRAc with K = 1, "
        "whole categories, the sensible preset, ℓ1 effort. The worst case is about re-trainings "
        "within ρ; what was observed are models trained after the real shift. A larger ρ also "
        "raises δ_min, and the budget with it, so the worst case need not fall steadily. Bars are "
        "95 % t intervals over people. The page Paper draws the same study for the first "
        f"{IN_PAPER} declined people, with every feature free to change: other plans, so other "
        "numbers."
    )


def _start(dataset: str, setting: str) -> None:
    background.start(_STUDY, (dataset, setting), partial(compute_study, dataset, setting))


def compute_study(
    dataset: str, setting: str, progress: Progress, cancel: Cancel
) -> pd.DataFrame | None:
    """The rows of the study; when stopped, over the people finished so far, None before any."""
    progress(0.0, "Training the models of this dataset")
    # By a worker, which can be stopped in the middle.
    train = partial(prepare, load_dataset(dataset), "logistic", 1)
    bundle = by_worker(train, None, cancel)
    if bundle is None:
        return None
    assert bundle.estimate is not None and isinstance(bundle.current, LinearModel)
    people = spread_applicants(bundle, APPLICANTS)
    dirrac = Dirrac(bundle.current, bundle.estimate.mixture, current_model=bundle.current.theta)
    radii, efforts = (RADII, (HELD,)) if setting == RHO else ((HELD,), DELTA_ADDS)
    return sensitivity(people, dirrac, Judge.of(bundle), radii, efforts, None, progress, cancel)
