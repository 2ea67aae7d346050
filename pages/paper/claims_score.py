"""Demonstrations about the robust score: six problems in one, no false summits, one plan."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import with_constant
from dirrac_core.figures.component_bars import component_bars
from dirrac_core.figures.drawing.palette import component_name
from dirrac_core.figures.plane.geometry import geometry
from dirrac_core.figures.plane.geometry_marks import Landmark
from dirrac_core.geometry.case_plane import telling_features
from dirrac_core.methods import Plan
from dirrac_core.paper.claims import Midpoints, formulations, midpoints, published_plans
from dirrac_core.recourse import Recourse, find_recourse
from dirrac_core.robustness import LINKS, WeightBall
from dirrac_core.robustness.readings import readings_of
from dirrac_core.solvers import Outcome, solve_projected_gradient
from dirrac_core.wording import at_most
from pages.shared import computing, wording
from pages.shared.numbers import in_text
from pages.shared.pictures import draw_picture, theme
from pages.shared.plain_text import plain
from pages.teaching.demonstration import (
    components_slider,
    effort_slider,
    find_plan,
    one_component,
    rho_slider,
    tiny,
    with_rho,
)

VARIANTS = {"chebyshev": "DiRRAc", "gaussian": "Gaussian DiRRAc"}
# As in the tables of the paper.
PAPER_EFFORT = 1.0


def show_six_problems(scenario: Scenario) -> None:
    """Two links times three weightings of one score, against the paper's own formulas."""
    st.markdown(
        "The paper states six optimisation problems, each with formulas of its own. All six look "
        "at a plan through a single number for each component, the robust score *a*: two "
        "assumptions turn it into a probability, three treatments of the weights turn the "
        "probabilities into one number."
    )
    left, right = st.columns(2, gap="large")
    with left:
        rho = rho_slider(scenario)
    with right:
        chosen = with_rho(components_slider(scenario), rho)
    solution = find_plan(chosen)
    if solution is None:
        return
    problem, x = solution.case.problem, solution.x
    ball = WeightBall(chosen.divergence, chosen.weight_radius)
    six = formulations(x, problem.mixture, problem.doubt, ball)
    scores = problem.objective.scores(x)
    listed = ", ".join(
        f"{plain(component_name(k, solution.case.component_names))}: a = {in_text(a)}"
        for k, a in enumerate(scores)
    )
    st.markdown(f"**The scores of the plan.** {listed}.")
    st.table(_grid(six), alt="Six worst cases: two assumptions times three weightings")
    st.markdown(
        f"**The paper's own six formulas** give the same numbers at this plan; the largest "
        f"difference is {tiny((six['by_score'] - six['printed']).abs().max())}."
    )
    draw_picture(
        component_bars(
            readings_of(
                x, problem.mixture, problem.radii, problem.objective.weighting, problem.metric
            ),
            solution.case.component_names,
            theme(),
        ),
        "claim components",
    )


def _grid(six: pd.DataFrame) -> pd.DataFrame:
    """Links down, weightings across, bounds as text."""
    grid = six.pivot(index="link", columns="weighting", values="by_score")
    grid = grid.loc[list(VARIANTS), list(wording.WEIGHTINGS)]
    grid = grid.map(lambda value: f"{at_most(value)} ({value:.4f})")
    return grid.rename(
        index={
            "chebyshev": "Any distribution (DiRRAc), worst case",
            "gaussian": "Bell curve (Gaussian DiRRAc), assumption",
        },
        columns={name: f"Weights {words}" for name, words in wording.WEIGHTINGS.items()}
        | {"worst-component": "Worst component"},
    ).rename_axis(index=None, columns=None)


def show_convex_levels(scenario: Scenario) -> None:
    """Convex level sets, and the same summit from two sides."""
    st.markdown(
        "With one component, all points that reach a given robust score form a convex set. So "
        "there are no false summits: a plan that cannot be improved nearby cannot be improved "
        "at all, and a few cone programs find it and prove it."
    )
    # Categories would cut the set into pieces: each is convex, their union is not.
    chosen = with_rho(replace(one_component(scenario), categories="relaxed"), rho_slider(scenario))
    solution = find_plan(chosen)
    if solution is None:
        return
    found, climbed = _exact(chosen), _climbed(chosen)
    assert found.x is not None
    middle = _midpoints(chosen)
    objective = solution.case.problem.objective
    (score,), (start,) = (objective.scores(x) for x in (found.x, found.trace[0].x))
    st.markdown(
        f"- **Halfway between.** {middle.pairs:,} random pairs of people with a positive score: "
        f"the point halfway between scores below both of them in **{middle.below}** cases.\n"
        f"- **The summit.** From the cheapest valid plan (score {in_text(start)}) to the best one "
        f"(score {in_text(score)}) in {found.solves} cone programs. Worst case "
        f"{found.worst_case_probability:.6f}, proven lower bound {found.lower_bound:.6f}.\n"
        f"- **From another side.** {len(climbed.trace) - 1} steps of the paper's Algorithm 1 "
        f"arrive at {climbed.value:.6f}: {_compared(climbed.value, found)}"
    )
    _levels(solution.case, found.x)


