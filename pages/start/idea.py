"""What robust recourse is: one picture and five sentences."""

import streamlit as st

from dirrac_core.case.facts import plan_for_today
from dirrac_core.case.scenario import Scenario
from dirrac_core.figures.plane.recourse_idea import recourse_idea
from dirrac_core.geometry.axes import feature_axis
from pages.shared import computing
from pages.shared.pictures import draw_picture, theme

TEACHING = Scenario("synthetic", 0, components=3)


def show_idea() -> None:
    """One picture and five sentences."""
    st.title("What to change, and how long that lasts")
    left, right = st.columns([2, 3], gap="large", vertical_alignment="center")
    with left:
        st.markdown(
            "A model declined somebody; **recourse** is what that person can change so that it "
            "says yes. The cheapest change takes them just across today's line. But models are "
            "trained again and the line moves: the person did what was asked, and is declined "
            "after all. A **robust plan** goes far enough to stay accepted by the futures that "
            "were declared possible. Every plan here says how often it can fail in the worst "
            "case, proves how close to the best possible plan it is, and shows what models "
            "trained later really decided."
        )
    with right:
        _picture()


def _picture() -> None:
    """The teaching example, computed: its plan for today, its robust plan, 100 later models."""
    case = computing.case(TEACHING)
    robust = computing.solution(TEACHING).plan.x
    plain = plan_for_today(case)
    future = case.bundle.future.parameters
    first, second = (feature_axis(feature) for feature in case.dataset.schema.features)
    today = case.problem.current_model
    assert plain is not None and robust is not None and today is not None and future is not None
    axes = (first, second)
    draw_picture(recourse_idea(case.x0, plain, robust, today, future, axes, theme()), "idea")
