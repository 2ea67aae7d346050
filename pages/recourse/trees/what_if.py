"""Any values instead of the plan's: who accepts them."""

import streamlit as st

from dirrac_core.arrays import Array
from dirrac_core.case.nonlinear.trees import TreeCase
from dirrac_core.data import with_constant
from dirrac_core.data.schema.feature import Value
from dirrac_core.trees.promise import promise_of
from pages.shared import wording
from pages.shared.plain_text import plain


def show_what_if(case: TreeCase, x: Array) -> None:
    """Controls that start at x, and the decisions on what they are set to."""
    schema = case.dataset.schema
    real = schema.decode(x)
    chosen: dict[str, Value] = {}
    key = f"{case.scenario.dataset} {case.scenario.applicant} {hash(tuple(x))}"
    columns = st.columns(3)
    for index, feature in enumerate(schema.features):
        value = real[feature.name]
        with columns[index % 3]:
            if isinstance(value, str):
                chosen[feature.name] = st.selectbox(
                    plain(feature.name),
                    feature.categories,
                    feature.categories.index(value),
                    key=f"tree what-if {feature.name} {key}",
                )
            else:
                chosen[feature.name] = st.number_input(
                    plain(wording.feature_label(feature)),
                    min(feature.low, value),
                    max(feature.high, value),
                    value,
                    step=feature.step,
                    key=f"tree what-if {feature.name} {key}",
                )
    point = with_constant(schema.encode(chosen))[0]
    promise = promise_of(case.problem, point, case.retrainings)
    today = "accepts" if case.problem.accepted_today(point) else "declines"
    broken = sorted({check.name for check in case.problem.checks(point).broken})
    st.markdown(
        f"Today’s model **{today}** this; {int(case.problem.decisions(point).sum())} of "
        f"{len(case.problem.retrainings)} re-trainings and {promise.fresh - promise.declined} of "
        f"{promise.fresh} fresh ones accept it. Effort "
        f"{wording.amount(case.problem.cost_of(point))}."
    )
    if broken:
        st.caption(f"Not allowed as a plan: {plain(', '.join(broken))}.")
