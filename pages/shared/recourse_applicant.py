"""The applicant of the workbench: who it is, today's decision and why, and finding another."""

import secrets

import pandas as pd
import streamlit as st

from dirrac_core.data import Dataset
from dirrac_core.figures.wording import out_of
from dirrac_core.scenario import Case, Scenario
from pages.shared import computing, state, wording
from pages.shared.plain_text import plain

MOST_ROWS = 400


def header(case: Case) -> None:
    """One line on the applicant and the decision, the reasons, and the way to others."""
    scenario = case.scenario
    probability = float(case.bundle.current.probability(case.x0[None, :-1])[0])
    accepted = case.accepted_today(case.x0)
    left, right = st.columns([1, 1], vertical_alignment="center")
    with left:
        verdict = "accepted" if accepted else "declined"
        st.header(f"{wording.applicant_name(scenario.applicant)} · {verdict} today")
    with right:
        _steps(scenario)
    st.markdown(
        f"Today's model ({_model_words(case)}) puts this applicant at "
        f"**{out_of(probability)}** for “{plain(case.dataset.favourable)}”; "
        "50 in 100 are needed."
    )
    if accepted:
        st.info(
            "Nothing has to change today. The plan below is about staying accepted when the model "
            "is trained again.",
            icon=":material/info:",
        )
    else:
        reasons = computing.reasons(scenario)
        if reasons:
            st.markdown("**Main reasons:** " + " ".join(plain(r.sentence) for r in reasons))
    if case.surrogate is not None:
        st.caption(
            "The plan rests on a linear approximation of the network near this applicant; it "
            f"agrees with the network on {100 * case.surrogate.fidelity:.0f} of 100 people nearby. "
            "Every acceptance below is judged by the network itself."
        )


def _model_words(case: Case) -> str:
    given = case.scenario.model == "logistic" and case.dataset.given_model is not None
    return "the linear model you gave" if given else wording.MODELS[case.scenario.model]


def _steps(scenario: Scenario) -> None:
    """Previous, next, random, and the finder."""
    rows = computing.declined_rows(scenario.dataset, scenario.model, scenario.seed)
    before = [row for row in rows if row < scenario.applicant]
    after = [row for row in rows if row > scenario.applicant]
    with st.container(horizontal=True, horizontal_alignment="right"):
        _go("Previous", ":material/chevron_left:", before[-1] if before else None)
        _go("Next", ":material/chevron_right:", after[0] if after else None)
        others = [row for row in rows if row != scenario.applicant]
        st.button(
            "Random",
            icon=":material/casino:",
            disabled=not others,
            on_click=lambda: state.change(applicant=secrets.choice(others)),
            help="Another declined applicant at random.",
        )
        finder = st.popover("Find", icon=":material/search:", key="find", on_change="rerun")
        if finder.open:
            with finder:
                _finder(scenario)


def _go(label: str, icon: str, row: int | None) -> None:
    st.button(
        label,
        icon=icon,
        disabled=row is None,
        on_click=lambda: state.change(applicant=row),
        help=f"{label} declined applicant.",
    )


def _finder(scenario: Scenario) -> None:
    """A sortable table of declined people, narrowed by real feature values; a click chooses."""
    dataset = computing.bundle(scenario).dataset
    st.write("Declined applicants with …")
    rows = computing.declined_rows(scenario.dataset, scenario.model, scenario.seed)
    people = dataset.present.people.iloc[list(rows)]
    names = [feature.name for feature in dataset.schema.features]
    chosen = st.multiselect("Filter by", names, key=f"filter {scenario.dataset}")
    for name in chosen:
        people = _filtered(dataset, name, people)
    shown = people.head(MOST_ROWS)
    st.caption(
        f"{len(people)} of {len(rows)} declined applicants. "
        "Click a column to sort, a row to choose."
    )
    key = f"found {scenario.dataset} {scenario.model} {scenario.seed} {chosen}"

    def choose() -> None:
        picked = st.session_state[key]["selection"]["rows"]
        if picked:
            state.change(applicant=int(shown.index[picked[0]]))

    st.dataframe(
        shown.rename_axis("Applicant"),
        key=key,
        on_select=choose,
        selection_mode="single-row",
        height=320,
        alt="Declined applicants in real units; choose one by its row",
    )


def _filtered(dataset: Dataset, name: str, people: pd.DataFrame) -> pd.DataFrame:
    feature = dataset.schema.feature(name)
    key = f"filter {dataset.name} {name}"
    if feature.is_categorical:
        kept = st.multiselect(plain(name), feature.categories, key=key)
        return people[people[name].isin(kept)] if kept else people
    whole = feature.kind == "integer"
    ends = (int(feature.low), int(feature.high)) if whole else (feature.low, feature.high)
    low, high = st.slider(plain(wording.feature_label(feature)), *ends, value=ends, key=key)
    return people[people[name].between(low, high)]
