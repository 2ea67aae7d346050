"""The glossary: every word the pages use in a special sense, the same text as in the tooltips."""

import streamlit as st

from dirrac_core.case.scenario import Scenario
from pages.shared import wording


def show_glossary(scenario: Scenario) -> None:
    """One line per word, in the order of the alphabet; a search narrows them."""
    asked = st.text_input(
        "Find a word",
        key="glossary search",
        placeholder="radius, plan, worst case …",
        width=320,
    )
    found = words_about(asked)
    if not found:
        st.info("No word of the glossary mentions that.", icon=":material/search_off:")
    for word in found:
        st.markdown(f"**{wording.term(word)}** · {wording.GLOSSARY[word]}")


def words_about(asked: str) -> list[str]:
    """The words that are, or whose meaning mentions, what was typed."""
    wanted = asked.strip().casefold()
    found = [
        word
        for word, meaning in wording.GLOSSARY.items()
        if wanted in f"{word} {wording.term(word)} {meaning}".casefold()
    ]
    return sorted(found, key=str.casefold)
