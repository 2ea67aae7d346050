"""The composer: declare, weigh, strengthen and remove named shifts."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from dirrac_core import Dataset, load_dataset
from dirrac_core.data.feature import Feature
from dirrac_core.declared_shifts import (
    NEEDS_CORRECTION,
    NEEDS_VALUE,
    NOISE,
    DeclaredShift,
    check_shift,
    drift_of,
    swap_of,
    swapped,
    usual_shift,
)
from dirrac_core.errors import DirracError
from dirrac_core.figures.palette import component_colour
from dirrac_core.models.estimate import MAX_COMPONENTS
from dirrac_core.models.scenarios import STORIES, available_stories
from dirrac_core.scenario import Case, Scenario
from pages.shared import state, wording
from pages.shared.future_links import LEAST_WEIGHT, MOST_RADIUS, MOST_WEIGHT
from pages.shared.plain_text import plain

STRENGTH_STEP, WEIGHT_STEP, RHO_STEP = 0.05, 0.5, 0.01
_REFUSED = "refused shift"
HELP = {
    "strength": "How strong the shift is. At 0 nothing changes but luck.",
    "weight": "How likely this future is, relative to the others.",
    "radius": wording.GLOSSARY["rho"] + " 0 trusts the story fully.",
}


def composer(case: Case) -> None:
    """Every declared shift as a card, and the way to add one."""
    scenario, dataset = case.scenario, case.dataset
    st.subheader("Which futures should a plan survive?")
    refused = st.session_state.pop(_REFUSED, None)
    if refused:
        st.error(plain(refused), icon=":material/error:")
    if case.declared is None:
        st.markdown(
            "**No shift is declared.** The components are estimated from 100 re-trainings on a "
            "random 80% of the present people, so they know of luck and nothing else. Declare a "
            "shift, and every page prepares its plans for that future too."
        )
    else:
        for k, sentence in enumerate(case.declared.sentences):
            _card(scenario, dataset, k, sentence)
    _add(scenario, dataset)


def _card(scenario: Scenario, dataset: Dataset, k: int, sentence: str) -> None:
    shift = scenario.shifts[k]
    story = STORIES[shift.story]
    total = sum(each.weight for each in scenario.shifts)
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f"##### {k + 1} · {story.title} <span style='color:{component_colour(k)}'>●</span>",
                unsafe_allow_html=True,
                width="stretch",
            )
            st.button(
                "Remove",
                icon=":material/close:",
                key=f"remove shift {k}",
                help=f"Remove “{story.title}”.",
                type="tertiary",
                on_click=_remove,
                args=(k,),
            )
        st.markdown(plain(sentence))
        if shift.story == NEEDS_VALUE:
            _drift(dataset, k, shift)
        if shift.story == NEEDS_CORRECTION:
            _correction(dataset, k, shift)
        if story.strongest > story.weakest:
            key = _show(k, "strength", shift.strength)
            st.slider(
                "Strength",
                story.weakest,
                story.strongest,
                step=STRENGTH_STEP,
                key=key,
                help=HELP["strength"],
                on_change=_changed,
                args=(k, "strength", key),
            )
        left, right = st.columns(2)
        with left:
            key = _show(k, "weight", shift.weight)
            st.number_input(
                f"Weight (p̂ = {shift.weight / total:.0%})",
                LEAST_WEIGHT,
                MOST_WEIGHT,
                step=WEIGHT_STEP,
                key=key,
                help=HELP["weight"],
                on_change=_changed,
                args=(k, "weight", key),
            )
        with right:
            key = _show(k, "radius", shift.radius)
            st.number_input(
                "Radius of doubt ρ",
                0.0,
                MOST_RADIUS,
                step=RHO_STEP,
                key=key,
                help=HELP["radius"],
                on_change=_changed,
                args=(k, "radius", key),
            )


def _drift(dataset: Dataset, k: int, shift: DeclaredShift) -> None:
    """What drifts, and where to."""
    names = [feature.name for feature in dataset.schema.features]
    left, right = st.columns(2)
    with left:
        key = _show(k, "drifting feature", shift.feature)
        st.selectbox(
            "What drifts",
            names,
            key=key,
            on_change=lambda: _declare(k, drift_of(dataset, shift, st.session_state[key])),
        )
    feature = dataset.schema.feature(str(shift.feature))
    value = f"{k} value {feature.name}"
    with right:
        if feature.is_categorical:
            _choose(k, "Towards", "value", value, feature.categories)
        else:
            _number(k, feature, value, shift)


def _number(k: int, feature: Feature, key: str, shift: DeclaredShift) -> None:
    unit = f" ({plain(feature.unit)})" if feature.unit else ""
    key = f"shift {key}"
    st.session_state[key] = float(shift.value or 0.0)
    st.number_input(
        f"Towards an average of{unit}",
        feature.low,
        feature.high,
        step=float(feature.step),
        format=f"%.{feature.decimals}f",
        key=key,
        on_change=_changed,
        args=(k, "value", key),
    )


def _choose(k: int, label: str, field: str, name: str, options: Sequence[str]) -> None:
    key = f"shift {name}"
    st.session_state[key] = getattr(state.current().shifts[k], field)
    st.selectbox(label, options, key=key, on_change=_changed, args=(k, field, key))


def _correction(dataset: Dataset, k: int, shift: DeclaredShift) -> None:
    """Which codes are put right: the dataset's known correction, or two categories exchanged."""
    known = {f"{name}, the known correction": name for name in dataset.corrections}
    swaps = {
        f"{feature.name}, two categories exchanged": feature.name
        for feature in dataset.schema.features
        if feature.is_categorical
    }
    first = next(iter(dataset.corrections), None)
    choices, about = (swaps, shift.feature) if shift.correction else (known, shift.feature or first)
    key = _show(k, "codes", next(words for words, name in choices.items() if name == about))

    def chosen() -> None:
        words = st.session_state[key]
        if words in known:
            _declare(k, replace(shift, feature=known[words], correction=()))
        else:
            _declare(k, swap_of(dataset, shift, swaps[words]))

    st.selectbox("Codes put right", [*known, *swaps], key=key, on_change=chosen)
    if shift.correction:
        _exchange(dataset, k, shift)


