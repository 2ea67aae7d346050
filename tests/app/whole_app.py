"""The app as a script of its own, for runs that must keep the sidebar.

Streamlit's test runner takes a folder named pages/ beside the main script for the menu and runs
the page file alone; beside this file there is none, so every run goes through dashboard.py.
"""

import runpy

from pages.shared.navigation import ROOT

runpy.run_path(str(ROOT / "pages" / "dashboard.py"))
