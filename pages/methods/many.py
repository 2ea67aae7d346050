"""Every method for many declined people: computed in the background, averaged as in the paper."""

from dataclasses import dataclass, replace
from functools import partial

import pandas as pd
import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.safe_csv import safe_csv
from dirrac_core.figures.methods.points import method_points
from dirrac_core.progress import Cancel, Progress
from dirrac_core.studies import Judge, Measures, measure_all
from dirrac_core.studies.case_methods import (
    case_applicants,
    dataset_method,
    dataset_rows,
    one_row_per_plan,
)
from pages.methods.browser import Column, show_sortable
from pages.methods.computing import relevant_settings
from pages.methods.view import View
from pages.methods.words import broken_words, cautions, one_plan_words, winners
from pages.runs import background
from pages.runs.panel import show_run
from pages.runs.people import begin, how_many
from pages.shared import computing, wording
from pages.shared.pictures import draw_picture, theme

_RUN = "methods"
USUAL = 10

Measured = dict[str, list[Measures]]


@dataclass(frozen=True)
class Asked:
    """Every setting but the applicant, the methods, and how many of the first declined people."""

    scenario: Scenario
    names: tuple[str, ...]
    count: int


def show_many(case: Case, view: View) -> None:
    """How many, the button, the progress, and the averages of what is finished."""
    if not view.names:
        st.info("Choose at least one family of methods.", icon=":material/info:")
        return
    scenario = case.scenario
    rows = computing.declined_rows(scenario)
    asked = Asked(
        replace(scenario, applicant=0), view.names, how_many("methods_first", len(rows), USUAL)
    )
    run = background.run_of(_RUN)
    if run is not None and run.active and run.about != asked:
        st.info(
            "The settings have changed since this was started. Stop it to start again.",
            icon=":material/info:",
        )
    if show_run(run):
        return
    done = background.kept_result(_RUN, asked) or ({} if run is None else _done(run, asked))
    finished = min((len(done.get(name, ())) for name in asked.names), default=0)
    if finished < asked.count:
        _offer(case, asked, rows[: asked.count], done, finished)
    if finished:
        _averages(case, asked, {name: done[name][:finished] for name in asked.names})


def _done(run: background.Run, asked: Asked) -> Measured:
    """What the last run measured of what is asked now: methods whose settings are the same."""
    before: Asked = run.about
    measured: Measured = run.result or {}
    return {
        name: measures[: asked.count]
        for name, measures in measured.items()
        if relevant_settings(before.scenario, name) == relevant_settings(asked.scenario, name)
    }


def _offer(
    case: Case, asked: Asked, people: tuple[int, ...], done: Measured, finished: int
) -> None:
    """The button that computes what is missing."""
    missing = [name for name in asked.names if len(done.get(name, ())) < asked.count]
    st.button(
        f"Compare for {asked.count} applicants" if not finished else "Go on",
        icon=":material/play_arrow:",
        type="primary",
        on_click=begin,
        args=(_RUN, case.scenario, asked, partial(_work, case, people, done, missing)),
    )
    kept = len(asked.names) - len(missing)
    if finished:
        st.caption(f"{finished} of {asked.count} applicants are finished; the means are over them.")
    elif kept:
        st.caption(
            f"The settings have changed: {len(missing)} methods are computed again, {kept} do not "
            "depend on what changed and are kept."
        )
    else:
        st.caption(
            "Every method plans for every applicant. ROAR-Avg takes a second or two each; "
            "leave the ROAR variants out for a quick answer."
        )


def _work(
    case: Case,
    people: tuple[int, ...],
    done: Measured,
    missing: list[str],
    progress: Progress,
    cancel: Cancel,
) -> Measured:
    """What is done and what was missing; applicants that have every method are not repeated."""
    first = min((len(done.get(name, ())) for name in missing), default=0)
    applicants = case_applicants(case, people[first:])
    methods = [dataset_method(case, name) for name in missing]
    judge = Judge.of(case.bundle)
    found = measure_all(applicants, methods, judge, None, progress, cancel).results
    new = {
        name: [*done.get(name, [])[:first], *(measures[i] for measures in found)]
        for i, name in enumerate(missing)
    }
    return {**done, **new}


