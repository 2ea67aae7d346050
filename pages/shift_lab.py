"""Shift lab: what a shift does to data, models and plans; ρ and δ_add; the guided tour."""

import streamlit as st

from pages.shared import notices, state
from pages.shared.lab_live import live
from pages.shared.lab_sensitivity import study
from pages.shared.learn_tour import TOUR, tour

PARTS = {"The lab": live, "ρ and δ_add on real data": study, TOUR: tour}

state.current()
notices.about_the_link()
notices.about_choices({"lab_part": PARTS})
st.header("Shift lab")
st.markdown(
    "Two made-up features, two classes, and a shift that you control: see what it does to the "
    "people, to the models trained on them, and to plans that were made before it."
)
parts = st.tabs(list(PARTS), key="lab_part", on_change="rerun", bind="query-params")
for name, part in zip(PARTS, parts, strict=True):
    if part.open:
        with part, notices.told_in_words():
            PARTS[name]()
