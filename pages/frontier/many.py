"""The frontier over many applicants: computed in the background, averaged over those finished."""

from dataclasses import dataclass, replace
from functools import partial

import pandas as pd
import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.case.scenario import Scenario
from dirrac_core.progress import Cancel, Progress
from dirrac_core.studies.frontier import average_frontier
from dirrac_core.studies.staircase import with_declines, with_steps
from pages.frontier.applicant import DIRRAC_NAMES
from pages.frontier.picture import draw_frontier, offer_download, offer_list
from pages.frontier.sweep import PersonRows, sweep_people
from pages.frontier.view import FAMILIES, View, worst_word
from pages.frontier.words import Said, sentences
from pages.runs import background
from pages.runs.panel import show_run
from pages.runs.people import begin, how_many, result_about
from pages.shared import computing, state
from pages.shared.downloads import offer_csv

_RUN = "frontier over applicants"
USUAL, MOST = 20, 200


@dataclass(frozen=True)
class Asked:
    """Every setting but the applicant and δ_add, the families, and how many applicants."""

    scenario: Scenario
    families: tuple[str, ...]
    count: int


def show_many(case: Case, view: View) -> None:
    """How many, the button, the progress, and the averages of those finished."""
    scenario = case.scenario
    people = computing.declined_rows(scenario)
    count = how_many("frontier_first", len(people), USUAL, MOST)
    asked = Asked(replace(scenario, applicant=0, delta_add=0.0), view.families, count)
    run = background.run_of(_RUN)
    if run is not None and run.about == asked and show_run(run):
        return
    done: list[PersonRows] = result_about(_RUN, asked) or []
    if len(done) < count:
        _offer(case, asked, people[:count], done, run)
    if any(not person.rows.empty for person in done):
        _averages(case, view, done)


def _offer(
    case: Case,
    asked: Asked,
    people: tuple[int, ...],
    done: list[PersonRows],
    run: background.Run | None,
) -> None:
    """The button that computes what is missing, and why it is."""
    stopped = run is not None and run.about == asked
    st.button(
        "Go on" if stopped else f"Compute for {asked.count} applicants",
        icon=":material/play_arrow:",
        type="primary",
        on_click=begin,
        args=(_RUN, case.scenario, asked, partial(_work, case, asked, people, done)),
    )
    if stopped:
        st.info(
            f"Stopped after {len(done)} of {asked.count} applicants; the means are over those."
            if done
            else "Nothing was computed.",
            icon=":material/info:",
        )
    else:
        st.caption(
            "Every method plans for every applicant; this takes a second or two each."
            if run is None
            else "The settings have changed since the last computation."
        )


def _work(
    case: Case,
    asked: Asked,
    people: tuple[int, ...],
    done: list[PersonRows],
    progress: Progress,
    cancel: Cancel,
) -> list[PersonRows]:
    """The rows of everyone, those already `done` first."""
    return [*done, *sweep_people(case, asked.families, people[len(done) :], progress, cancel)]


def _averages(case: Case, view: View, done: list[PersonRows]) -> None:
    rows = [person.rows for person in done if not person.rows.empty]
    dirrac, cost = DIRRAC_NAMES[case.scenario.link], f"cost_{case.scenario.cost}"
    averages = with_steps(
        with_declines(average_frontier(pd.concat(rows, ignore_index=True))),
        cost,
        view.value,
        lower_is_better=True,
    )
    people = "1 applicant" if len(done) == 1 else f"{len(done)} applicants"
    subject = f"On average over {people}, "
    said = Said(view.value, worst_word(case.scenario), case.bundle.future.simulated)
    headline, *honest = sentences(averages, dirrac, cost, said, subject)
    st.markdown(f"### {headline}")
    interval = (f"{view.value}_low_applicants", f"{view.value}_high_applicants")

    def choose(row: pd.Series) -> None:
        if row["method"] == dirrac:
            state.change(delta_add=float(row["parameter"]))

    draw_frontier(averages, case, view, interval, choose)
    offer_list(averages, case, view, choose)
    for sentence in honest:
        st.markdown(sentence)
    _describe(averages, done)
    offer_download(averages, case, f"{case.scenario.dataset}-{len(done)}-applicants")


def _describe(averages: pd.DataFrame, done: list[PersonRows]) -> None:
    low, high = 100 * averages["success"].min(), 100 * averages["success"].max()
    success = f"all {low:.0f}" if low == high else f"{low:.0f} to {high:.0f}, by method,"
    st.caption(
        f"{len(done)} applicants were asked; {success} in 100 of them got a plan that today's "
        "model accepts. The means are over those who got a plan, the bars are 95 % t intervals "
        "over applicants. Hollow marks: some of these plans break a rule. A chosen mark of DiRRAc "
        "sets its δ_add everywhere."
    )
    with st.expander("Who got a plan", icon=":material/groups:"):
        counted = pd.DataFrame(
            {
                "Method": averages["method"],
                "Parameter": averages["parameter"],
                "Asked (n)": averages["n"],
                "Got a plan": averages["plans"],
                "Accepted today, of 100": 100 * averages["success"],
            }
        )
        st.dataframe(
            counted,
            hide_index=True,
            alt="For every method and parameter: applicants asked, plans found and accepted today",
        )
        offer_csv(counted, "who got a plan")
    for person in done:
        for family, problem in person.problems.items():
            name = FAMILIES.get(family, "DiRRAc")
            st.warning(
                f"Applicant {person.applicant}, {name}: {problem}", icon=":material/warning:"
            )
