"""The dashboard: page configuration, navigation, and the sidebar the applicant pages share."""

import streamlit as st

from pages.shared import controls, navigation, notices, state

ASSETS = navigation.ROOT / "assets"

st.set_page_config(
    page_title="Robust recourse",
    page_icon=str(ASSETS / "favicon.svg"),
    layout="wide",
    menu_items={"About": "What to change after a declined decision, and how well that lasts."},
)
st.logo(str(ASSETS / "logo.svg"), size="large")
page = navigation.navigate()
state.start_run()
if navigation.about_applicant(page):
    with notices.told_in_words():
        controls.sidebar()
page.run()
