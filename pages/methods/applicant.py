"""Every method's plan for one applicant: a table, a picture, and one plan in detail."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
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
from dirrac_core.studies.case_methods import AVERAGE, one_row_per_plan
from dirrac_core.trees.method import EXACT_TREES
from dirrac_core.wording import joined
from pages.methods.computing import (
    begin_long,
    is_ready,
    long_method_rows,
    method_rows,
    relevant_settings,
)
from pages.methods.view import View
from pages.methods.words import broken_words, cautions, explanations, headline, one_plan_words
from pages.runs import background
from pages.runs.panel import show_run
from pages.shared import notices, wording
from pages.shared.address.linked_controls import show_tabs
from pages.shared.pictures import draw_picture, theme
from pages.shared.plain_text import plain, plain_table
from pages.shared.plan_tables import before_after

# A hundred plans, or re-trainings first: not in the server's own process, where everybody would
# wait.
LONG = (AVERAGE, EXACT_TREES)
_CHOSEN = "methods_plan"
# What fits on a screen; the rest is in the file.
_SHOWN = ("Features", "Today", "Later", "Worst case", "Rules", "Plan")
# Pixels: above 4rem Streamlit wraps words; a plan would run out of the window. What a line of each
# column holds, in letters, says how high a row must be for its longest text.
_WRAPPED, _LINE, _MOST_LINES = 66, 21, 6
_LETTERS = {"Rules": 23, "Plan": 46}
# Seconds of solving after which a bar says what is being solved.
PATIENCE = 0.5


def show_applicant(case: Case, view: View) -> None:
    """The quick methods at once, the long ones beside the page; then say and draw what came out."""
    if not view.names:
        st.info("Choose at least one family of methods.", icon=":material/info:")
        return
    title, busy = st.empty(), st.empty()
    frames, problems, missing = _found(case, view, busy)
    if not frames:
        title.markdown("### The plans are being computed.")
        _wait_for(case, missing)
        return
    listed = [frames[name] for name in view.names if name in frames]
    rows = one_row_per_plan(pd.concat(listed, ignore_index=True), case)
    at_work = f" {joined(missing)} is still at work." if missing else ""
    title.markdown(f"### {headline(case, rows)}{at_work}")
    _points(case, rows)
    _show_table(case, rows, missing)
    _wait_for(case, missing)
    for sentence in (*one_plan_words(rows), *cautions(case, view.names)):
        st.caption(sentence)
    for problem in problems:
        st.warning(problem, icon=":material/warning:")
    parts: dict[str, Callable[[Scenario], None]] = {
        "One plan in detail": lambda _: _one_plan(case, rows),
        "What each one changes": lambda _: _picture(case, rows),
        "What each method does": lambda _: _explain(case, view),
    }
    show_tabs("methods_tab", parts, case.scenario)
    _download(case, rows)


def _found(
    case: Case, view: View, busy: DeltaGenerator
) -> tuple[dict[str, pd.DataFrame], list[str], list[str]]:
    """The rows by method, a sentence for each method that failed, and those still at work."""
    frames: dict[str, pd.DataFrame] = {}
    problems, missing = [], []
    begin = time.perf_counter()
    for name in view.names:
        if name in LONG:
            rows = long_method_rows(case.scenario, name)
            if rows is None:
                missing.append(name)
            else:
                frames[name] = rows
            continue
        # Most are solved before a bar could be read, and drawing it would take as long again.
        late = time.perf_counter() - begin > PATIENCE
        if late and not is_ready(case.scenario, name):
            busy.progress(len(frames) / len(view.names), f"Solving: {name}")
        try:
            frames[name] = method_rows(case.scenario, name)
        except DirracError as problem:
            problems.append(f"{name} could not be computed: {plain(problem)}.")
    busy.empty()
    return frames, problems, missing


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


def _show_table(case: Case, rows: pd.DataFrame, missing: list[str]) -> None:
    shown = numbers(case, rows)
    if missing:
        waiting = pd.DataFrame({"Method": missing, "Plan": ["being computed"] * len(missing)})
        shown = pd.concat([shown, waiting], ignore_index=True)
    st.dataframe(
        shown,
        hide_index=True,
        height="content",
        row_height=_row_height(shown),
        placeholder="",
        column_order=[*("Method", f"Effort ℓ{case.scenario.cost[1]}"), *_SHOWN],
        column_config=_columns(case),
        alt="Every method: effort, features changed, accepted today, declined later, worst case, "
        "rules and the plan",
    )


def _row_height(shown: pd.DataFrame) -> int:
    """One height for all rows, in which the longest text is not cut."""
    lines = max(
        -(-len(str(text)) // letters) for name, letters in _LETTERS.items() for text in shown[name]
    )
    return max(_WRAPPED, _LINE * min(lines, _MOST_LINES) + 4)


def numbers(case: Case, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows as the table shows them."""
    schema = case.dataset.schema
    models = rows["models"]
    return pd.DataFrame(
        {
            "Method": rows["method"],
            "Effort ℓ1": rows["cost_l1"],
            "Effort ℓ2": rows["cost_l2"],
            "Features": rows["features_changed"],
            "Today": np.where(rows["m1"].astype(bool), "✓ yes", "✗ no"),
            "Later": (1.0 - rows["m2"]) * models,
            "95 % interval": [
                "" if np.isnan(low) else f"{100 * (1 - high):.0f}–{100 * (1 - low):.0f}"
                for low, high in zip(rows["m2_low"], rows["m2_high"], strict=True)
            ],
            "Worst case": 100.0 * np.ceil(rows["worst_case"] * 1e4 - 1e-7) / 1e4,
            "Rules": [
                broken_words(broken) if found else ""
                for broken, found in zip(rows["broken"], rows["found"], strict=True)
            ],
            "Time": 1000.0 * rows["seconds"],
            "Plan": [
                message if x is None else schema.sentence(case.x0, x)
                for x, message in zip(rows["x"], rows["message"], strict=True)
            ],
        }
    )


