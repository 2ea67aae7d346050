"""The dashboard: page configuration, navigation, and the sidebar the applicant pages share."""

import streamlit as st

from pages.shared import controls, navigation, notices, state

page = navigation.navigate()
st.logo(str(navigation.ASSETS / "logo.svg"), size="large")
state.start_run()
if navigation.about_applicant(page):
    with notices.told_in_words():
        controls.sidebar()
page.run()
