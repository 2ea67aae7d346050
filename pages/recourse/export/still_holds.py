"""Does the plan still hold? An exported plan, or the one on screen, judged by newer people or a
newer model."""

import streamlit as st

from dirrac_core.case.case import Solution
from dirrac_core.case.documents.file import scenario_file
from dirrac_core.case.documents.still_holds import Holding
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import Dataset, load_dataset
from dirrac_core.data.upload.inspection import InspectedTable, inspect_table
from dirrac_core.data.upload.visitor_tables import UPLOAD_LIMITS, is_table_name
from dirrac_core.errors import InvalidInput
from dirrac_core.wording import in_100
from pages.recourse.export.judging_again import MODEL, PEOPLE, Asked, holding
from pages.runs import background
from pages.runs.panel import show_run
from pages.shared import notices, state
from pages.shared.plain_text import plain
from pages.shared.promise import decline_at_most, is_useful

_RUN = "still holds"
LARGEST_SCENARIO = 1


def offer_check(solution: Solution) -> None:
    """The plan, what judges it, the check in the background, and what came of it."""
    with st.expander("Does it still hold?", icon=":material/event_repeat:"):
        st.caption(
            "The same plan, judged by newer people or a newer model: kept or broken, with its new "
            "numbers."
        )
        with notices.show_errors():
            asked = _choose(solution)
            if asked is not None:
                st.button(
                    "Check the plan",
                    icon=":material/fact_check:",
                    on_click=_begin,
                    args=(asked,),
                )
        run = background.run_of(_RUN)
        if show_run(run) or run is None or run.about != asked:
            return
        if run.result is not None:
            _show(run.result)
        elif run.state == background.STOPPED:
            st.info("Stopped before there was an answer.", icon=":material/info:")


def _choose(solution: Solution) -> Asked | None:
    """What is to be checked; None while something is missing."""
    left, right = st.columns(2, gap="large")
    with left:
        file = st.file_uploader(
            "Exported scenario (JSON); without one, the plan on screen",
            ("json",),
            key="still holds: plan",
            max_upload_size=LARGEST_SCENARIO,
        )
    plan = scenario_file(solution) if file is None else _text(file.getvalue())
    scenario = Scenario.from_json(plan)
    dataset = load_dataset(scenario.dataset)
    with right:
        by = st.segmented_control(
            "Judged by", (PEOPLE, MODEL), default=PEOPLE, required=True, key="still holds: by"
        )
        newer = st.file_uploader(
            "Newer people (CSV)" if by == PEOPLE else "Coefficients (CSV or JSON)",
            ("csv", "tsv", "txt") if by == PEOPLE else ("csv", "json", "txt"),
            key=f"still holds: {by}",
            max_upload_size=UPLOAD_LIMITS.file_bytes // 1_000_000 if by == PEOPLE else 1,
            help=_needed(dataset),
        )
    if newer is None:
        return None
    content = newer.getvalue()
    if by == MODEL or is_table_name(dataset.name):
        return Asked(plan, str(by), content)
    outcome = _outcome(inspect_table(content, "newer", UPLOAD_LIMITS))
    return None if outcome is None else Asked(plan, str(by), content, *outcome)


def _needed(dataset: Dataset) -> str:
    if is_table_name(dataset.name):
        return "A file like the one you uploaded; it is read the same way."
    names = ", ".join(feature.name for feature in dataset.schema.features)
    return f"The columns {plain(names, 600)}, and one for the outcome."


def _outcome(table: InspectedTable) -> tuple[str, str] | None:
    left, right = st.columns(2, gap="large")
    columns = list(table.columns)
    label = left.selectbox(
        "Column of the outcome",
        columns,
        index=columns.index(table.likely_label),
        key="still holds: label",
    )
    good = right.selectbox(
        "Good outcome", list(table.outcomes(label)), index=None, key=f"still holds: good {label}"
    )
    return None if good is None else (label, str(good))


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput("A scenario must be JSON in UTF-8, got other bytes") from None


def _begin(asked: Asked) -> None:
    state.current()
    with notices.show_errors():
        dataset = load_dataset(Scenario.from_json(asked.plan).dataset)
        table = state.table_file_of(dataset.name)
        background.start_apart(_RUN, asked, holding, (asked, dataset, table))


def _show(found: Holding) -> None:
    if found.kept:
        st.success(plain(found.sentence, 400), icon=":material/check_circle:")
    else:
        st.error(plain(found.sentence, 400), icon=":material/cancel:")
    if found.worst_case is not None:
        newer = "With the newer people, the same settings"
        st.markdown(
            f"{newer} promise of this plan: of 100 further models, "
            f"**{decline_at_most(found.worst_case)}**."
            if is_useful(found.worst_case)
            else f"{newer} hold no useful promise for this plan: in the worst case "
            f"{in_100(found.worst_case)} of 100 further models decline it."
        )
    elif found.note:
        st.caption(plain(found.note, 400))
