"""What one declared shift is about: its feature, group, codes or past change, and its value."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from dirrac_core import Dataset, load_dataset
from dirrac_core.data.schema.feature import Feature
from dirrac_core.errors import DirracError
from dirrac_core.models.futures.history import past_changes
from dirrac_core.models.futures.shift import CORRECTION, DRIFT, HISTORY, SITE, Shift
from dirrac_core.models.futures.usual_shifts import check_shift, drift_of, swap_of, swapped
from pages.shared import state
from pages.shared.plain_text import plain

_REFUSED = "refused shift"


def show_about(dataset: Dataset, k: int, shift: Shift) -> None:
    """The controls of what the story is about; some are about nothing in particular."""
    if shift.story in (DRIFT, SITE):
        _drift(dataset, k, shift)
    if shift.story == CORRECTION:
        _correction(dataset, k, shift)
    if shift.story == HISTORY:
        names = [change.name for change in past_changes(dataset)]
        _choose(k, "Which change", "value", f"{k} past change", names)


def show_refused() -> None:
    """Say once which change of a shift was refused."""
    refused = st.session_state.pop(_REFUSED, None)
    if refused:
        st.error(plain(refused), icon=":material/error:")


def shown(k: int, name: str, value: Any) -> str:
    """The key of a widget that always shows the shift's own value."""
    key = f"shift {k} {name}"
    st.session_state[key] = value
    return key


def changed(k: int, field: str, key: str) -> None:
    declare(k, replace(state.current().shifts[k], **{field: st.session_state[key]}))


def declare(k: int, shift: Shift) -> None:
    """Put a changed shift in its place; what the dataset refuses is reported and not applied."""
    scenario = state.current()
    try:
        check_shift(load_dataset(scenario.dataset), shift)
    except DirracError as problem:
        st.session_state[_REFUSED] = f"{problem}. The change was not applied."
        return
    state.change(shifts=(*scenario.shifts[:k], shift, *scenario.shifts[k + 1 :]))


def _drift(dataset: Dataset, k: int, shift: Shift) -> None:
    """What drifts, and where to; or which group takes over."""
    site = shift.story == SITE
    names = [f.name for f in dataset.schema.features if f.is_categorical or not site]
    left, right = st.columns(2)
    with left:
        key = shown(k, "drifting feature", shift.feature)
        st.selectbox(
            "A group by" if site else "What drifts",
            names,
            key=key,
            on_change=lambda: declare(k, drift_of(dataset, shift, st.session_state[key])),
        )
    feature = dataset.schema.feature(str(shift.feature))
    value = f"{k} value {feature.name}"
    with right:
        if feature.is_categorical:
            label = "Takes over" if site else "Towards"
            _choose(k, label, "value", value, feature.categories)
        else:
            _number(k, feature, value, shift)


def _number(k: int, feature: Feature, key: str, shift: Shift) -> None:
    unit = f", in {plain(feature.unit)}" if feature.unit else ""
    key = f"shift {key}"
    st.session_state[key] = float(shift.value or 0.0)
    st.number_input(
        f"Towards an average of{unit}",
        *feature.extremes,
        step=float(feature.step),
        format=f"%.{feature.decimals}f",
        key=key,
        on_change=changed,
        args=(k, "value", key),
    )


def _choose(k: int, label: str, field: str, name: str, options: Sequence[str]) -> None:
    key = f"shift {name}"
    st.session_state[key] = getattr(state.current().shifts[k], field)
    st.selectbox(label, options, key=key, on_change=changed, args=(k, field, key))


def _correction(dataset: Dataset, k: int, shift: Shift) -> None:
    """Which codes are put right: the dataset's known correction, or two categories exchanged."""
    known = {f"{name}, the known correction": name for name in dataset.corrections}
    swaps = {
        f"{feature.name}, two categories exchanged": feature.name
        for feature in dataset.schema.features
        if feature.is_categorical
    }
    first = next(iter(dataset.corrections), None)
    choices, about = (swaps, shift.feature) if shift.correction else (known, shift.feature or first)
    key = shown(k, "codes", next(words for words, name in choices.items() if name == about))

    def chosen() -> None:
        words = st.session_state[key]
        if words in known:
            declare(k, replace(shift, feature=known[words], correction=()))
        else:
            declare(k, swap_of(dataset, shift, swaps[words]))

    st.selectbox("Codes put right", [*known, *swaps], key=key, on_change=chosen)
    if shift.correction:
        _exchange(dataset, k, shift)


def _exchange(dataset: Dataset, k: int, shift: Shift) -> None:
    categories = dataset.schema.feature(str(shift.feature)).categories
    moved = [old for old, new in shift.correction if old != new]
    pair = (moved + [c for c in categories if c not in moved])[:2]
    keys = [shown(k, f"exchanged {i} {shift.feature}", pair[i]) for i in range(2)]

    def chosen() -> None:
        one, other = (st.session_state[key] for key in keys)
        declare(k, replace(shift, correction=swapped(one, other)))

    for column, key, label in zip(st.columns(2), keys, ("This one", "was that one"), strict=True):
        with column:
            st.selectbox(label, categories, key=key, on_change=chosen)
