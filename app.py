"""The served dashboard: the doors of every request, then pages/dashboard.py for each visitor.

`streamlit run app.py` finds the application here and starts it; no request comes before the doors.
"""

import streamlit as st
from starlette.middleware import Middleware

from pages.doors import chart_library
from pages.doors.hosts import OwnHosts
from pages.doors.uploads import FewUploads

app = st.App(
    "pages/dashboard.py",
    routes=[chart_library.route()],
    middleware=[Middleware(OwnHosts), Middleware(FewUploads)],
)
