"""The applicant of the workbench: who it is, today's decision and why."""

from html import escape

import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.models.reasons import Reason
from pages.shared import computing, wording
from pages.shared.plain_text import plain
from pages.sidebar.title_row import show_title


def show_applicant(case: Case) -> None:
    """One line on the applicant and the decision, the reasons, and the way to others."""
    scenario = case.scenario
    probability = float(case.bundle.current.probability(case.x0[None, :-1])[0])
    accepted = case.accepted_today(case.x0)
    verdict = "accepted" if accepted else "declined"
    show_title(
        scenario,
        f"{wording.applicant_name(scenario.applicant)} · {verdict} today, "
        f"{100 * probability:.0f} in 100 ({100 * case.bundle.needed:.0f} needed)",
        f"What today's model ({_model_words(case)}) says of “{plain(case.dataset.favourable)}”.",
    )
    if accepted:
        st.info(
            "Nothing has to change today. The plan below is about staying accepted when the model "
            "is trained again.",
            icon=":material/info:",
        )
    else:
        st.html(reasons_html(case, computing.reasons(scenario)))
    if case.surrogate is not None:
        _approximation(case)


def reasons_html(case: Case, reasons: tuple[Reason, ...]) -> str:
    """The main reasons side by side: a bar each, in real units, against what is typical."""
    if not reasons:
        return ""
    strongest = max(abs(reason.contribution) for reason in reasons)
    schema = case.dataset.schema
    cells = []
    for reason in reasons:
        feature = schema.feature(reason.feature)
        share = 100.0 * abs(reason.contribution) / strongest
        value, typical = feature.format_value(reason.value), feature.format_value(reason.typical)
        cells.append(
            f"<div title='{escape(reason.sentence, quote=True)}'><b>{escape(feature.name)}</b> "
            f"{escape(value)} <small>typical {escape(typical)}</small>"
            f"<i style='width:{share:.0f}%'></i></div>"
        )
    return f"<div class='reasons' aria-label='Main reasons'>{''.join(cells)}</div>"


def _approximation(case: Case) -> None:
    at_plan = case.linearised
    where = "this applicant" if at_plan is None else "the plan"
    used = case.surrogate if at_plan is None else at_plan.surrogate
    assert used is not None
    st.caption(
        f"The plan rests on a linear approximation of the network near {where}; it "
        f"agrees with the network on {100 * used.fidelity:.0f} of 100 people nearby. "
        "Every acceptance below is judged by the network itself."
        + ("" if at_plan is None or at_plan.plan is None else f" {at_plan.sentence}")
    )


def _model_words(case: Case) -> str:
    carried = case.bundle.carried
    if carried is None:
        return wording.MODELS[case.scenario.model]
    approximate = "" if carried.recipe.reproduced else ", whose later models are an approximation"
    return f"the linear model you gave{approximate}"
