"""Learn: the mathematics with live numbers, the glossary, promises and limits, references."""

import streamlit as st

from pages.learn.exercises import show_exercises
from pages.learn.glossary import show_glossary
from pages.learn.limits import show_limits
from pages.learn.mathematics import show_mathematics
from pages.learn.references import show_references
from pages.shared import notices, state
from pages.shared.address.linked_controls import show_parts
from pages.shared.lecture import offer_lecture

CHAPTERS = {
    "Mathematics": show_mathematics,
    "Exercises": show_exercises,
    "Glossary": show_glossary,
    "Promises and limits": show_limits,
    "References": show_references,
}

current = state.current()
notices.report_link()
notices.report_choices({"chapter": CHAPTERS})
if offer_lecture():
    with notices.show_errors():
        show_mathematics(current)
else:
    st.header("Learn")
    show_parts("chapter", CHAPTERS, current)
