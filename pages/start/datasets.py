"""A card for each dataset."""

import streamlit as st

from dirrac_core import DATASETS, load_dataset
from dirrac_core.case.settings import Settings
from dirrac_core.data.datasets.cards import DatasetCard, dataset_card
from dirrac_core.models.accuracy import PAPER_ACCURACY
from pages.shared import computing, navigation, state, wording
from pages.shared.defaults import first_declined

CARDS_IN_A_ROW = 3


def show_datasets() -> None:
    """A card for each dataset."""
    st.header("Datasets")
    names = list(DATASETS)
    for start in range(0, len(names), CARDS_IN_A_ROW):
        columns = st.columns(CARDS_IN_A_ROW)
        for column, name in zip(columns, names[start : start + CARDS_IN_A_ROW], strict=False):
            with column, st.container(border=True, height="stretch"):
                _card(_facts(name))
    st.page_link(
        navigation.file_of("your_data"),
        label="Or use a table of your own: nothing leaves this machine",
        icon=":material/upload_file:",
    )


@st.cache_data(max_entries=len(DATASETS), show_spinner=False)
def _facts(name: str) -> DatasetCard:
    return dataset_card(load_dataset(name))


def _card(card: DatasetCard) -> None:
    st.markdown(f"### {card.title}")
    st.markdown(
        f"{card.present.rows:,} people, {card.features} features; {card.years}. "
        f"{round(100 * card.present.share)} of 100 had the good outcome: “{card.favourable}”."
    )
    after = "" if card.shifted is None else f" ({card.shifted.rows:,} people)"
    st.markdown(f"**What changes later{after}:** {card.shift}")
    more = st.expander("Good to know", key=f"more {card.name}", on_change="rerun")
    if more.open:
        with more:
            # Only on request: it trains the dataset's models.
            bundle = computing.bundle(Settings(card.name))
            notes = (wording.accuracy(bundle.accuracy, PAPER_ACCURACY.get(card.name)), *card.notes)
            for note in notes:
                st.markdown(f"- {note}")
    if st.button("Open", key=f"open {card.name}", icon=":material/arrow_forward:"):
        state.set_scenario(first_declined(card.name))
        st.switch_page(navigation.file_of("recourse"))
