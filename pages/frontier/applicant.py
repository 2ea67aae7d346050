"""One applicant's frontier: the verdict, the picture, and the plan behind a mark."""

from functools import partial
from urllib.parse import quote

import pandas as pd
import streamlit as st

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.studies.case_frontier import CURRENT
from dirrac_core.studies.staircase import LEGAL, with_declines, with_steps
from pages.frontier.computing import compute, current_row, family_rows
from pages.frontier.picture import draw_frontier, offer_download, offer_list, parameter_words
from pages.frontier.view import COST_TITLES, OBSERVED, View, worst_word
from pages.frontier.words import Said, sentences
from pages.runs import ahead
from pages.shared import computing, notices, state, wording
from pages.shared.navigation import file_of
from pages.shared.pictures import offer_reading
from pages.shared.plain_text import plain, plain_table
from pages.shared.plan_tables import CHECKS, before_after, declining_models
from pages.shared.promise import show_record

# The chosen mark in the address.
PARAMETER = "mark"
_TAKEN, _WRITTEN = "taken to the workbench", "mark in the address"
DIRRAC_NAMES = {"chebyshev": "DiRRAc", "gaussian": "Gaussian DiRRAc"}


def show_applicant(case: Case, view: View) -> None:
    """Compute family after family, then say and draw what came out."""
    if st.session_state.pop(_TAKEN, False):
        st.switch_page(file_of("recourse"))
    scenario = case.scenario
    rows = _rows(case, view)
    said = Said(view.value, worst_word(scenario), case.bundle.future.simulated)
    verdict, *honest = sentences(rows, DIRRAC_NAMES[scenario.link], f"cost_{scenario.cost}", said)
    st.markdown(f"### {verdict}")
    if computing.solution(scenario).plan.x is None:
        st.page_link(file_of("recourse"), label=wording.WHY_NO_PLAN, icon=":material/route:")
    interval = ("declined_low", "declined_high") if view.value == OBSERVED else None
    left, right = st.columns([7, 4], gap="medium")
    with left:
        draw_frontier(rows, case, view, interval, _choose)
    with right:
        chosen = _chosen(rows)
        offer_list(rows, case, view, _choose, chosen)
        if chosen is not None:
            _shown(case, rows.iloc[chosen])
        for sentence in honest:
            st.caption(sentence)
        if view.value != OBSERVED:
            show_record(scenario)
    offer_reading(lambda: _explained(case, view, rows))
    offer_download(rows, case, f"{scenario.dataset}-{scenario.applicant}")
    ahead.prepare(partial(compute, view.families))


def _rows(case: Case, view: View) -> pd.DataFrame:
    """All rows of the chosen families and of the current setting."""
    with st.spinner("Solving for every method"):
        frames = [family_rows(case.scenario, family) for family in view.families]
    rows = pd.concat([*frames, current_row(case.scenario)], ignore_index=True)
    cost = f"cost_{case.scenario.cost}"
    return with_steps(with_declines(rows), cost, view.value, lower_is_better=True)


def _choose(row: pd.Series) -> None:
    st.session_state[_WRITTEN] = st.query_params[PARAMETER] = parameter_words(row)


def _chosen(rows: pd.DataFrame) -> int | None:
    """The row of the mark that was chosen last, while it is still of this picture."""
    names = [parameter_words(row) for _, row in rows.iterrows()]
    asked = st.query_params.get(PARAMETER)
    if asked is None or asked in names:
        return None if asked is None else names.index(asked)
    if asked != st.session_state.get(_WRITTEN):
        notices.report_choices({PARAMETER: names})
    del st.query_params[PARAMETER]
    return None


def _shown(case: Case, row: pd.Series) -> None:
    x = row["x"]
    with st.container(border=True):
        st.markdown(f"#### {parameter_words(row)}")
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
        _take(case, row)
        st.table(declining_models(case, computing.facts(case.scenario, tuple(x))))
        table = before_after(case.dataset, case.x0, x)
        st.table(plain_table(table[table["Plan"] != "same"]))


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
    st.markdown("\n".join(f"- {note}" for note in notes))
