"""Every record at hand, one row each: the shipped datasets at their recommended settings."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dirrac_core import DATASETS
from dirrac_core.case.settings import Settings
from dirrac_core.studies.evidence.backtest import Record
from dirrac_core.studies.evidence.track_record import (
    decided_a_setting,
    promise_word,
    stored_records,
)
from dirrac_core.wording import joined
from pages.shared import wording
from pages.shared.defaults import TREES
from pages.shared.plain_text import plain_table
from pages.track_record.run import EVIDENCE


def show_stored() -> None:
    """The stored records as a table."""
    st.subheader("Every dataset at its recommended settings")
    records = stored_records()
    if not records:
        st.write("No record is stored with this installation.")
        return
    table = pd.DataFrame([_row(record) for record in records]).set_index("Dataset")
    st.table(plain_table(table), alt="Promises made and broken on each dataset")
    st.caption(
        "Every declined applicant, or some of them for boosted trees; `dirrac backtest --dataset "
        "NAME --store` computes a row again. No setting is computed from the people who judge, but "
        "these records were known when the settings were chosen. " + _decided(records)
    )


def _decided(records: Sequence[Record]) -> str:
    """Which of them decided a setting, as a sentence."""
    names = [DATASETS[each.settings.dataset] for each in records if decided_a_setting(each)]
    if not names:
        return ""
    return f"Such a record decided one of them: how far limits give way on {joined(names)}."


def _row(record: Record) -> dict[str, str]:
    found, settings = record.tally, record.settings
    return {
        "Dataset": DATASETS.get(settings.dataset, settings.dataset),
        "Model": wording.MODELS[settings.model],
        "Checked on": EVIDENCE.get(record.kind, record.kind),
        "Futures": wording.setting_words(settings, "futures"),
        "ρ": "–" if settings.model == TREES else _radius(settings),
        "With a plan": f"{found.promises:,} of {found.asked:,}",
        "Broken": f"{found.broken:,} ({_in_100(found.share.low)} to "
        f"{_in_100(found.share.high)} of 100)",
        "Promised": f"{_in_100(found.promised)} of 100",
        "Happened": f"{_in_100(found.observed)} of 100",
        "Called": promise_word(record),
    }


def _radius(settings: Settings) -> str:
    words = (wording.setting_words(settings, name) for name in ("radii", "radius_unit"))
    return " ".join(words)


def _in_100(share: float) -> str:
    return "–" if pd.isna(share) else f"{100 * share:.1f}"