def _exchange(dataset: Dataset, k: int, shift: DeclaredShift) -> None:
    categories = dataset.schema.feature(str(shift.feature)).categories
    moved = [old for old, new in shift.correction if old != new]
    pair = (moved + [c for c in categories if c not in moved])[:2]
    keys = [_show(k, f"exchanged {i} {shift.feature}", pair[i]) for i in range(2)]

    def chosen() -> None:
        one, other = (st.session_state[key] for key in keys)
        _declare(k, replace(shift, correction=swapped(one, other)))

    for column, key, label in zip(st.columns(2), keys, ("This one", "was that one"), strict=True):
        with column:
            st.selectbox(label, categories, key=key, on_change=chosen)


def _add(scenario: Scenario, dataset: Dataset) -> None:
    stories = available_stories(dataset)
    key = f"story {scenario.dataset}"
    full = len(scenario.shifts) >= MAX_COMPONENTS
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    with left:
        story = st.selectbox(
            "A shift to declare",
            stories,
            index=min(1, len(stories) - 1),
            key=key,
            format_func=lambda name: STORIES[name].title,
            help=f"At most {MAX_COMPONENTS} shifts.",
        )
    with right:
        st.button(
            "Declare it",
            icon=":material/add:",
            disabled=full,
            on_click=_append,
            args=(dataset, key),
            width="stretch",
        )
    st.caption(STORIES[story].explanation)
    if not scenario.shifts and story != NOISE:
        st.caption("Luck stays in the picture: “Sampling noise” is declared along with it.")
    with st.expander("All the stories"):
        st.markdown(
            "\n".join(f"- **{STORIES[s].title}.** {STORIES[s].explanation}" for s in stories)
        )


def _show(k: int, name: str, value: Any) -> str:
    """The key of a widget that always shows the shift's own value."""
    key = f"shift {k} {name}"
    st.session_state[key] = value
    return key


def _changed(k: int, field: str, key: str) -> None:
    _declare(k, replace(state.current().shifts[k], **{field: st.session_state[key]}))


def _declare(k: int, shift: DeclaredShift) -> None:
    """Put a changed shift in its place; what the dataset refuses is told and not applied."""
    scenario = state.current()
    try:
        check_shift(load_dataset(scenario.dataset), shift)
    except DirracError as problem:
        st.session_state[_REFUSED] = f"{problem}. The change was not applied."
        return
    state.change(shifts=(*scenario.shifts[:k], shift, *scenario.shifts[k + 1 :]))


def _append(dataset: Dataset, key: str) -> None:
    story, shifts = st.session_state[key], state.current().shifts
    if not shifts and story != NOISE:
        shifts = (usual_shift(dataset, NOISE),)
    state.change(shifts=(*shifts, usual_shift(dataset, story)))


def _remove(k: int) -> None:
    shifts = state.current().shifts
    state.change(shifts=shifts[:k] + shifts[k + 1 :])
