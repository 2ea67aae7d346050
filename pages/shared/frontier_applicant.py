"""One applicant's frontier: the picture, what it says, and the plan behind a mark."""

import pandas as pd
import streamlit as st

from dirrac_core.evaluation.case_frontier import CURRENT
from dirrac_core.scenario import Case
from pages.shared import computing, state, wording
from pages.shared import frontier_computing as cached
from pages.shared.frontier_picture import download, draw, parameter_words
from pages.shared.frontier_view import COST_TITLES, FAMILIES, OBSERVED, View
from pages.shared.frontier_words import Said, sentences
from pages.shared.geometry_what_if import declining_models
from pages.shared.navigation import file_of
from pages.shared.plain_text import plain, plain_table
from pages.shared.recourse_plan import before_after
from pages.shared.recourse_proof import CHECKS

_CHOSEN = "chosen on the frontier"
DIRRAC_NAMES = {"chebyshev": "DiRRAc", "gaussian": "Gaussian DiRRAc"}


def applicant_frontier(case: Case, view: View) -> None:
    """Compute family after family, then say and draw what came out."""
    scenario = case.scenario
    rows = _rows(case, view)
    dirrac = DIRRAC_NAMES[scenario.link]
    said = Said(view.value, len(case.bundle.future), scenario.link == "gaussian")
    headline, *honest = sentences(rows, dirrac, f"cost_{scenario.cost}", said, "For this applicant")
    st.markdown(f"#### {headline}")
    if computing.solution(scenario).real.plan.x is None:
        st.page_link(file_of("recourse"), label=wording.WHY_NO_PLAN, icon=":material/route:")
    interval = ("m2_low", "m2_high") if view.value == OBSERVED else None
    draw(rows, case, view, interval, _choose(case))
    _chosen(case, rows)
    for sentence in honest:
        st.markdown(sentence)
    _explained(case, view, rows)
    download(rows, case, f"{scenario.dataset}-{scenario.applicant}")


def _rows(case: Case, view: View) -> pd.DataFrame:
    """All rows of the chosen families and of the current setting, with progress the first time."""
    place = st.empty()
    frames = []
    for done, family in enumerate(view.families):
        place.progress(done / len(view.families), f"Solving: {FAMILIES.get(family, 'DiRRAc')}")
        frames.append(cached.family_rows(case.scenario, family))
    place.empty()
    return pd.concat([*frames, cached.current_row(case.scenario)], ignore_index=True)


def _choose(case: Case):
    """What a chosen mark does: a plan of DiRRAc goes to the workbench, any other is shown."""

    def choose(row: pd.Series) -> None:
        if row["method"] == DIRRAC_NAMES[case.scenario.link]:
            state.change(delta_add=float(row["parameter"]))
        st.session_state[_CHOSEN] = (_about(case), row["method"], row["parameter"])

    return choose


def _about(case: Case) -> tuple[str, int, str, int]:
    scenario = case.scenario
    return scenario.dataset, scenario.applicant, scenario.model, scenario.seed


def _chosen(case: Case, rows: pd.DataFrame) -> None:
    """The plan behind the mark that was chosen last, while it is still of this picture."""
    kept = st.session_state.get(_CHOSEN)
    if kept is None or kept[0] != _about(case):
        st.caption(
            "A mark of DiRRAc sets its δ_add everywhere and so loads its plan into the workbench; "
            "any other mark shows its plan here."
        )
        return
    _, method, parameter = kept
    same = (rows["method"] == method) & (
        (rows["parameter"] == parameter) | (rows["parameter"].isna() & pd.isna(parameter))
    )
    if not same.any():
        return
    row = rows[same].iloc[0]
    if method in (*DIRRAC_NAMES.values(), CURRENT):
        _loaded(case)
    else:
        _shown(case, row)


def _loaded(case: Case) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"δ_add = {wording.amount(case.scenario.delta_add)} is set, and its plan is in the "
            "workbench."
        )
        st.page_link(file_of("recourse"), label="Open the workbench", icon=":material/route:")


def _shown(case: Case, row: pd.Series) -> None:
    with st.container(border=True):
        st.markdown(f"##### {parameter_words(row)}")
        if row["x"] is None:
            st.markdown(plain(row["message"]))
            return
        x = row["x"]
        st.markdown(plain(case.dataset.schema.sentence(case.x0, x)))
        if row["broken"]:
            broken = "; ".join(CHECKS.get(name, name).lower() for name in row["broken"].split(", "))
            st.warning(
                f"This plan is shown as the method made it. It does not keep: {broken}.",
                icon=":material/rule:",
            )
        left, right = st.columns([3, 2], gap="large")
        left.table(plain_table(before_after(case, x)))
        right.table(declining_models(case, computing.facts(case.scenario, tuple(x))))


def _explained(case: Case, view: View, rows: pd.DataFrame) -> None:
    missing = int((~rows["found"].astype(bool)).sum())
    models = len(case.bundle.future)
    norm = COST_TITLES[case.scenario.cost]
    told = [
        f"Every mark is one plan: further left costs less {norm}, further up lasts better.",
        f"The bars are 95 % Wilson intervals over the {models} future models."
        if view.value == OBSERVED
        else "The guarantee is that of the future set on the left, for every method's plan.",
        "Plans are drawn as solved, before rounding to whole units.",
    ]
    if case.scenario.cost == "l2":
        told.append("ROAR and most others minimise ℓ1 effort, whatever the axis shows.")
    if missing:
        told.append(f"{missing} settings have no plan and are not drawn.")
    st.caption(" ".join(told))
