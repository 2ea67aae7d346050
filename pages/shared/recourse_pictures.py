"""The plan in pictures: components, 100 future models, and the model that would undo it."""

import streamlit as st

from dirrac_core.appraisal import Facts
from dirrac_core.arrays import Array
from dirrac_core.figures.adversary_bars import adversary_bars
from dirrac_core.figures.component_bars import component_bars
from dirrac_core.figures.model_icons import model_icons, pulls_down
from dirrac_core.figures.palette import component_name
from dirrac_core.models.reasons import typical_person
from dirrac_core.robustness import worst_case_model
from dirrac_core.scenario import Case
from pages.shared.pictures import picture, theme
from pages.shared.plain_text import plain


def components(case: Case, x: Array) -> None:
    """Per-component probabilities with the total and the worst weights."""
    problem = case.problem
    st.markdown("##### How it may fail")
    picture(
        component_bars(
            x,
            problem.mixture,
            problem.radii,
            problem.objective.weighting,
            _names(case),
            theme(),
        ),
        "component bars",
    )


def future_models(case: Case, x: Array, facts: Facts) -> None:
    """Every re-trained model as an icon, with what pulls its score down."""
    future, schema = case.bundle.future, case.dataset.schema
    st.markdown(f"##### {len(future)} future models, one by one")
    reasons = None
    if future.parameters is not None:
        typical = schema.encode(typical_person(case.dataset.present, schema))[0]
        reasons = pulls_down(future.parameters, x, typical, schema)
    picture(model_icons(facts.observed, reasons, theme()), "model icons")
    st.caption(future.source)
    if not future.simulated:
        st.caption(f"What changed: {plain(case.dataset.shift_description)}")


def adversary(case: Case, x: Array) -> None:
    """Which weights the most harmful future model moves."""
    problem = case.problem
    st.markdown("##### The model that would undo it")
    worst = int(problem.objective.probabilities(x).argmax())
    chosen = worst
    if problem.mixture.components > 1:
        options = list(range(problem.mixture.components))
        key = f"adversary {case.scenario.dataset} {len(options)}"
        chosen = st.selectbox(
            "Component",
            options,
            index=worst,
            key=key,
            format_func=lambda k: (
                component_name(k, _names(case)) + (" (the weakest)" if k == worst else "")
            ),
        )
    moved = worst_case_model(x, problem.mixture, problem.radii, chosen)
    columns = case.dataset.schema.columns
    picture(
        adversary_bars(problem.mixture.means[chosen], moved.mean, columns, theme()), "adversary"
    )
    st.caption(
        "Within the radius of doubt, this average model harms the plan most. Weights it lowers "
        "count less for the plan than today."
    )


def _names(case: Case) -> tuple[str, ...] | None:
    """The declared shifts name their components; estimated ones have numbers."""
    return None if case.declared is None else case.declared.labels
