"""Boosted trees: a plan for everyone declined, with a limit on the search for each person."""

import pandas as pd
import streamlit as st

from dirrac_core.case.nonlinear.trees import TreeCase
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.safe_csv import safe_csv
from dirrac_core.progress import Cancel, Progress
from dirrac_core.studies.people.tree_portfolio import TreeVerdict, tree_portfolio, tree_verdict
from dirrac_core.trees.cp_sat.solving import Effort
from dirrac_core.wording import in_100
from pages.portfolio.run import choose_people
from pages.runs import background, people
from pages.runs.panel import show_run
from pages.runs.tree_plans import case_when_ready
from pages.shared import wording
from pages.shared.downloads import offer_file
from pages.shared.navigation import file_of
from pages.shared.plain_text import plain
from pages.shared.promise import NO_PROMISE, USELESS, is_useful, show_cards, show_record

_RUN = "tree portfolio"
# A plan takes a second or so, where a linear one takes milliseconds.
USUAL_PEOPLE = 40
SECONDS = (1.0, 5.0, 30.0)


def show_tree_portfolio(scenario: Scenario) -> None:
    """The run while it works, else its results and the way to a new one."""
    case = case_when_ready(scenario)
    if case is None:
        return
    st.header(f"Everyone declined · {plain(case.dataset.title)} · boosted trees")
    run = background.run_of(_RUN)
    if show_run(run):
        return
    chosen = choose_people(scenario, USUAL_PEOPLE)
    if chosen is None:
        return
    work = st.segmented_control(
        "Longest search for each person",
        SECONDS,
        default=SECONDS[1],
        required=True,
        format_func=lambda seconds: f"{seconds:g} s",
        key="tree portfolio seconds",
        help="In seconds of the solver’s own count, the same on every machine. Who is not finished "
        "by then keeps the best plan found, which is not proved.",
    )
    asked = (chosen, work)
    rows = tuple(int(row) for row in case.bundle.declined[: chosen.count])

    def compute(progress: Progress, cancel: Cancel) -> pd.DataFrame:
        return tree_portfolio(case, rows, Effort(work), None, progress, cancel)

    st.button(
        f"Plan for {len(rows):,} people",
        icon=":material/play_arrow:",
        type="primary",
        on_click=people.begin,
        args=(_RUN, scenario, asked, compute),
    )
    frame = people.result_about(_RUN, asked)
    if frame is None or frame.empty:
        return
    if not frame.attrs["complete"]:
        st.info(f"Stopped after {len(frame):,} people.", icon=":material/info:")
    _report(case, frame)


def _report(case: TreeCase, frame: pd.DataFrame) -> None:
    found = tree_verdict(frame, USELESS)
    st.markdown(f"#### {_headline(found)}")
    if found.plans:
        _strip(case, found)
        show_record(case.scenario)
    st.dataframe(
        _table(frame),
        hide_index=True,
        placeholder="",
        column_config={"Plan": st.column_config.TextColumn(width=420)},
        alt="Every person: plan, effort, proof, and how many models decline it",
    )
    st.page_link(file_of("recourse"), label="One person on the workbench", icon=":material/route:")
    name = f"portfolio-{case.scenario.dataset}-trees.csv"
    offer_file("Data (CSV)", safe_csv(frame.drop(columns="x")), name, ":material/table:")


def _headline(found: TreeVerdict) -> str:
    who = f"Of {found.asked:,} declined people"
    if not found.plans:
        return f"{who} nobody has a plan; this is proved for {found.proved:,} of them."
    return (
        f"{who} {found.plans:,} have a plan; half of them need an effort of at most "
        f"{wording.amount(found.effort)}. The answers to {found.proved:,} are proved."
    )


def _strip(case: TreeCase, found: TreeVerdict) -> None:
    simulated = case.bundle.future.simulated
    show_cards(
        (
            ":material/science: FRESH RE-TRAININGS",
            f"{100 * found.fresh:.0f} of 100 decline",
            "on average over the plans, which were not made for them",
        ),
        (
            ":material/functions: AN ASSUMPTION",
            f"At most {in_100(found.promised)} of 100 decline"
            if is_useful(found.promised)
            else NO_PROMISE,
            f"of the models of one next sample of people, at most {in_100(found.promised)} of 100 "
            f"on average over the plans; {found.useful} of {found.plans} plans come with a useful "
            "promise (at most 50)",
        ),
        (
            ":material/casino: SIMULATED" if simulated else ":material/visibility: OBSERVED",
            f"{100 * found.observed:.0f} of 100 declined",
            f"{found.broken} of {found.plans} plans were declined more often than that. "
            + plain(case.bundle.future.source).rstrip("."),
        ),
    )


def _table(frame: pd.DataFrame) -> pd.DataFrame:
    def counted(some: str, total: str) -> list[str]:
        return [f"{a} of {b}" if b else "" for a, b in zip(frame[some], frame[total], strict=True)]

    return pd.DataFrame(
        {
            "Row": frame["row"],
            "Plan": frame["sentence"],
            "Effort": frame["cost"].round(3),
            "Proved": ["✓ yes" if proved else "✗ no" for proved in frame["proved"]],
            "Planned on: accept": [
                said if found else ""
                for said, found in zip(
                    counted("accepted", "retrainings"), frame["found"], strict=True
                )
            ],
            "Fresh: decline": counted("fresh_declined", "fresh"),
            "At most, of 100": [
                "" if pd.isna(share) else str(in_100(share)) for share in frame["promised"]
            ],
            "Later: declined": counted("declined", "models"),
        }
    )
