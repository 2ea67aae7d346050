"""A step of the tour, and the one picture it is about, drawn where the step is read."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from dirrac_core.case.scenario import Scenario
from dirrac_core.data.datasets.synthetic import ShiftKind
from dirrac_core.figures.frontier import frontier
from dirrac_core.figures.plane.geometry import geometry
from dirrac_core.figures.plane.geometry_marks import Landmark
from dirrac_core.geometry.case_plane import telling_features
from dirrac_core.studies.case_frontier import DIRRAC, ROAR, case_frontier
from dirrac_core.studies.staircase import with_declines, with_steps
from dirrac_core.wording import in_100
from pages.shared import computing
from pages.shared.address.links import address_of, from_query
from pages.shared.pictures import draw_picture, theme
from pages.shared.plain_text import plain
from pages.shift_lab.computing import RADIUS, RETRAININGS
from pages.shift_lab.pictures import draw_people
from pages.shift_lab.view import PREPARED, View
from pages.teaching.curves import draw_links


@dataclass(frozen=True)
class Stop:
    """One step: the page and its state, a question, what is to be seen, and one for the class.

    `predict` is asked before anything is shown; `notes` are for whoever speaks.
    """

    title: str
    page: str
    query: Mapping[str, str]
    look: str
    ask: str
    predict: str
    notes: str

    @property
    def address(self) -> str:
        """The link of this step, from any page of the app."""
        return address_of(self.page, self.query)

    @property
    def scenario(self) -> Scenario:
        """The settings of a step about one applicant."""
        return from_query(self.query, Scenario("german", 0))[0]


def draw_stop(stop: Stop) -> None:
    """The picture of the step: the plan and its numbers, the allowed set, a link, or a shift."""
    if stop.page == "shift_lab":
        _shift(stop.query)
    elif stop.page == "geometry":
        _allowed(stop.scenario)
    elif stop.page == "learn":
        _links(stop.scenario)
    elif stop.page == "frontier":
        _steps(stop.scenario)
    else:
        _numbers(stop.scenario)


def _numbers(scenario: Scenario) -> None:
    """The plan as a sentence and its three numbers, large."""
    solution = computing.solution(scenario)
    found = solution.plan.x
    if found is None:
        st.markdown("There is no plan under these settings.")
        return
    facts = computing.facts(scenario, tuple(found))
    st.markdown(f"#### {plain(solution.case.dataset.schema.sentence(solution.case.x0, found))}")
    promised, assumed, seen = st.columns(3)
    promised.metric("Worst case: decline", f"at most {in_100(facts.guarantee)} of 100")
    assumed.metric("If Gaussian: decline", f"at most {in_100(facts.if_gaussian)} of 100")
    seen.metric("Observed: decline", f"{facts.declined} of {len(facts.observed)}")


def _allowed(scenario: Scenario) -> None:
    """The allowed set in the two most telling features, with applicant, cheapest plan and plan."""
    case, best = computing.case(scenario), computing.solution(scenario).plan.x
    plane = computing.plane(scenario, telling_features(case, best), True)
    marks = [Landmark("applicant", case.x0)]
    if best is not None:
        marks.append(Landmark("plan", best, "Best plan"))
    draw_picture(geometry(plane.slice, plane.axes, marks, theme=theme()), "tour allowed")


def _steps(scenario: Scenario) -> None:
    """DiRRAc's plans by effort and worst case, with those of ROAR."""
    rows = with_steps(with_declines(_swept(scenario)), "cost_l1", "worst_case", True)
    figure = frontier(
        rows,
        value="worst_case",
        interval=None,
        value_title="declining models, of 100 (worst case)",
        cost_title="effort (ℓ1)",
        theme=theme(),
    )
    draw_picture(figure, "tour frontier")


@computing.kept(4)
def _swept(scenario: Scenario) -> pd.DataFrame:
    case = computing.case(scenario)
    return pd.concat([case_frontier(case, family) for family in (DIRRAC, ROAR)], ignore_index=True)


def _links(scenario: Scenario) -> None:
    """Both links, with the score of the plan."""
    solution = computing.solution(scenario)
    found = solution.plan.x
    if found is not None:
        scores = solution.case.problem.objective.scores(found)
        draw_links(float(scores.min()), "tour links")


def _shift(query: Mapping[str, str]) -> None:
    """People and boundaries before and after the shift, with the plans made before it."""
    kind: ShiftKind = query["lab_kind"]  # type: ignore[assignment]
    named = {words: key for key, words in PREPARED.items()}
    prepared = named[query.get("lab_prepared", PREPARED[RETRAININGS])]
    rho = float(query.get("lab_rho", RADIUS))
    view = View(kind, float(query["lab_size"]), prepared, float(query["lab_effort"]), rho)
    draw_people(view, "tour people")
