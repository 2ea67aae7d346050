"""Every method's plan for one applicant: a table, a picture, and one plan in detail."""

import time
from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dirrac_core.case.case import Case
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.safe_csv import safe_csv
from dirrac_core.errors import DirracError
from dirrac_core.figures.methods.changes import (
    MOST_FEATURES,
    MethodPlan,
    features_by_use,
    method_changes,
)
from dirrac_core.figures.methods.points import method_points
from dirrac_core.studies.case_methods import AVERAGE
from dirrac_core.studies.measures import Measures
from dirrac_core.trees.method import EXACT_TREES
from dirrac_core.wording import joined
from pages.methods.browser import Column, show_sortable
from pages.methods.comparison import compare
from pages.methods.computing import (
    begin_long,
    compute,
    is_ready,
    long_method_plan,
    method_plan,
    relevant_settings,
)
from pages.methods.view import View
from pages.methods.words import broken_words, cautions, explanations, one_plan_words
from pages.runs import ahead, background
from pages.runs.panel import show_run
from pages.shared import notices, wording
from pages.shared.address.linked_controls import show_parts
from pages.shared.pictures import draw_picture, theme
from pages.shared.plain_text import plain
from pages.shared.plan_tables import before_after

# A hundred plans, or re-trainings first: not in the server's own process, where everybody would
# wait.
LONG = (AVERAGE, EXACT_TREES)
_CHOSEN = "methods_plan"
# Seconds of solving after which a bar says what is being solved.
PATIENCE = 0.5


def show_applicant(case: Case, view: View) -> None:
    """The quick methods at once, the long ones beside the page; then say and draw what came out."""
    if not view.names:
        st.info("Choose at least one family of methods.", icon=":material/info:")
        return
    title, busy = st.empty(), st.empty()
    plans, problems, missing = _found(case, view, busy)
    if not plans:
        title.markdown("### The plans are being computed.")
        _wait_for(case, missing)
        return
    found = compare(case.scenario, plans)
    rows = found.rows
    at_work = f" {joined(missing)} is still at work." if missing else ""
    title.markdown(f"### {found.headline}{at_work}")
    _points(case, rows)
    # What comes and goes ends a place of its own: the browser builds all again that it would move.
    with st.container():
        _show_table(case, found.table, missing)
        _wait_for(case, missing)
    with st.container():
        # One element: each costs the browser and the server a part of every reaction.
        st.caption("\n\n".join((*one_plan_words(rows), *cautions(case, view.names))))
        for problem in problems:
            st.warning(problem, icon=":material/warning:")
    parts: dict[str, Callable[[Scenario], None]] = {
        "One plan in detail": lambda _: _one_plan(case, rows),
        "What each one changes": lambda _: _picture(case, rows),
        "What each method does": lambda _: _explain(case, view),
    }
    show_parts("methods_tab", parts, case.scenario)
    _download(case, found.table)
    ahead.prepare(partial(compute, [name for name in view.names if name not in LONG]))


def _found(
    case: Case, view: View, busy: DeltaGenerator
) -> tuple[dict[str, Measures], list[str], list[str]]:
    """The plans by method, a sentence for each method that failed, and those still at work."""
    plans: dict[str, Measures] = {}
    problems, missing = [], []
    begin = time.perf_counter()
    for name in view.names:
        if name in LONG:
            plan = long_method_plan(case.scenario, name)
            if plan is None:
                missing.append(name)
            else:
                plans[name] = plan
            continue
        # Most are solved before a bar could be read, and drawing it would take as long again.
        late = time.perf_counter() - begin > PATIENCE
        if late and not is_ready(case.scenario, name):
            busy.progress(len(plans) / len(view.names), f"Solving: {name}")
        try:
            plans[name] = method_plan(case.scenario, name)
        except DirracError as problem:
            problems.append(f"{name} could not be computed: {plain(problem)}.")
    busy.empty()
    return plans, problems, missing


def _wait_for(case: Case, missing: list[str]) -> None:
    """How far the long methods are; a stopped one can be started again."""
    for name in missing:
        run = background.run_of(name)
        if run is not None and run.state == background.FINISHED:
            # It ended while this page was drawn.
            st.rerun()
        if not show_run(run):
            st.button(
                f"Compute {name}",
                icon=":material/play_arrow:",
                on_click=begin_long,
                args=(relevant_settings(case.scenario, name), name),
            )