def _averages(case: Case, asked: Asked, measured: Measured) -> None:
    rows = one_row_per_plan(dataset_rows(case, dict(measured)), case)
    n = int(rows["n"].max())
    network = case.surrogate is not None
    people = "1 applicant" if n == 1 else f"{n} applicants"
    paper = "Table 2" if network else "Table 1"
    st.markdown(f"### Over {people}. {winners(case, rows)}")
    draw_picture(
        method_points(
            rows,
            f"cost_{case.scenario.cost}",
            f"mean effort (ℓ{case.scenario.cost[1]})",
            f"{wording.kind_of_models(case.bundle.future)} models that decline, of 100",
            theme(),
        ),
        "method points",
    )
    show_sortable(
        averages(rows),
        _columns(case),
        "Every method: effort, plans found, accepted today, declined later, worst case and rules",
        "methods table",
    )
    st.caption(
        f"{paper} of the paper, live, for these people and settings. Means are over the plans "
        "found; ± is the standard deviation, over models for “Decline later” and over "
        "applicants for the rest."
    )
    for sentence in (*one_plan_words(rows), *cautions(case, asked.names)):
        st.caption(sentence)
    st.download_button(
        "Data (CSV)",
        safe_csv(rows.assign(variants=rows["variants"].str.join("; "))),
        f"methods-{case.scenario.dataset}-{n}-applicants.csv",
        "text/csv",
        icon=":material/table:",
        on_click="ignore",
    )


def averages(rows: pd.DataFrame) -> pd.DataFrame:
    """The averages as the table shows them."""

    def spread(name: str, deviation: str) -> list[str]:
        pairs = zip(rows[name], rows[deviation], strict=True)
        return ["" if pd.isna(mean) else f"{mean:.2f} ± {around:.2f}" for mean, around in pairs]

    return pd.DataFrame(
        {
            "Method": rows["method"],
            "Asked": rows["n"],
            "Plans": rows["plans"],
            "Today": 100.0 * rows["m1"],
            "Later": [
                "" if pd.isna(mean) else f"{100 * (1 - mean):.0f} ± {100 * around:.0f}"
                for mean, around in zip(rows["m2"], rows["m2_spread_models"], strict=True)
            ],
            "Effort ℓ1": spread("cost_l1", "cost_l1_spread"),
            "Effort ℓ2": spread("cost_l2", "cost_l2_spread"),
            "Features": rows["features_changed"],
            "Worst case": 100.0 * rows["worst_case"],
            "Rules": [broken_words(broken) for broken in rows["broken"]],
        }
    )


def _columns(case: Case) -> dict[str, Column]:
    """What fits on a screen; the rest is in the file."""
    gaussian = case.scenario.link == "gaussian"
    kind = wording.kind_of_models(case.bundle.future)
    norm = case.scenario.cost[1]
    measured = {"1": "the sum of the changes", "2": "the length of the change"}[norm]
    none = " A network has one surrogate per person, so there is no common one."
    return {
        "Method": Column("Method"),
        f"Effort ℓ{norm}": Column("Effort", f"ℓ{norm}: {measured}; ± over applicants."),
        "Asked": Column("Asked", "Applicants asked (n)."),
        "Plans": Column("Plans", "Applicants who got a plan."),
        "Today": Column("Today", "M1: how many in 100 plans today's model accepts."),
        "Later": Column(
            "Decline later, of 100",
            f"Of 100 {kind} models; ± over the models. The others are the paper's M2.",
        ),
        "Features": Column("Features", "Sparsity: how many features change on average.", digits=1),
        "Worst case": Column(
            "If Gaussian ≤" if gaussian else "Worst case ≤",
            "How many in 100 future models decline a plan at most, on average over the plans"
            f"{', if they scatter like a bell curve' if gaussian else ''}."
            + (none if case.surrogate is not None else ""),
            digits=1,
        ),
        "Rules": Column("Rules broken", "With the number of plans."),
    }
