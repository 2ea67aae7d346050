"""What a promise may be called, and the record it stands on: the same words wherever it stands."""

import math

import streamlit as st

from dirrac_core.case.scenario import Scenario
from dirrac_core.studies.evidence.backtest import Record
from dirrac_core.studies.evidence.pasts import GROUPS, PLACEBO
from dirrac_core.studies.evidence.track_record import promise_word, track_record
from dirrac_core.wording import in_100
from pages.shared.navigation import file_of

# Above this a promise is worth nothing: a coin would do better.
USELESS = 0.5
NO_PROMISE = "No useful promise"
NO_RECORD = "No past promise at settings like these has been checked."
# What a record that is no past can say, in a word.
_CHECKED = {PLACEBO: "on a placebo", GROUPS: "on held-out groups"}


def decline_at_most(probability: float) -> str:
    """ "at most 18 decline", of the 100 that every page counts by."""
    return f"at most {in_100(probability)} decline"


def at_least(probability: float) -> str:
    """A lower bound as a count of 100, rounded down so that it stays true: "17.1"."""
    return f"{max(0.0, math.floor(1000 * probability + 1e-9) / 10):g}"


def is_useful(probability: float) -> bool:
    """Whether a worst case is worth being called a promise."""
    return probability <= USELESS


def promise_headline(probability: float) -> str:
    """The worst case as a headline."""
    if not is_useful(probability):
        return NO_PROMISE
    return f"Of 100 future models, {decline_at_most(probability)}"


def record_of(scenario: Scenario) -> Record | None:
    """The strongest track record of settings like these."""
    return track_record(scenario.settings)


def word_for(scenario: Scenario) -> str:
    """“Guarantee” where the track record bears it."""
    return promise_word(record_of(scenario))


def record_sentence(record: Record | None) -> str:
    """ "At settings like these, 4 of 83 past promises were broken." """
    if record is None:
        return NO_RECORD
    checked = _CHECKED.get(record.kind)
    words = f"At settings like these, {_lower(record.tally.sentence)}"
    if checked is not None:
        words = words.replace("past promises", f"promises checked {checked}")
    return f"{words}."


def _lower(words: str) -> str:
    return words[0].lower() + words[1:]


def show_cards(*cards: tuple[str, str, str]) -> None:
    """What was promised and what happened, side by side: a label, a headline, a sentence each."""
    for column, (label, headline, words) in zip(
        st.columns(len(cards), border=True), cards, strict=True
    ):
        with column:
            st.markdown(label)
            st.markdown(f"### {headline}")
            st.caption(f"{words[0].upper()}{words[1:]}.")


def show_record(scenario: Scenario) -> None:
    """The count behind a promise, or the way to where it is computed."""
    record = record_of(scenario)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(record_sentence(record), width="content")
        label = "Track record" if record is not None else "Check it on the past"
        st.page_link(file_of("track_record"), label=label, icon=":material/fact_check:")