def _compared(value: float, found: Recourse) -> str:
    ahead = value - found.worst_case_probability
    same = abs(ahead) < 1e-4
    return "the same summit." if same else f"{ahead:.6f} above it when it was stopped."


@st.cache_resource(max_entries=64, show_spinner=False)
def _exact(scenario: Scenario) -> Recourse:
    """The certified plan before it is rounded to real units."""
    return find_recourse(computing.case(scenario).problem, gap=scenario.gap)


@st.cache_resource(max_entries=64, show_spinner=False)
def _climbed(scenario: Scenario) -> Outcome:
    """Algorithm 1 to its own end."""
    problem = computing.case(scenario).problem
    return solve_projected_gradient(problem.feasible_set, problem.objective)


@st.cache_resource(max_entries=64, show_spinner=False)
def _midpoints(scenario: Scenario) -> Midpoints:
    case = computing.case(scenario)
    people = with_constant(case.dataset.present.X)
    return midpoints(people, case.problem.mixture, case.problem.doubt, scenario.seed)


def _levels(case: Case, best: Array) -> None:
    features = telling_features(case, best)
    plane = computing.plane(case.scenario, features, True)
    marks = [Landmark("applicant", case.x0), Landmark("plan", best, "Best plan")]
    figure = geometry(plane.slice, plane.axes, marks, levels=case.problem.objective, theme=theme())
    draw_picture(figure, "claim levels")
    st.caption(
        "A slice through two features. Each line joins plans with the same worst case; every one "
        "of them encloses a convex region. Fractions of categories are allowed here."
    )


def show_same_plan(scenario: Scenario) -> None:
    """DiRRAc and Gaussian DiRRAc at K = 1, certified and as published."""
    st.markdown(
        "Both worst cases fall when the robust score rises. With one component there is one "
        "score, so both variants look for the same plan; only the number printed next to it "
        "differs. The paper's tables show two different plans, because its solver stops early."
    )
    left, right = st.columns(2, gap="large")
    with left:
        rho = rho_slider(scenario)
    with right:
        effort = effort_slider("claim_add", PAPER_EFFORT)
    base = with_rho(replace(one_component(scenario), delta_add=effort), rho)
    found = {link: find_plan(replace(base, link=link)) for link in VARIANTS}
    plans = {link: plan.x for link, plan in found.items() if plan is not None}
    if len(plans) < len(VARIANTS):
        return
    case = computing.case(base)
    first, second = plans.values()
    for link, name in VARIANTS.items():
        st.markdown(f"**{name}:** {plain(case.dataset.schema.sentence(case.x0, plans[link]))}")
    st.markdown(
        "The largest difference between the two plans in any feature, on a scale of 0 to 1, is "
        f"**{tiny(abs(first - second).max())}**."
    )
    rows = {f"{VARIANTS[link]}, certified": _row(case, x) for link, x in plans.items()}
    published = _published(base)
    if published is not None:
        rows |= {
            f"{VARIANTS[link]}, published solver": _row(case, plan.x)
            for link, plan in published.items()
            if plan.x is not None
        }
    st.table(pd.DataFrame(rows).T, alt="Four plans: effort, score and both worst cases")
    _about_published(published)


@st.cache_resource(max_entries=64, show_spinner=False)
def _published(scenario: Scenario) -> dict[str, Plan] | None:
    return published_plans(computing.case(scenario))


def _row(case: Case, x: Array) -> dict[str, str]:
    problem = case.problem
    (a,) = problem.objective.scores(x)
    return {
        "Effort": wording.amount(problem.unbounded.cost_of(x)),
        "Robust score a": in_text(a),
        "Any distribution (worst case)": at_most(float(LINKS["chebyshev"].probability(a))),
        "Bell curve (assumption)": at_most(float(LINKS["gaussian"].probability(a))),
    }


def _about_published(published: dict[str, Plan] | None) -> None:
    if published is None:
        st.caption("The published solver is for linear models, and today's model is a network.")
        return
    found = [plan.x for plan in published.values() if plan.x is not None]
    if len(found) < len(published):
        st.caption("The published solver finds no plan at these settings.")
        return
    st.caption(
        "The published solver's two plans differ by up to "
        f"{abs(found[0] - found[1]).max():.2g} in a feature: it takes at most ten steps and stops "
        "as soon as the number moves by less than 0.001. It also knows neither the range of the "
        "data nor whole categories, so its numbers do not compare with the certified ones."
    )
