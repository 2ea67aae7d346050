"""The run behind the portfolio page: what is asked, how it is started, and what it was for."""

from dataclasses import dataclass, fields, replace

import pandas as pd
import streamlit as st

from dirrac_core.evaluation.case_portfolio import case_portfolio
from dirrac_core.scenario import Case, Scenario
from pages.shared import background, computing, notices, state
from pages.shared.links import to_query
from pages.shared.navigation import file_of
from pages.shared.plain_text import plain
from pages.shared.recourse_compare import SETTING_WORDS, setting

RUN = "portfolio"
USUAL_MOST = 1000


@dataclass(frozen=True)
class Asked:
    """Every setting but the applicant, and how many of the first declined people."""

    scenario: Scenario
    count: int


@dataclass(frozen=True, eq=False)
class Reviewed:
    """A portfolio with the settings it was computed for; `declined` is how many there are."""

    asked: Asked
    case: Case
    frame: pd.DataFrame
    declined: int


def offer(case: Case, reviewed: Reviewed | None) -> None:
    """How many people, the button, and what has changed since the results below."""
    scenario = case.scenario
    rows = computing.declined_rows(scenario.dataset, scenario.model, scenario.seed)
    if not rows:
        st.info("Today's model declines nobody in this dataset.", icon=":material/info:")
        return
    asked = Asked(replace(scenario, applicant=0), _how_many(len(rows)))
    if reviewed is not None:
        _told(asked, reviewed)
    if reviewed is not None and reviewed.asked == asked and _whole(reviewed):
        return
    st.button(
        _label(asked, reviewed, len(rows)),
        icon=":material/play_arrow:",
        type="primary",
        on_click=begin,
        args=(case, asked, rows[: asked.count], len(rows)),
    )
    if reviewed is None:
        st.caption(
            "One certified plan a person, in the background: about ten seconds for a hundred "
            "people on two cores. A network takes longer, for it is approximated anew for each."
        )


def begin(case: Case, asked: Asked, rows: tuple[int, ...], declined: int) -> None:
    """Start the run; for a callback."""

    def work(progress, cancel) -> Reviewed:
        def told(part: float, words: str) -> None:
            progress(part, f"People: {words}")

        frame = case_portfolio(case, rows, None, told, cancel)
        return Reviewed(asked, case, frame, declined)

    background.start(RUN, asked, work)


def _how_many(most: int) -> int:
    notices.about_numbers(("portfolio_first",))
    return st.number_input(
        "Declined people, the first ones of the dataset",
        1,
        most,
        value=min(most, USUAL_MOST),
        step=50,
        key="portfolio_first",
        bind="query-params",
        width=320,
        help=f"Today's model declines {most:,} people of this dataset.",
    )


def _label(asked: Asked, reviewed: Reviewed | None, most: int) -> str:
    people = f"all {most:,}" if asked.count == most else f"the first {asked.count:,}"
    again = "again " if reviewed is not None else ""
    return f"Plan {again}for {people} declined people"


def _whole(reviewed: Reviewed) -> bool:
    return bool(reviewed.frame.attrs["complete"])


def _told(asked: Asked, reviewed: Reviewed) -> None:
    """Which settings the results were computed with, where they are not those of now."""
    changed = differences(reviewed.asked.scenario, asked.scenario)
    if changed:
        st.warning(
            "These results are for other settings than those on the left: "
            + "; ".join(plain(words) for words in changed)
            + ".",
            icon=":material/history:",
        )
    if not _whole(reviewed):
        done, wanted = len(reviewed.frame), reviewed.asked.count
        st.info(
            f"Stopped after {done:,} of {wanted:,} people; everything below is about those.",
            icon=":material/info:",
        )


def differences(before: Scenario, now: Scenario) -> list[str]:
    """The settings in which two scenarios differ, as "Radius of doubt ρ was 0.1, is 0.2"."""
    return [
        f"{SETTING_WORDS[f.name]} was {setting(before, f.name)}, is {setting(now, f.name)}"
        for f in fields(Scenario)
        if getattr(before, f.name) != getattr(now, f.name)
    ]


def open_person(reviewed: Reviewed, row: int) -> None:
    """Go to this person's plan, with the settings of the portfolio."""
    scenario = replace(reviewed.asked.scenario, applicant=int(row))
    state.set_scenario(scenario)
    # Named here, because parameters bound to widgets of this page may not be cleared.
    st.switch_page(file_of("recourse"), query_params=to_query(scenario))
