"""Shift lab: what a shift does to data, models and plans, on two made-up features."""

import streamlit as st

from pages.shared import notices, state

state.current()
notices.about_the_link()
st.header("Shift lab")