def _columns(case: Case) -> dict[str, Any]:
    number = st.column_config.NumberColumn
    text = st.column_config.TextColumn
    gaussian = case.scenario.link == "gaussian"
    kind = wording.kind_of_models(case.bundle.future)
    return {
        "Method": text(pinned=True, width=165),
        "Effort ℓ1": number("Effort", format="%.2f", help="ℓ1: the sum of the changes."),
        "Effort ℓ2": number("Effort", format="%.2f", help="ℓ2: the length of the change."),
        "Features": number(format="%d", help="Sparsity: how many features change."),
        "Today": text(help="M1: whether today's model accepts the plan."),
        "Later": number(
            f"Decline later, of {len(case.bundle.future)}",
            format="%d",
            help=f"How many {kind} models decline the plan. No promise. The others are M2.",
        ),
        "95 % interval": text(help="Of those that decline later, in 100, by Wilson."),
        "Worst case": number(
            "If Gaussian ≤" if gaussian else "Worst case ≤",
            format="%.2f",
            help="How many in 100 future models decline the plan at most, under the futures set on "
            f"the left{' and if they scatter like a bell curve' if gaussian else ''}.",
        ),
        "Rules": text(width=150, help="Every rule of what may change, checked from scratch."),
        "Time": number("ms", format="%.0f", help="Milliseconds to compute this plan."),
        "Plan": text(width=300, help="In real units."),
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
    st.markdown(plain(case.dataset.schema.sentence(case.x0, row["x"])))
    if row["broken"]:
        st.warning(
            "This plan is shown as the method made it. Broken: "
            f"{broken_words(row['broken']).removeprefix('✗ broken: ')}.",
            icon=":material/rule:",
        )
    st.table(plain_table(before_after(case.dataset, case.x0, row["x"])))
    st.caption(plain(row["message"]))


def _explain(case: Case, view: View) -> None:
    st.markdown("\n".join(f"- {line}" for line in explanations(case, view.names)))


def _download(case: Case, rows: pd.DataFrame) -> None:
    scenario = case.scenario
    st.download_button(
        "Data (CSV)",
        # Written when it is downloaded, not at every change of a setting.
        lambda: safe_csv(numbers(case, rows)),
        f"methods-{scenario.dataset}-{scenario.applicant}.csv",
        "text/csv",
        icon=":material/table:",
        on_click="ignore",
    )
