"""The frontier over many applicants: computed one after the other, stopped at any time."""

from dataclasses import dataclass, field, replace

import pandas as pd
import streamlit as st

from dirrac_core.errors import DirracError
from dirrac_core.evaluation.case_frontier import average_frontier
from dirrac_core.scenario import Case, Scenario
from pages.shared import computing, state
from pages.shared import frontier_computing as cached
from pages.shared.frontier_applicant import DIRRAC_NAMES
from pages.shared.frontier_picture import download, draw
from pages.shared.frontier_view import FAMILIES, View
from pages.shared.frontier_words import Said, sentences

_SWEEP = "sweep over applicants"
USUAL, MOST = 20, 200


@dataclass
class Sweep:
    """What was asked for and how far it got; kept in the session, so that stopping keeps it."""

    about: tuple[Scenario, tuple[str, ...], int]
    running: bool = True
    rows: list[pd.DataFrame] = field(default_factory=list)
    done: int = 0
    problems: list[str] = field(default_factory=list)


def many_applicants(case: Case, view: View) -> None:
    """How many, the button, the progress, and the averages of those finished."""
    scenario = case.scenario
    rows = computing.declined_rows(scenario.dataset, scenario.model, scenario.seed)
    count = _how_many(len(rows))
    about = (replace(scenario, applicant=0, delta_add=0.0), view.families, count)
    sweep: Sweep | None = st.session_state.get(_SWEEP)
    place = st.empty()
    if sweep is None or sweep.about != about:
        with place.container():
            st.button(
                f"Compute for {count} applicants",
                icon=":material/play_arrow:",
                type="primary",
                on_click=lambda: st.session_state.update({_SWEEP: Sweep(about)}),
            )
            st.caption(
                "Every method is asked for every applicant; this takes a second or two each."
                if sweep is None
                else "The settings have changed since the last computation."
            )
        return
    if sweep.running:
        with place.container():
            _go_on(case, view, rows[:count], sweep)
        place.empty()
    _averages(case, view, sweep, count)


def _how_many(most: int) -> int:
    limit = min(most, MOST)
    return st.number_input(
        "Declined applicants, the first ones of the dataset",
        1,
        limit,
        value=min(USUAL, limit),
        step=10,
        key="how many",
        width=320,
        help=f"This dataset has {most} declined applicants.",
    )


def _go_on(case: Case, view: View, applicants: tuple[int, ...], sweep: Sweep) -> None:
    """Compute the applicants that are left. A click on Stop ends the run at the next update."""
    bar = st.progress(0.0)
    st.button("Stop", icon=":material/stop:", on_click=lambda: _stop(sweep))
    total = len(applicants)
    for row in applicants[sweep.done :]:
        scenario = replace(case.scenario, applicant=row)
        frames = []
        for family in view.families:
            name = FAMILIES.get(family, "DiRRAc")
            words = f"Applicant {sweep.done + 1} of {total}: {name}"
            bar.progress(sweep.done / total, words)
            try:
                frames.append(cached.family_rows(scenario, family))
            except DirracError as problem:
                sweep.problems.append(f"Applicant {row}, {name}: {problem}.")
        sweep.rows += frames
        sweep.done += 1
    sweep.running = False


def _stop(sweep: Sweep) -> None:
    sweep.running = False


def _averages(case: Case, view: View, sweep: Sweep, count: int) -> None:
    if sweep.done < count:
        left, right = st.columns([3, 1], vertical_alignment="center")
        left.info(
            f"Stopped after {sweep.done} of {count} applicants; the means are over those.",
            icon=":material/info:",
        )
        right.button(
            "Go on", icon=":material/play_arrow:", on_click=lambda: setattr(sweep, "running", True)
        )
    if not sweep.rows:
        return
    averages = average_frontier(pd.concat(sweep.rows, ignore_index=True))
    dirrac, cost = DIRRAC_NAMES[case.scenario.link], f"cost_{case.scenario.cost}"
    people = "1 applicant" if sweep.done == 1 else f"{sweep.done} applicants"
    subject = f"On average over {people}"
    said = Said(view.value, gaussian=case.scenario.link == "gaussian")
    headline, *honest = sentences(averages, dirrac, cost, said, subject)
    st.markdown(f"#### {headline}")
    interval = (f"{view.value}_low_applicants", f"{view.value}_high_applicants")

    def choose(row: pd.Series) -> None:
        if row["method"] == dirrac:
            state.change(delta_add=float(row["parameter"]))

    draw(averages, case, view, interval, choose)
    for sentence in honest:
        st.markdown(sentence)
    _told(averages, sweep)
    download(averages, case, f"{case.scenario.dataset}-{sweep.done}-applicants")


def _told(averages: pd.DataFrame, sweep: Sweep) -> None:
    low, high = 100 * averages["success"].min(), 100 * averages["success"].max()
    success = f"all {low:.0f}" if low == high else f"{low:.0f} to {high:.0f}, by method,"
    st.caption(
        f"{sweep.done} applicants were asked; {success} in 100 of them got a plan that today's "
        "model accepts. The means are over those who got a plan, the bars are 95 % t intervals "
        "over applicants. A chosen mark of DiRRAc sets its δ_add everywhere."
    )
    with st.expander("Who got a plan", icon=":material/groups:"):
        st.dataframe(
            pd.DataFrame(
                {
                    "Method": averages["method"],
                    "Parameter": averages["parameter"],
                    "Asked (n)": averages["n"],
                    "Got a plan": averages["plans"],
                    "Accepted today, in 100": 100 * averages["success"],
                }
            ),
            hide_index=True,
            alt="For every method and parameter: applicants asked, plans found and accepted today",
        )
    for problem in sweep.problems:
        st.warning(problem, icon=":material/warning:")
