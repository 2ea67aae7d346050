"""What has to be said about a table: the outcome, what is good, and what its columns mean."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dirrac_core.data.schema.plan_rules import PlanRule
from dirrac_core.data.understanding.proposals import proposed_rules
from dirrac_core.data.upload.inspection import ColumnGuess
from dirrac_core.data.upload.table_file import TableFile
from pages.shared import notices
from pages.shared.plain_text import bullets, plain
from pages.your_data.columns import Overrides, edit_columns
from pages.your_data.cut_off import choose_cut_off
from pages.your_data.described import digest_of, load_table_file
from pages.your_data.rules import edit_rules
from pages.your_data.time import choose_time
from pages.your_data.upload import Upload

_NUMBERS = ("continuous", "integer")


def choose_outcome(
    upload: Upload, about: str, described: TableFile | None
) -> tuple[str, tuple[str, ...]]:
    """The column that holds the outcome, and which of its values are good."""
    st.subheader("What was decided")
    left, right = st.columns(2, gap="large")
    columns = list(upload.table.columns)
    likely = upload.table.likely_label if described is None else described.label
    with left:
        label = st.selectbox(
            "Column of the outcome (label)",
            columns,
            index=columns.index(likely),
            key=f"label {about}",
            help="What the model has to predict: paid back or not, passed or failed.",
            persist_state="session",
        )
    with right, notices.show_errors():
        counts = upload.table.outcomes(label)
        said = () if described is None or described.label != label else described.favourable
        good = st.multiselect(
            "Good outcome",
            list(counts),
            default=[value for value in said if value in counts],
            key=f"good {about} {columns.index(label)}",
            format_func=lambda value: f"{value} ({counts[value]:,} people)",
            help="One value or several; every other value counts as not good.",
            placeholder="Choose the favourable value",
            persist_state="session",
        )
        return label, tuple(good)
    return label, ()


def choose_settings(upload: Upload, has_shifted: bool) -> TableFile | None:
    """Everything that has to be said about the table of today; None while something is missing."""
    described = load_table_file(upload.table.columns)
    about = f"{upload.digest} {digest_of(described)}".strip()
    label, good = choose_outcome(upload, about, described)
    cut_off, cut_off_kind = choose_cut_off(about, described)
    time = choose_time(upload, about, described, has_shifted)
    periods, cut = time or (None, None)
    st.subheader("What the columns mean")
    st.markdown(
        "This is how the columns are read and what is proposed: locks with their reasons, "
        "protected attributes, codes for missing values. Correct what is wrong, take out what the "
        "models must not see, and lock what a person cannot change: **May change → no**."
    )
    guesses = [guess for guess in upload.table.guesses(label) if guess.name != periods]
    columns = {} if described is None else described.columns
    wishes = edit_columns(f"{about} {label} {periods}", guesses, columns)
    _left_out(guesses, wishes)
    numbers = [
        wishes.get(guess.name, {}).get("name", guess.name)
        for guess in guesses
        if guess.feature is not None
        and wishes.get(guess.name, {}).get("kind", guess.feature.kind) in _NUMBERS
    ]
    start = None if described is None else described.rules
    if start is None:
        start = _proposed(guesses, wishes)
    named = " ".join(rule.name for rule in start)
    with notices.show_errors():
        rules = edit_rules(f"{about} {label} {named}", numbers, start)
        title = st.text_input(
            "Name of the table",
            upload.name.rpartition(".")[0] or upload.name if described is None else described.title,
            max_chars=60,
            key=f"title {about}",
            help="How it is called on the other pages.",
            persist_state="session",
        )
        if not good:
            st.info("Choose the good outcome to go on.", icon=":material/check_circle:")
            return None
        if time is None:
            return None
        # What this page has no place for is kept as the table file says it.
        kept = described or TableFile(label, good)
        return TableFile(
            label,
            good,
            wishes,
            title.strip() or "Your table",
            kept.decimal,
            periods,
            cut,
            rules,
            cut_off,
            cut_off_kind,
            kept.futures if periods is not None or kept.futures != "history" else None,
        )
    return None


def _proposed(guesses: Sequence[ColumnGuess], wishes: Overrides) -> tuple[PlanRule, ...]:
    """The rules proposed for the numbers that are used, as the visitor calls and locks them."""
    numbers = []
    for guess in guesses:
        feature, wish = guess.feature, wishes.get(guess.name, {})
        if feature is None or wish.get("drop") or feature.kind not in _NUMBERS:
            continue
        if wish.get("kind", feature.kind) in _NUMBERS:
            said = {key: wish[key] for key in ("name", "direction") if key in wish}
            numbers.append(replace(feature, **said))
    return proposed_rules(numbers)


def _left_out(guesses: Sequence[ColumnGuess], wishes: Overrides) -> None:
    unused = [g for g in guesses if g.feature is None and wishes.get(g.name, {}).get("drop")]
    if unused:
        listed = [f"{plain(guess.name, 60)}: {plain(guess.problem, 300)}" for guess in unused]
        st.warning(
            f"These columns are left out, unless you tick **Use**:\n\n{bullets(listed, 10)}",
            icon=":material/warning:",
        )
