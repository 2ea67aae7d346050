"""Learn: the mathematics with live numbers, the glossary, promises and limits, references."""

import streamlit as st

from pages.shared import notices, state
from pages.shared.learn_glossary import glossary
from pages.shared.learn_limits import limits
from pages.shared.learn_mathematics import mathematics
from pages.shared.learn_references import references

CHAPTERS = {
    "Mathematics": mathematics,
    "Glossary": glossary,
    "Promises and limits": limits,
    "References": references,
}

current = state.current()
notices.about_the_link()
notices.about_choices({"chapter": CHAPTERS})
st.header("Learn")
tabs = st.tabs(list(CHAPTERS), key="chapter", on_change="rerun", bind="query-params")
for name, tab in zip(CHAPTERS, tabs, strict=True):
    if tab.open:
        with tab, notices.told_in_words():
            CHAPTERS[name](current)
