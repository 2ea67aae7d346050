"""Paper: its tables and figures next to ours, and what can be proven, demonstrated live."""

import streamlit as st

from pages.paper.claims import show_claims
from pages.paper.results import show_results
from pages.shared import notices, state
from pages.shared.address.linked_controls import show_parts
from pages.shared.lecture import offer_lecture

PARTS = {"Tables and figures": show_results, "What can be proven": show_claims}

scenario = state.current()
notices.report_link()
notices.report_choices({"paper_part": PARTS})
if not offer_lecture():
    st.header("The paper and this software")
show_parts("paper_part", PARTS, scenario)
