"""A what-if point in the picture: placed by a click or by two numbers, and what is said of it."""

import streamlit as st

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.data.schema.feature import Feature
from dirrac_core.recourse import assess
from pages.geometry.view import HELD, View, is_flat
from pages.shared import computing, notices, wording
from pages.shared.pictures import Mark
from pages.shared.plain_text import plain
from pages.shared.plan_tables import checklist, declining_models

KEYS = ("across_at", "up_at")
_ABOUT = "what-if point of"


def what_if_point(case: Case, view: View) -> Array | None:
    """The point the visitor placed (D,), or None; another picture starts without one."""
    notices.report_numbers(KEYS)
    about = (case.scenario.dataset, view.features)
    if st.session_state.setdefault(_ABOUT, about) != about:
        st.session_state[_ABOUT] = about
        forget_point()
    place = [_place(key) for key in KEYS]
    if place[0] is None or place[1] is None:
        return None
    return view.plane(case).point(place[0], place[1])


def _place(key: str) -> float | None:
    """The number typed or clicked; on the first run of a link, the one in the link."""
    if key in st.session_state:
        kept: float | None = st.session_state[key]
        return kept
    asked = st.query_params.get(key, "")
    return float(asked) if notices.is_number(asked) else None


def forget_point() -> None:
    """Take the point away; for a callback."""
    for key in KEYS:
        st.session_state[key] = None


def place_point(case: Case, view: View, mark: Mark | None) -> None:
    """Place the point where the picture was clicked, at a value one would write down."""
    if mark is None:
        return
    axes = view.plane(case).axes
    schema = case.dataset.schema
    places = (mark.x, mark.y)
    for key, axis, name, place in zip(KEYS, axes, view.features, places, strict=True):
        value = axis.to_real(float(place))
        st.session_state[key] = round(value, _digits(schema.feature(name)))


def show_what_if(case: Case, view: View, x: Array | None) -> None:
    """The two numbers, and what the mathematics says of the point."""
    st.markdown("##### What if?")
    for key, name in zip(KEYS, view.features, strict=True):
        feature = case.dataset.schema.feature(name)
        st.number_input(
            plain(wording.feature_label(feature)),
            value=None,
            step=float(feature.step),
            format=f"%.{_digits(feature)}f",
            key=key,
            bind="query-params",
            placeholder="click into the picture or type",
        )
    if x is None:
        st.caption("Click anywhere in the picture, or type both numbers, to judge your own point.")
        return
    st.button("Take it away", icon=":material/close:", on_click=forget_point)
    _judged(case, view, x)


def _judged(case: Case, view: View, x: Array) -> None:
    """Guarantee, assumption and observation of the point, and the conditions it breaks."""
    judged = assess(case.problem, x)
    facts = computing.facts(case.scenario, tuple(x))
    st.table(declining_models(case, facts, judged.component_probabilities))
    today = "accepts" if facts.accepted_today else "declines"
    effort, budget = wording.amount(judged.cost), wording.amount(judged.delta)
    st.markdown(f"Today's model **{today}** it. Effort {effort}; the budget is {budget}.")
    broken = [
        condition
        for condition, held in checklist(case, judged)["Holds"].items()
        if not held.startswith("✓")
    ]
    if broken:
        lines = "\n".join(f"- {plain(condition)}" for condition in broken)
        st.markdown(f"**Outside the shaded set.** Not kept:\n{lines}")
    else:
        st.markdown("**Inside the shaded set:** it keeps every condition.")
    if not is_flat(case):
        st.caption(f"All other features as in {HELD[view.held]}.")


def _digits(feature: Feature) -> int:
    return 0 if feature.kind == "integer" else max(feature.decimals, 2)
