"""Shift lab: what a shift does to data, models and plans; ρ and δ_add; the guided tour."""

import streamlit as st

from pages.shared import notices, state
from pages.shared.address.linked_controls import show_parts
from pages.shared.lecture import offer_lecture
from pages.shift_lab.live import show_lab
from pages.shift_lab.sensitivity import show_study
from pages.shift_lab.tour import TOUR, show_tour

PARTS = {"The lab": show_lab, "ρ and δ_add on real data": show_study, TOUR: show_tour}

state.current()
notices.report_link()
notices.report_choices({"lab_part": PARTS})
if not offer_lecture():
    st.header("Shift lab")
    st.markdown(
        "Two made-up features, two classes, and a shift that you control: see what it does to the "
        "people, to the models trained on them, and to plans that were made before it."
    )
show_parts("lab_part", PARTS)
