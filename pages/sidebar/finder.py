"""Find: the declined people in a drawer, narrowed by filters that stay until they are removed."""

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from dirrac_core import Dataset
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import Feature
from pages.shared import computing, notices, state, wording
from pages.shared.downloads import offer_csv
from pages.shared.plain_text import plain
from pages.sidebar.filters import Filters, Kept, all_fit, filters_of, fits, set_filters

# More than these are neither shown nor checked for a plan; filters reach everybody.
MOST_ROWS = 400
PLANS = {"any": "all", "yes": "with a plan", "no": "without a plan"}
MISSING, PLAN = "Missing of 100", "Plan"
MISSING_HELP = st.column_config.NumberColumn(
    help="How many of 100 are missing to what acceptance needs."
)
PLAN_HELP = st.column_config.CheckboxColumn(
    help="Whether a plan exists at the current settings, whatever its effort."
)
_PLAN, _PLAN_KEPT = "find plan", "find plan kept"


@st.dialog("Find an applicant", width="large")
def open_finder() -> None:
    """The drawer; a click on a row chooses the person and closes it."""
    scenario = state.current()
    dataset = computing.bundle(scenario).dataset
    rows = computing.declined_rows(scenario)
    people = dataset.present.people.iloc[list(rows)]
    filters = filters_of(dataset)
    _choose_features(dataset, filters)
    for name in filters:
        _filter(dataset, people, filters, name)
    found = people[all_fit(people, filters)]
    if found.empty:
        _nobody(dataset, people, filters)
        return
    _table(scenario, dataset, found, len(rows))


def _choose_features(dataset: Dataset, filters: Filters) -> None:
    key = f"find by {dataset.name}"
    st.session_state[key] = list(filters)

    def changed() -> None:
        kept = filters_of(dataset)
        chosen = st.session_state[key]
        set_filters(dataset, {name: kept.get(name) or _all(dataset, name) for name in chosen})

    st.multiselect(
        "Filter by",
        [feature.name for feature in dataset.schema.features],
        key=key,
        on_change=changed,
        placeholder="Any feature",
    )


def _all(dataset: Dataset, name: str) -> Kept:
    """The filter that keeps everybody."""
    feature = dataset.schema.feature(name)
    return feature.categories if feature.is_categorical else feature.extremes


def _filter(dataset: Dataset, people: pd.DataFrame, filters: Filters, name: str) -> None:
    """One filter, with the number of people it keeps beside the other filters."""
    feature = dataset.schema.feature(name)
    others = {other: kept for other, kept in filters.items() if other != name}
    among = people[all_fit(people, others)]
    kept = int(fits(among, name, filters[name]).sum())
    key = f"find {dataset.name} {name}"
    label = f"{plain(wording.feature_label(feature))} · {kept} of {len(among)}"
    if feature.is_categorical:
        _categories(dataset, feature, among, filters[name], key, label)
    else:
        _range(dataset, feature, filters[name], key, label)


def _categories(
    dataset: Dataset, feature: Feature, among: pd.DataFrame, kept: Kept, key: str, label: str
) -> None:
    counts = among[feature.name].astype(str).value_counts()
    # Nothing chosen would keep nobody: it stands for everything.
    st.session_state[key] = [] if kept == feature.categories else list(kept)

    def changed() -> None:
        chosen = tuple(st.session_state[key]) or feature.categories
        set_filters(dataset, {**filters_of(dataset), feature.name: chosen})

    st.pills(
        label,
        feature.categories,
        selection_mode="multi",
        key=key,
        format_func=lambda category: f"{plain(category)} ({counts.get(category, 0)})",
        on_change=changed,
    )


def _range(dataset: Dataset, feature: Feature, kept: Kept, key: str, label: str) -> None:
    whole = feature.kind == "integer"
    number: Any = int if whole else float
    st.session_state[key] = tuple(number(end) for end in kept)

    def changed() -> None:
        low, high = st.session_state[key]
        set_filters(dataset, {**filters_of(dataset), feature.name: (float(low), float(high))})

    low, high = (number(end) for end in feature.extremes)
    st.slider(label, low, high, key=key, on_change=changed)


