"""Every method's plan for one applicant: a table, a picture, and one plan in detail."""

import numpy as np
import pandas as pd
import streamlit as st

from dirrac_core.data.safe_csv import safe_csv
from dirrac_core.errors import DirracError
from dirrac_core.evaluation.case_methods import AVERAGE
from dirrac_core.figures.method_changes import (
    MOST_FEATURES,
    MethodPlan,
    features_by_use,
    method_changes,
)
from dirrac_core.figures.wording import joined
from dirrac_core.scenario import Case
from pages.shared import methods_computing as cached
from pages.shared import notices
from pages.shared.methods_view import View
from pages.shared.methods_words import (
    broken_words,
    cautions,
    explanations,
    headline,
    kind_of_models,
)
from pages.shared.pictures import picture, theme
from pages.shared.plain_text import plain, plain_table
from pages.shared.recourse_plan import before_after

# A hundred plans each; the table is there before them.
SLOW = (AVERAGE,)
_CHOSEN = "methods_plan"


def applicant_methods(case: Case, view: View) -> None:
    """Compute method after method, the slow ones last, then say and draw what came out."""
    if not view.names:
        st.info("Choose at least one family of methods.", icon=":material/info:")
        return
    title = st.empty()
    place = st.empty()
    busy = st.empty()
    rows, problems = _rows(case, view, place, busy)
    title.markdown(f"#### {headline(case, rows)}")
    _show_table(place, case, rows, view)
    for sentence in cautions(case, view.names):
        st.caption(sentence)
    for problem in problems:
        st.warning(problem, icon=":material/warning:")
    _picture(case, rows)
    _one_plan(case, rows)
    with st.expander("What each method does", icon=":material/menu_book:"):
        st.markdown("\n".join(f"- {line}" for line in explanations(case, view.names)))
    _download(case, rows)


def _rows(case: Case, view: View, place, busy) -> tuple[pd.DataFrame, list[str]]:
    """The rows of the methods, in the order of the view; what failed is told in words."""
    frames: dict[str, pd.DataFrame] = {}
    problems = []
    slow = [name for name in view.names if name in SLOW]
    for name in (*(name for name in view.names if name not in slow), *slow):
        if not cached.is_ready(case.scenario, name):
            if name in slow and frames:
                _show_table(place, case, _ordered(frames, view), view)
            busy.progress(len(frames) / len(view.names), f"Solving: {name}")
        try:
            frames[name] = cached.row(case.scenario, name)
        except DirracError as problem:
            problems.append(f"{name} could not be computed: {plain(problem)}.")
    busy.empty()
    return _ordered(frames, view), problems


def _ordered(frames: dict[str, pd.DataFrame], view: View) -> pd.DataFrame:
    listed = [frames[name] for name in view.names if name in frames]
    return pd.concat(listed, ignore_index=True)


def _show_table(place, case: Case, rows: pd.DataFrame, view: View) -> None:
    missing = [name for name in view.names if name not in set(rows["method"])]
    shown = numbers(case, rows)
    if missing:
        waiting = pd.DataFrame({"Method": missing, "Plan": ["being computed"] * len(missing)})
        shown = pd.concat([shown, waiting], ignore_index=True)
    place.dataframe(
        shown,
        hide_index=True,
        height="content",
        placeholder="",
        column_config=_columns(case),
        alt="Every method: effort, features changed, accepted today and later, worst case, rules, "
        "time and the plan in words",
    )


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
            "Later": rows["m2"] * models,
            "95 % interval": [
                "" if np.isnan(low) else f"{100 * low:.0f}–{100 * high:.0f}"
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


def _columns(case: Case) -> dict[str, object]:
    number = st.column_config.NumberColumn
    text = st.column_config.TextColumn
    gaussian = case.scenario.link == "gaussian"
    return {
        "Method": text(pinned=True),
        "Effort ℓ1": number("ℓ1", format="%.2f", help="Effort: the sum of the changes."),
        "Effort ℓ2": number("ℓ2", format="%.2f", help="Effort: the length of the change."),
        "Features": number(format="%d", help="Sparsity: how many features change."),
        "Today": text(help="M1: whether today's model accepts the plan."),
        "Later": number(
            f"Later, of {len(case.bundle.future)}",
            format="%d",
            help=f"M2: how many {kind_of_models(case)} models accept the plan. No promise.",
        ),
        "95 % interval": text(help="Of M2 in 100, by Wilson."),
        "Worst case": number(
            "If Gaussian ≤, of 100" if gaussian else "Worst case ≤, of 100",
            format="%.2f",
            help=f"{'Assumption' if gaussian else 'Guarantee'}: how many in 100 future models "
            "decline the plan at most, under the futures set on the left.",
        ),
        "Rules": text(width="medium", help="Every rule of what may change, checked from scratch."),
        "Time": number("ms", format="%.0f", help="Milliseconds to compute this plan."),
        "Plan": text(width="large", help="In real units."),
    }


def _picture(case: Case, rows: pd.DataFrame) -> None:
    plans = [MethodPlan(row.method, row.x, bool(row.m1)) for row in rows.itertuples(index=False)]
    st.markdown("##### What each one changes")
    picture(method_changes(case.dataset.schema, case.x0, plans, theme()), "method changes")
    rest = features_by_use(case.dataset.schema, case.x0, plans)[MOST_FEATURES:]
    if rest:
        names = joined([plain(feature.name) for feature in rest])
        st.caption(f"Fewer methods also change {names}; see the plans.")


def _one_plan(case: Case, rows: pd.DataFrame) -> None:
    names = rows["method"].tolist()
    notices.about_choices({_CHOSEN: names})
    name = st.selectbox(
        "One plan in detail",
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
    st.table(plain_table(before_after(case, row["x"])))
    st.caption(plain(row["message"]))


def _download(case: Case, rows: pd.DataFrame) -> None:
    scenario = case.scenario
    st.download_button(
        "Data (CSV)",
        safe_csv(numbers(case, rows)),
        f"methods-{scenario.dataset}-{scenario.applicant}.csv",
        "text/csv",
        icon=":material/table:",
        on_click="ignore",
    )
