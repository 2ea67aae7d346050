"""Every method for many declined people: computed beside the page, averaged as in the paper."""

from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from dirrac_core.data.safe_csv import safe_csv
from dirrac_core.evaluation import Judge, Measures, measure_all
from dirrac_core.evaluation.case_methods import case_applicants, dataset_method, dataset_rows
from dirrac_core.scenario import Case, Scenario
from pages.shared import background, computing, notices
from pages.shared.methods_computing import asked_for
from pages.shared.methods_view import View
from pages.shared.methods_words import broken_words, cautions, kind_of_models

_RUN = "methods"
USUAL = 10

Measured = dict[str, list[Measures]]


@dataclass(frozen=True)
class Asked:
    """Every setting but the applicant, the methods, and how many of the first declined people."""

    scenario: Scenario
    names: tuple[str, ...]
    count: int


def many_methods(case: Case, view: View) -> None:
    """How many, the button, the progress, and the averages of what is finished."""
    if not view.names:
        st.info("Choose at least one family of methods.", icon=":material/info:")
        return
    scenario = case.scenario
    rows = computing.declined_rows(scenario.dataset, scenario.model, scenario.seed)
    asked = Asked(replace(scenario, applicant=0), view.names, _how_many(len(rows)))
    run = background.run_of(_RUN)
    if run is not None and run.active:
        if run.about != asked:
            st.info(
                "The settings have changed since this was started. Stop it to start anew.",
                icon=":material/info:",
            )
        background.watch(run)
        return
    if run is not None:
        background.failure(run)
    done = _done(run, asked) if run is not None else {}
    finished = min((len(done.get(name, ())) for name in asked.names), default=0)
    if finished < asked.count:
        _offer(case, asked, rows[: asked.count], done, finished)
    if finished:
        _averages(case, asked, {name: done[name][:finished] for name in asked.names})


def _how_many(most: int) -> int:
    notices.about_numbers(("methods_first",))
    return st.number_input(
        "Declined applicants, the first ones of the dataset",
        1,
        most,
        value=min(USUAL, most),
        step=10,
        key="methods_first",
        bind="query-params",
        width=320,
        help=f"This dataset has {most} declined applicants.",
    )


def _done(run: background.Run, asked: Asked) -> Measured:
    """What the last run measured of what is asked now: methods whose settings are the same."""
    before: Asked = run.about
    measured: Measured = run.result or {}
    return {
        name: measures[: asked.count]
        for name, measures in measured.items()
        if asked_for(before.scenario, name) == asked_for(asked.scenario, name)
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
        on_click=_begin,
        args=(case, asked, people, done, missing),
    )
    kept = len(asked.names) - len(missing)
    if finished:
        st.caption(f"{finished} of {asked.count} applicants are finished; the means are over them.")
    elif kept:
        st.caption(
            f"The settings have changed: {len(missing)} methods are computed anew, {kept} do not "
            "depend on what changed and are kept."
        )
    else:
        st.caption(
            "Every method is asked for every applicant. ROAR-Avg takes a second or two each; "
            "leave the ROAR variants out for a quick answer."
        )


def _begin(
    case: Case, asked: Asked, people: tuple[int, ...], done: Measured, missing: list[str]
) -> None:
    """Start the run; for a callback. Applicants that have every method already are not repeated."""
    first = min((len(done.get(name, ())) for name in missing), default=0)
    applicants = case_applicants(case, people[first:])
    methods = [dataset_method(case, name) for name in missing]
    judge = Judge.of(case.bundle)

    def work(progress, cancel) -> Measured:
        def told(part: float, words: str) -> None:
            progress(part, f"Applicants: {words}")

        found = measure_all(applicants, methods, judge, None, told, cancel).results
        new = {
            name: [*done.get(name, [])[:first], *(measures[i] for measures in found)]
            for i, name in enumerate(missing)
        }
        return {**done, **new}

    background.start(_RUN, asked, work)


