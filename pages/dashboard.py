"""What one visitor sees: page configuration, navigation, and the sidebar of the applicant pages."""

import streamlit as st

from pages import memory
from pages.doors import callbacks, uploads, widget_values
from pages.runs import ahead, clicks, network_training
from pages.shared import navigation, notices, state
from pages.shared.browser.whole_page import equip_page
from pages.sidebar import controls
from pages.stand_in_note import note_stand_in

widget_values.guard()
callbacks.guard()
page = navigation.navigate()
st.logo(str(navigation.ASSETS / "logo.svg"), size="large")
uploads.note_held()
with notices.show_last_resort(), clicks.answered(), ahead.making_way():
    state.start_run()
    notices.report_before_run()
    if navigation.is_about_applicant(page):
        # Once its settings are in sight, what they change comes first.
        with controls.sidebar_last(page.url_path):
            if network_training.show_until_ready(state.current()):
                note_stand_in(page, state.current())
                page.run()
    else:
        page.run()
    equip_page()
memory.settle(page.url_path)
