"""Filters over declined people: kept for the visit, written into the address, read back from it."""

from collections.abc import Mapping
from typing import TypeAlias
from urllib.parse import quote, unquote

import pandas as pd
import streamlit as st

from dirrac_core import Dataset, load_dataset
from dirrac_core.errors import InvalidInput
from pages.shared.address.links import FILTERS, LONGEST_PARAMETER

# Categories, or the ends of a range; and such by the name of their feature.
Kept: TypeAlias = tuple[str, ...] | tuple[float, float]
Filters: TypeAlias = dict[str, Kept]
PATTERN = "feature:least~most, or feature:category|category"
_KEPT = "filters by dataset"


def filters_of(dataset: Dataset) -> Filters:
    """The filters this visitor has set on a dataset."""
    found: Filters = st.session_state.get(_KEPT, {}).get(dataset.name, {})
    return dict(found)


def set_filters(dataset: Dataset, filters: Filters) -> None:
    """Keep the filters of a dataset, and write them into the address."""
    st.session_state[_KEPT] = {**st.session_state.get(_KEPT, {}), dataset.name: filters}
    _write(filters)


def follow_address(name: str) -> list[str]:
    """Take over the filters of the link a visit begins with, and write those that are set.

    Returns a sentence for each that was refused.
    """
    dataset = load_dataset(name)
    refused: list[str] = []
    if _KEPT not in st.session_state:
        filters, refused = read_filters(dataset, st.query_params.get(FILTERS, ""))
        st.session_state[_KEPT] = {name: filters}
    _write(filters_of(dataset))
    return refused


def _write(filters: Filters) -> None:
    text = write_filters(filters)
    # A longer one would be refused when it is opened; it stays for this visit.
    if not text or len(text) > LONGEST_PARAMETER:
        if FILTERS in st.query_params:
            del st.query_params[FILTERS]
    elif st.query_params.get(FILTERS) != text:
        st.query_params[FILTERS] = text


def write_filters(filters: Filters) -> str:
    """The filters as one parameter of a link, `;` between them."""
    return ";".join(f"{quote(name, safe=' ')}:{_values(kept)}" for name, kept in filters.items())


def _values(kept: Kept) -> str:
    if isinstance(kept[0], str):
        return "|".join(quote(str(category), safe=" ") for category in kept)
    return "~".join(f"{end!r}".removesuffix(".0") for end in kept)


def read_filters(dataset: Dataset, text: str) -> tuple[Filters, list[str]]:
    """The filters that could be read, and a sentence for each of the others."""
    filters: Filters = {}
    refused = []
    for part in filter(None, text.split(";")):
        try:
            name, values = part.split(":")
            filters[unquote(name)] = _checked(dataset, unquote(name), values)
        except InvalidInput as problem:
            refused.append(f"{FILTERS} = {part}: {problem}.")
        except ValueError:
            refused.append(f"{FILTERS} = {part}: this is not “{PATTERN}”.")
    return filters, refused


def _checked(dataset: Dataset, name: str, values: str) -> Kept:
    feature = dataset.schema.feature(name)
    if feature.is_categorical:
        kept = tuple(unquote(value) for value in values.split("|"))
        unknown = [category for category in kept if category not in feature.categories]
        if unknown:
            message = f"{name} has no category “{unknown[0]}”"
            raise InvalidInput(message)
        return kept
    least, most = map(float, values.split("~"))
    low, high = feature.extremes
    if not low <= least <= most <= high:
        message = f"{name} goes from {low:g} to {high:g}"
        raise InvalidInput(message)
    return least, most


def fits(people: pd.DataFrame, name: str, kept: Kept) -> pd.Series:
    """Which of the people a filter keeps."""
    if isinstance(kept[0], str):
        return people[name].astype(str).isin(kept)
    return people[name].between(*kept)


def all_fit(people: pd.DataFrame, filters: Mapping[str, Kept]) -> pd.Series:
    """Which of the people every filter keeps."""
    keeps = pd.Series(True, index=people.index)
    for name, kept in filters.items():
        keeps &= fits(people, name, kept)
    return keeps