def _points(case: Case, rows: pd.DataFrame) -> None:
    kind = wording.kind_of_models(case.bundle.future)
    figure = method_points(
        rows,
        f"cost_{case.scenario.cost}",
        f"effort (ℓ{case.scenario.cost[1]})",
        f"{kind} models that decline, of 100",
        theme(),
    )
    draw_picture(figure, "method points")


def _show_table(case: Case, shown: pd.DataFrame, missing: list[str]) -> None:
    if missing:
        waiting = pd.DataFrame({"Method": missing, "Plan": ["being computed"] * len(missing)})
        shown = pd.concat([shown, waiting], ignore_index=True)
    show_sortable(
        shown,
        _columns(case),
        "Every method: effort, features changed, accepted today, declined later, worst case, "
        "rules and the plan",
        "methods table",
    )


def _columns(case: Case) -> dict[str, Column]:
    """What fits on a screen; the rest is in the file."""
    gaussian = case.scenario.link == "gaussian"
    kind = wording.kind_of_models(case.bundle.future)
    norm = case.scenario.cost[1]
    measured = {"1": "the sum of the changes", "2": "the length of the change"}[norm]
    return {
        "Method": Column("Method"),
        f"Effort ℓ{norm}": Column("Effort", f"ℓ{norm}: {measured}.", digits=2),
        "Features": Column("Features", "Sparsity: how many features change."),
        "Today": Column("Today", "M1: whether today's model accepts the plan."),
        "Later": Column(
            f"Decline later, of {len(case.bundle.future)}",
            f"How many {kind} models decline the plan. No promise. The others are M2.",
        ),
        "Worst case": Column(
            "If Gaussian ≤" if gaussian else "Worst case ≤",
            "How many in 100 future models decline the plan at most, under the futures set on "
            f"the left{' and if they scatter like a bell curve' if gaussian else ''}.",
            digits=2,
        ),
        "Rules": Column("Rules", "Every rule of what may change, checked from scratch."),
        "Plan": Column("Plan", "In real units."),
    }


def _picture(case: Case, rows: pd.DataFrame) -> None:
    listed = zip(rows["method"], rows["x"], rows["m1"], strict=True)
    plans = [MethodPlan(name, x, bool(accepted)) for name, x, accepted in listed]
    draw_picture(method_changes(case.dataset.schema, case.x0, plans, theme()), "method changes")
    rest = features_by_use(case.dataset.schema, case.x0, plans)[MOST_FEATURES:]
    if rest:
        names = joined([plain(feature.name) for feature in rest])
        st.caption(f"Fewer methods also change {names}; see the plans.")


def _one_plan(case: Case, rows: pd.DataFrame) -> None:
    names = rows["method"].tolist()
    notices.report_choices({_CHOSEN: names})
    name = st.selectbox(
        "Whose plan",
        names,
        key=_CHOSEN,
        bind="query-params",
        width=420,
    )
    row = rows[rows["method"] == name].iloc[0]
    if row["x"] is None:
        st.write(plain(row["message"]))
        return
    with st.container():
        st.markdown(plain(case.dataset.schema.sentence(case.x0, row["x"])))
        if row["broken"]:
            st.warning(
                "This plan is shown as the method made it. Broken: "
                f"{broken_words(row['broken']).removeprefix('✗ broken: ')}.",
                icon=":material/rule:",
            )
    values = before_after(case.dataset, case.x0, row["x"]).reset_index()
    show_sortable(
        values,
        {title: Column(title) for title in map(str, values)},
        "Every feature now and in this plan",
        "methods plan table",
    )
    st.caption(plain(row["message"]))


def _explain(case: Case, view: View) -> None:
    st.markdown("\n".join(f"- {line}" for line in explanations(case, view.names)))


def _download(case: Case, table: pd.DataFrame) -> None:
    scenario = case.scenario
    st.download_button(
        "Data (CSV)",
        # Written when it is downloaded, not at every change of a setting.
        lambda: safe_csv(table),
        f"methods-{scenario.dataset}-{scenario.applicant}.csv",
        "text/csv",
        icon=":material/table:",
        on_click="ignore",
    )
