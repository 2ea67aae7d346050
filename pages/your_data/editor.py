"""An editor that keeps its edits while its visitor looks at other pages."""

from typing import Any

import pandas as pd
import streamlit as st


def kept_editor(slot: str, about: str, start: pd.DataFrame, **options: Any) -> pd.DataFrame:
    """Draw a data editor that begins with `start`; what it holds now.

    `about` names what is edited: anything else starts afresh. Streamlit forgets the edits of an
    editor that is not drawn, so they are kept next to it and shown again as its new start.
    """
    kept = st.session_state.get(slot)
    if kept is None or kept["about"] != about:
        kept = {"about": about, "revision": 0, "start": start}
    key = f"{slot} {about} {kept['revision']}"
    if "edited" in kept and key not in st.session_state:
        key = f"{slot} {about} {kept['revision'] + 1}"
        kept = {**kept, "revision": kept["revision"] + 1, "start": kept["edited"]}
    edited: pd.DataFrame = st.data_editor(kept["start"], key=key, hide_index=True, **options)
    st.session_state[slot] = {**kept, "edited": edited}
    return edited
