"""Learn: the mathematics with live numbers, the glossary, promises and limits, references."""

import streamlit as st

from pages.shared import notices, state
from pages.shared.learn_glossary import glossary
from pages.shared.learn_limits import limits
from pages.shared.learn_mathematics import mathematics
from pages.shared.learn_references import references
from pages.shared.linked_controls import parts

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
parts("chapter", CHAPTERS, current)