def _averages(case: Case, asked: Asked, measured: Measured) -> None:
    rows = dataset_rows(case, measured)
    n = int(rows["n"].max())
    network = case.surrogate is not None
    people = "1 applicant" if n == 1 else f"{n} applicants"
    best = rows.loc[rows["m2"].idxmax()] if rows["m2"].notna().any() else None
    paper = "Table 2" if network else "Table 1"
    if best is not None:
        st.markdown(
            f"#### Over {people}, {best['method']} is accepted most often later: "
            f"{100 * best['m2']:.0f} in 100, at a mean effort of {best['cost_l1']:.2f}."
        )
    shown = averages(rows)
    st.dataframe(
        shown,
        hide_index=True,
        height="content",
        placeholder="",
        column_config=_columns(case),
        alt="Every method: plans found, accepted today and later, effort, rules kept and time",
    )
    st.caption(
        f"{paper} of the paper, live, for these people and settings. Means are over the plans "
        "found; ± is the standard deviation, over models for M2 and over applicants for the rest."
    )
    for sentence in cautions(case, asked.names):
        st.caption(sentence)
    st.download_button(
        "Data (CSV)",
        safe_csv(rows),
        f"methods-{case.scenario.dataset}-{n}-applicants.csv",
        "text/csv",
        icon=":material/table:",
        on_click="ignore",
    )


def averages(rows: pd.DataFrame) -> pd.DataFrame:
    """The averages as the table shows them."""

    def spread(name: str, deviation: str, scale: float, digits: int) -> list[str]:
        pairs = zip(rows[name], rows[deviation], strict=True)
        return [
            "" if pd.isna(mean) else f"{scale * mean:.{digits}f} ± {scale * around:.{digits}f}"
            for mean, around in pairs
        ]

    return pd.DataFrame(
        {
            "Method": rows["method"],
            "Asked": rows["n"],
            "Plans": rows["plans"],
            "Today": 100.0 * rows["m1"],
            "Later": spread("m2", "m2_spread_models", 100.0, 0),
            "95 % interval": [
                "" if pd.isna(low) else f"{100 * low:.0f} to {100 * high:.0f}"
                for low, high in zip(
                    rows["m2_low_applicants"], rows["m2_high_applicants"], strict=True
                )
            ],
            "Effort ℓ1": spread("cost_l1", "cost_l1_spread", 1.0, 2),
            "Effort ℓ2": spread("cost_l2", "cost_l2_spread", 1.0, 2),
            "Features": rows["features_changed"],
            "Worst case": 100.0 * rows["worst_case"],
            "Keep every rule": 100.0 * rows["keeps_rules"],
            "Rules": [broken_words(broken) for broken in rows["broken"]],
            "Time": 1000.0 * rows["seconds"],
        }
    )


def _columns(case: Case) -> dict[str, object]:
    number, words = st.column_config.NumberColumn, st.column_config.TextColumn
    gaussian = case.scenario.link == "gaussian"
    none = " A network has a surrogate a person, so there is no common one."
    return {
        "Method": words(pinned=True),
        "Asked": number(help="Applicants asked (n)."),
        "Plans": number(help="Applicants who got a plan."),
        "Today": number(format="%.0f", help="M1: how many in 100 plans today's model accepts."),
        "Later": words(help=f"M2: in 100 {kind_of_models(case)} models; ± over the models."),
        "95 % interval": words(help="Of M2, over applicants (t interval)."),
        "Effort ℓ1": words("ℓ1", help="Effort: the sum of the changes; ± over applicants."),
        "Effort ℓ2": words("ℓ2", help="Effort: the length of the change; ± over applicants."),
        "Features": number(format="%.1f", help="Sparsity: how many features change on average."),
        "Worst case": number(
            "If Gaussian ≤, of 100" if gaussian else "Worst case ≤, of 100",
            format="%.1f",
            help=f"{'Assumption' if gaussian else 'Guarantee'}: how many in 100 future models "
            "decline a plan at most, on average over the plans."
            + (none if case.surrogate is not None else ""),
        ),
        "Keep every rule": number("Rules kept", format="%.0f", help="In 100 plans."),
        "Rules": words("Rules broken", width="medium", help="With the number of plans."),
        "Time": number("ms", format="%.0f", help="Milliseconds a plan, on average."),
    }
