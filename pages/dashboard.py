"""What one visitor sees: page configuration, navigation, and the sidebar of the applicant pages."""

import streamlit as st

from pages import memory
from pages.doors import callbacks, presses, running, uploads, widget_values
from pages.runs import network_training
from pages.shared import navigation, state
from pages.shared.browser.whole_page import equip_page
from pages.sidebar import controls
from pages.sidebar.live import DRAWN_AFTER, draw_what_follows, whole_page
from pages.stand_in_note import note_stand_in

widget_values.guard()
callbacks.guard(draw_what_follows)
presses.guard(DRAWN_AFTER)
running.guard()
page = navigation.navigate()
st.logo(str(navigation.ASSETS / "logo.svg"), size="large")
with whole_page(uploads.note_held):
    if navigation.is_about_applicant(page):
        # Once its settings are in sight, what they change comes first.
        with controls.sidebar_last(page.url_path, navigation.follows_settings(page)):
            if network_training.show_until_ready(state.current()):
                note_stand_in(page, state.current())
                page.run()
    else:
        page.run()
    equip_page()
memory.settle(page.url_path)
