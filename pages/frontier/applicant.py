"""One applicant's frontier: the verdict, the picture, and the plan behind a mark."""

from urllib.parse import quote

import pandas as pd
import streamlit as st

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.studies.case_frontier import CURRENT
from dirrac_core.studies.staircase import LEGAL, with_declines, with_steps
from pages.frontier.computing import current_row, family_rows
from pages.frontier.picture import Choose, draw_frontier, offer_download, parameter_words
from pages.frontier.view import COST_TITLES, OBSERVED, View, worst_word
from pages.frontier.words import Said, sentences
from pages.shared import computing, state, wording
from pages.shared.navigation import file_of
from pages.shared.plain_text import plain, plain_table
from pages.shared.plan_tables import CHECKS, before_after, declining_models
from pages.shared.promise import show_record

_CHOSEN, _TAKEN = "chosen on the frontier", "taken to the workbench"
DIRRAC_NAMES = {"chebyshev": "DiRRAc", "gaussian": "Gaussian DiRRAc"}


def show_applicant(case: Case, view: View) -> None:
    """Compute family after family, then say and draw what came out."""
    scenario = case.scenario
    rows = _rows(case, view)
    said = Said(view.value, worst_word(scenario))
    verdict, *honest = sentences(rows, DIRRAC_NAMES[scenario.link], f"cost_{scenario.cost}", said)
    st.markdown(f"### {verdict}")
    if computing.solution(scenario).plan.x is None:
        st.page_link(file_of("recourse"), label=wording.WHY_NO_PLAN, icon=":material/route:")
    interval = ("declined_low", "declined_high") if view.value == OBSERVED else None
    draw_frontier(rows, case, view, interval, _choose(case))
    _chosen(case, rows)
    for sentence in honest:
        st.markdown(sentence)
    if view.value != OBSERVED:
        show_record(scenario)
    _explained(case, view, rows)
    offer_download(rows, case, f"{scenario.dataset}-{scenario.applicant}")


def _rows(case: Case, view: View) -> pd.DataFrame:
    """All rows of the chosen families and of the current setting."""
    frames = [family_rows(case.scenario, family) for family in view.families]
    rows = pd.concat([*frames, current_row(case.scenario)], ignore_index=True)
    cost = f"cost_{case.scenario.cost}"
    return with_steps(with_declines(rows), cost, view.value, lower_is_better=True)


def _choose(case: Case) -> Choose:
    def choose(row: pd.Series) -> None:
        st.session_state[_CHOSEN] = (_about(case), row["method"], row["parameter"])

    return choose


def _about(case: Case) -> tuple[str, int, str, int]:
    scenario = case.scenario
    return scenario.dataset, scenario.applicant, scenario.model, scenario.seed


def _chosen(case: Case, rows: pd.DataFrame) -> None:
    """The plan behind the mark that was chosen last, while it is still of this picture."""
    if st.session_state.pop(_TAKEN, False):
        st.switch_page(file_of("recourse"))
    kept = st.session_state.get(_CHOSEN)
    if kept is None or kept[0] != _about(case):
        st.caption("A click on a mark shows its plan here.")
        return
    _, method, parameter = kept
    same = (rows["method"] == method) & (
        (rows["parameter"] == parameter) | (rows["parameter"].isna() & pd.isna(parameter))
    )
    if same.any():
        _shown(case, rows[same].iloc[0])


def _shown(case: Case, row: pd.Series) -> None:
    x = row["x"]
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"#### {parameter_words(row)}", width="stretch")
            if x is not None:
                _take(case, row)
        if x is None:
            st.markdown(plain(row["message"]))
            return
        st.markdown(plain(case.dataset.schema.sentence(case.x0, x)))
        if not row[LEGAL]:
            broken = "; ".join(CHECKS.get(name, name).lower() for name in row["broken"].split(", "))
            st.warning(
                f"This plan is shown as the method made it. It breaks a rule: {broken}.",
                icon=":material/rule:",
            )
        left, right = st.columns([3, 2], gap="large")
        left.table(plain_table(before_after(case, x)))
        right.table(declining_models(case, computing.facts(case.scenario, tuple(x))))


def _take(case: Case, row: pd.Series) -> None:
    """The way to the workbench: DiRRAc's plans by their δ_add, others as values tried out."""
    label = "Take it to the workbench"
    if row["method"] not in (*DIRRAC_NAMES.values(), CURRENT):
        values = {"if": tried_values(case, row["x"])}
        st.page_link(file_of("recourse"), label=label, icon=":material/route:", query_params=values)
        return

    def take() -> None:
        state.change(delta_add=float(row["parameter"]))
        st.session_state[_TAKEN] = True

    st.button(label, icon=":material/route:", on_click=take, type="primary")


def tried_values(case: Case, x: Array) -> str:
    """A plan as the workbench's address has it: what differs from the plan shown there.

    feature:value with `;` between them.
    """
    schema = case.dataset.schema
    start = computing.solution(case.scenario).plan.x
    before = schema.decode(case.x0 if start is None else start)
    parts = []
    for name, value in schema.decode(x).items():
        if isinstance(value, str):
            words = quote(value, safe=" ")
        else:
            words = f"{round(value, max(schema.feature(name).decimals, 0)):g}"
        if value != before[name]:
            parts.append(f"{quote(name, safe=' ')}:{words}")
    return ";".join(parts)


def _explained(case: Case, view: View, rows: pd.DataFrame) -> None:
    missing = int((~rows["found"].astype(bool)).sum())
    models = len(case.bundle.future)
    norm = COST_TITLES[case.scenario.cost]
    notes = [
        f"Further left costs less {norm}, further down is declined less often. Steps join the "
        "efficient plans of a method; faded plans are beaten by another of its own, hollow ones "
        "break a rule.",
        f"Bars are 95 % Wilson intervals over the {models} future models."
        if view.value == OBSERVED
        else "The worst case is that of the futures that are set, for every method's plan.",
        "Plans are drawn as solved, before rounding to whole units.",
    ]
    if case.scenario.cost == "l2":
        notes.append("ROAR and most others minimise ℓ1 effort, whatever the axis shows.")
    if missing:
        notes.append(f"{missing} settings have no plan and are not drawn.")
    st.caption(" ".join(notes))
