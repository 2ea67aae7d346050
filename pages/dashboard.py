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
    ready = True
    if navigation.is_about_applicant(page):
        with notices.show_errors():
            controls.draw_sidebar()
        ready = network_training.show_until_ready(state.current())
        if ready:
            note_stand_in(page, state.current())
    if ready:
        page.run()
    equip_page()
memory.settle(page.url_path)
