"""The run behind the portfolio page: what is asked, how it is started, and what it was for."""

from dataclasses import dataclass, fields, replace
from functools import cached_property, partial

import pandas as pd
import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.case.scenario import Scenario
from dirrac_core.progress import Cancel, Progress
from dirrac_core.studies.people.equity import equity, without_any_plan_first
from dirrac_core.studies.people.portfolio import case_portfolio
from dirrac_core.studies.people.review import edges
from dirrac_core.studies.people.stored_portfolio import stored_portfolio
from pages.runs import background, people
from pages.shared import computing, state
from pages.shared.address.links import to_query
from pages.shared.navigation import file_of
from pages.shared.plain_text import plain
from pages.shared.wording import SETTINGS, setting_words

RUN = "portfolio"
USUAL_MOST = 1000


@dataclass(frozen=True)
class Asked:
    """Every setting but the applicant, and how many of the first declined people."""

    scenario: Scenario
    count: int


@dataclass(frozen=True, eq=False)
class Reviewed:
    """A portfolio with the settings it was computed for; `declined` is how many there are.

    The frame has a column `declined` besides those of the core: the share of later models that
    decline the plan, so that all shares count the same thing.
    """

    asked: Asked
    case: Case
    frame: pd.DataFrame
    declined: int

    @classmethod
    def of(cls, asked: Asked, frame: pd.DataFrame) -> "Reviewed":
        """The rows of a portfolio with the case they belong to."""
        rows = computing.declined_rows(asked.scenario)
        case = computing.case(replace(asked.scenario, applicant=rows[0]))
        shown = frame.assign(declined=1.0 - frame["m2"].astype(float))
        shown.attrs["complete"] = frame.attrs["complete"]
        return cls(asked, case, shown, len(rows))

    @property
    def is_whole(self) -> bool:
        """Whether everyone who was asked about is in it."""
        return bool(self.frame.attrs["complete"])

    @property
    def with_plan(self) -> pd.DataFrame:
        """The people who have a plan."""
        return self.frame[self.frame["found"].astype(bool)]

    @property
    def without_plan(self) -> pd.DataFrame:
        """The people who have none."""
        return self.frame[~self.frame["found"].astype(bool)]

    def by_group(self, feature: str) -> pd.DataFrame:
        """The measures of every group of a feature, those without any plan first."""
        return without_any_plan_first(equity(self.frame, self.case.dataset, feature))

    @cached_property
    def at_edge(self) -> dict[int, tuple[str, ...]]:
        """Row of a person → the numbers their plan moves to an end of the range in the data."""
        return edges(self.frame, self.case.dataset)


def choose_people(scenario: Scenario, usual: int = USUAL_MOST) -> Asked | None:
    """How many people; None where nobody is declined."""
    rows = computing.declined_rows(scenario)
    if not rows:
        st.info("Today's model declines nobody in this dataset.", icon=":material/info:")
        return None
    count = people.how_many("portfolio_first", len(rows), usual)
    return Asked(replace(scenario, applicant=0), count)


def reviewed_now(asked: Asked) -> Reviewed | None:
    """The requested portfolio, whoever had it computed; else this visitor's last one."""
    frame = people.result_about(RUN, asked)
    if frame is None or not frame.attrs["complete"]:
        stored = stored_portfolio(asked.scenario.settings)
        if stored is not None:
            frame = stored.head(asked.count)
            frame.attrs["complete"] = True
    if frame is not None and not frame.empty:
        return Reviewed.of(asked, frame)
    run = background.run_of(RUN)
    if run is None or run.result is None or run.result.empty:
        return None
    return Reviewed.of(run.about, run.result)


def offer_run(case: Case, asked: Asked, reviewed: Reviewed | None) -> None:
    """The button, and what has changed since the results below."""
    if reviewed is not None:
        _describe(asked, reviewed)
        if reviewed.asked == asked and reviewed.is_whole:
            return
    rows = computing.declined_rows(case.scenario)
    st.button(
        _label(asked, reviewed, len(rows)),
        icon=":material/play_arrow:",
        type="primary",
        on_click=people.begin,
        args=(RUN, case.scenario, asked, partial(_work, case, rows[: asked.count])),
    )
    if reviewed is None:
        st.caption(
            "One certified plan per person, in the background: a few seconds for a hundred "
            "people. A network takes longer: it is approximated separately for each person."
        )


def _work(case: Case, rows: tuple[int, ...], progress: Progress, cancel: Cancel) -> pd.DataFrame:
    return case_portfolio(case, rows, None, progress, cancel)


def _label(asked: Asked, reviewed: Reviewed | None, most: int) -> str:
    who = f"all {most:,}" if asked.count == most else f"the first {asked.count:,}"
    again = "again " if reviewed is not None else ""
    return f"Plan {again}for {who} declined people"


def _describe(asked: Asked, reviewed: Reviewed) -> None:
    """Which settings the results were computed with, where they are not those of now."""
    changed = differences(reviewed.asked.scenario, asked.scenario)
    if changed:
        st.warning(
            "These results are for other settings than those on the left: "
            + "; ".join(plain(words) for words in changed)
            + ".",
            icon=":material/history:",
        )
    if not reviewed.is_whole:
        done, wanted = len(reviewed.frame), reviewed.asked.count
        st.info(
            f"Stopped after {done:,} of {wanted:,} people; everything below is about those.",
            icon=":material/info:",
        )


def differences(before: Scenario, now: Scenario) -> list[str]:
    """The settings in which two scenarios differ, as "Radius of doubt ρ was 0.1, is 0.2"."""
    return [
        f"{SETTINGS[f.name]} was {setting_words(before, f.name)}, is {setting_words(now, f.name)}"
        for f in fields(Scenario)
        if getattr(before, f.name) != getattr(now, f.name)
    ]


def open_person(reviewed: Reviewed, row: int) -> None:
    """Go to this person's plan, with the settings of the portfolio."""
    scenario = replace(reviewed.asked.scenario, applicant=int(row))
    state.set_scenario(scenario)
    # Named here, because parameters bound to widgets of this page may not be cleared.
    st.switch_page(file_of("recourse"), query_params=to_query(scenario))
