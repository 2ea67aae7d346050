"""Start."""

import streamlit as st

from pages.shared import notices, state

state.current()
notices.about_the_link()
st.header("Robust recourse")
