"""Paper: its tables and figures beside ours, and what can be proven, demonstrated live."""

import streamlit as st

from pages.shared import notices, state
from pages.shared.linked_controls import parts
from pages.shared.paper_claims import claims
from pages.shared.paper_results import results

PARTS = {"Tables and figures": results, "What can be proven": claims}

scenario = state.current()
notices.about_the_link()
notices.about_choices({"paper_part": PARTS})
st.header("The paper and this software")
parts("paper_part", PARTS, scenario)