def _nobody(dataset: Dataset, people: pd.DataFrame, filters: Filters) -> None:
    """Why nobody is left, and what each filter alone would have to give."""
    lines = []
    for name, kept in filters.items():
        others = {other: values for other, values in filters.items() if other != name}
        alone, without = int(fits(people, name, kept).sum()), int(all_fit(people, others).sum())
        lines.append(
            f"- **{plain(name)}** keeps {alone} of {len(people)} by itself; without it {without} "
            "are left."
        )
    st.info(
        "No declined applicant passes all filters together.\n\n" + "\n".join(lines),
        icon=":material/filter_alt_off:",
    )
    st.button(
        "Remove all filters",
        icon=":material/restart_alt:",
        on_click=set_filters,
        args=(dataset, {}),
    )


def _table(scenario: Scenario, dataset: Dataset, found: pd.DataFrame, declined: int) -> None:
    listed = tuple(int(row) for row in found.index[:MOST_ROWS])
    with st.spinner("Looking who has a plan"):
        glance = computing.glance(replace(scenario.settings, delta_add=0.0), listed)
    shown = found.loc[list(listed)]
    if "plan" in glance:
        chosen = _plan_filter(glance)
        keeps = glance["plan"] if chosen == "yes" else ~glance["plan"]
        if chosen != "any":
            shown, glance = shown[keeps.to_numpy()], glance[keeps]
    cut = f", the first {MOST_ROWS} of them below" if len(found) > MOST_ROWS else ""
    st.caption(
        f"{len(found)} of {declined} declined applicants{cut}. Click a column to sort, a row to "
        "choose."
    )
    if shown.empty:
        st.info(
            f"None of these {len(listed)} is {PLANS[chosen]}.", icon=":material/filter_alt_off:"
        )
        return
    table = _columns(shown, glance)
    picked = st.dataframe(
        table,
        key=f"found {dataset.name} {scenario.model} {scenario.seed}",
        on_select="rerun",
        selection_mode="single-row",
        height=320,
        column_config={_free(MISSING, shown): MISSING_HELP, _free(PLAN, shown): PLAN_HELP},
        alt="Declined applicants in real units; choose one by its row",
    )
    offer_csv(table, "people found")
    row = _chosen_row(picked, len(shown))
    if row is not None:
        state.change(applicant=int(shown.index[row]))
        st.rerun()


def _chosen_row(picked: Any, rows: int) -> int | None:
    """Which row was clicked; the browser may say anything."""
    chosen = picked["selection"]["rows"]
    if chosen == []:
        return None
    if isinstance(chosen, list) and type(chosen[0]) is int and 0 <= chosen[0] < rows:
        return int(chosen[0])
    notices.refuse_value()
    return None


def _plan_filter(glance: pd.DataFrame) -> str:
    with_plan = int(glance["plan"].sum())
    counts = {"any": len(glance), "yes": with_plan, "no": len(glance) - with_plan}
    # A widget forgets its value when the drawer closes.
    usual = st.session_state.get(_PLAN_KEPT, "any")
    chosen: str = st.segmented_control(
        "Plan",
        list(PLANS),
        default=usual,
        required=True,
        format_func=lambda kind: f"{PLANS[kind]} ({counts[kind]})",
        key=_PLAN,
        label_visibility="collapsed",
    )
    st.session_state[_PLAN_KEPT] = chosen
    return chosen


def _columns(people: pd.DataFrame, glance: pd.DataFrame) -> pd.DataFrame:
    """The people with their distance to the threshold, and whether there is a plan, in front."""
    front = {_free(MISSING, people): (100 * glance["missing"]).round(1)}
    if "plan" in glance:
        front[_free(PLAN, people)] = glance["plan"]
    return pd.concat([pd.DataFrame(front), people], axis=1).rename_axis("Applicant")


def _free(name: str, people: pd.DataFrame) -> str:
    """A name for a column that no feature of a visitor's table has."""
    while name in people.columns:
        name += " "
    return name
