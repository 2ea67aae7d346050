"""The served dashboard: the doors of every request, then pages/dashboard.py for each visitor.

`streamlit run app.py` finds the application here and starts it; no request comes before the doors.
"""

import streamlit as st
from starlette.middleware import Middleware

from pages.doors.hosts import OwnHosts
from pages.doors.uploads import FewUploads
from pages.shared.browser import library

app = st.App(
    "pages/dashboard.py",
    routes=[library.route()],
    middleware=[Middleware(OwnHosts), Middleware(FewUploads)],
)
