"""The app as a script of its own, for runs that must keep the sidebar.

Streamlit's test runner takes a folder named pages/ beside the main script for the menu and runs
the page file alone; beside this file there is none, so every run goes through dashboard.py.
"""

import runpy

import streamlit as st

from pages.shared import navigation

# A runner can switch to a page only after a run that has registered it. That run draws nothing, so
# that the page a test opens is the first one its visitor sees.
if st.session_state.pop("register pages only", False):
    navigation.navigate()
else:
    runpy.run_path(str(navigation.ROOT / "pages" / "dashboard.py"))
