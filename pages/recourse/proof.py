"""Why the plan holds: adversary, future models, certificate, and the checklist of conditions."""

import pandas as pd
import streamlit as st

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case, Solution
from dirrac_core.case.facts import Facts
from dirrac_core.case.promise_kind import NO_PROMISE
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.nearest import NEAREST, nearest_people
from dirrac_core.figures.adversary_bars import adversary_bars
from dirrac_core.figures.drawing.palette import component_name
from dirrac_core.figures.model_icons import model_icons
from dirrac_core.models.pulls import pulls_down
from dirrac_core.models.reasons import typical_person
from dirrac_core.recourse import Recourse
from dirrac_core.robustness import worst_case_model
from dirrac_core.solvers.second_opinion import SecondOpinion, second_opinion
from dirrac_core.wording import joined
from pages.runs import background
from pages.runs.panel import show_run
from pages.shared import computing, state, wording
from pages.shared.downloads import offer_csv
from pages.shared.pictures import draw_picture, theme
from pages.shared.plain_text import plain
from pages.shared.plan_tables import beside_real_people, checklist
from pages.shared.promise import at_least, decline_at_most

SMALLEST_GAP = 1e-6
# Two computations of one probability that differ by less than this are the same number.
AGREEMENT = 1e-6
_RUN = "second opinion"


def show_why(scenario: Scenario) -> None:
    """The plan's components, adversary, judges, certificate, checks and real people like it."""
    solution = computing.solution(scenario)
    plan = solution.plan
    if plan.x is None:
        st.write("There is no plan to prove anything about.")
        return
    case, facts = solution.case, computing.facts(scenario, tuple(plan.x))
    left, right = st.columns(2, gap="large")
    with left:
        draw_adversary(case, plan.x)
    with right:
        draw_future_models(case, plan.x, facts)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("#### Certificate")
        _certificate(scenario, solution)
        _independent_check(scenario, solution)
    with right:
        st.markdown("#### Checklist")
        st.table(checklist(solution.case, plan))
        st.caption("Each condition was checked again from scratch after solving and rounding.")
        show_neighbours(case, plan.x)


def _certificate(scenario: Scenario, solution: Solution) -> None:
    plan = solution.plan
    kind = "worst case" if scenario.link == "chebyshev" else "worst case if Gaussian"
    assert plan.x is not None
    if solution.case.promise_of(plan.x) is None:
        st.markdown(NO_PROMISE)
        return
    st.markdown(
        f"Of 100 future models, **{decline_at_most(plan.worst_case_probability)}** ({kind}). No "
        f"plan within the budget can promise fewer than **{at_least(plan.lower_bound)}**."
    )
    rows = {
        "Value": written(plan.worst_case_probability),
        "Lower bound (proven)": written(plan.lower_bound),
        "Gap": written(plan.gap),
        "of which rounding to real units": written(plan.rounding_loss),
        "Solver": wording.SOLVERS[scenario.solver],
        "How it ended": plan.status,
        "Cone programs solved": f"{plan.solves}",
        "Regions examined": f"{plan.nodes}",
        "Time": f"{1000 * plan.seconds:.0f} ms",
    }
    st.table(pd.DataFrame({"": rows}))
    st.button(
        "Tighten the proof",
        icon=":material/compress:",
        disabled=scenario.solver != "certified" or scenario.gap <= SMALLEST_GAP,
        on_click=state.change,
        kwargs={"gap": scenario.gap / 10},
        help=f"Solve again for a gap of {scenario.gap / 10:g} instead of {scenario.gap:g}.",
    )


def written(share: float) -> str:
    """A share with six digits; what is 0 but for rounding has no sign."""
    return f"{max(0.0, share):.6f}"


def _independent_check(scenario: Scenario, solution: Solution) -> None:
    """The problem stated again in cvxpy, in the background, on request because it is slow."""
    st.markdown("#### Second opinion")
    st.write(
        "cvxpy can state the same problem again, without a line of the certified solver (only the "
        "cone solver underneath is the same), and judge this plan. That takes a few seconds for a "
        "few categories and a minute or two for many."
    )
    run = background.run_of(_RUN)
    if run is not None and run.about != scenario:
        run = None
    st.button(
        "Check this plan independently",
        icon=":material/fact_check:",
        disabled=run is not None and (run.active or run.result is not None),
        on_click=_ask,
        args=(scenario, solution),
    )
    if show_run(run) or run is None:
        return
    if run.result is not None:
        _verdict(solution.plan, run.result)
    elif run.state == background.STOPPED:
        st.info("Stopped before there was an answer.", icon=":material/info:")


def _ask(scenario: Scenario, solution: Solution) -> None:
    problem = solution.case.problem
    arguments = (problem.feasible_set, problem.objective, solution.plan.x)
    background.start_apart(_RUN, scenario, second_opinion, arguments)


def _verdict(plan: Recourse, opinion: SecondOpinion) -> None:
    agrees = not opinion.broken and abs(opinion.value - plan.worst_case_probability) < AGREEMENT
    verdict = "It agrees" if agrees else "It does not agree"
    broken = (
        "keeps every condition" if not opinion.broken else f"breaks {joined(list(opinion.broken))}"
    )
    (st.success if agrees else st.error)(
        f"{verdict}: the plan {broken}, its value is {opinion.value:.6f} "
        f"(here {plan.worst_case_probability:.6f}), and no plan can have a value below "
        f"{opinion.lower_bound:.6f} (here {plan.lower_bound:.6f}).",
        icon=":material/check_circle:" if agrees else ":material/error:",
    )


def draw_future_models(case: Case, x: Array, facts: Facts) -> None:
    """Every re-trained model as an icon, with what pulls its score down."""
    future, schema = case.bundle.future, case.dataset.schema
    st.markdown(f"#### {len(future)} future models, one by one")
    reasons = None
    if future.parameters is not None:
        typical = schema.encode(typical_person(case.dataset.present, schema))[0]
        reasons = pulls_down(future.parameters, x, typical, schema)
    draw_picture(model_icons(facts.observed, reasons, theme()), "model icons")
    st.caption(future.source)
    if not future.simulated:
        st.caption(f"What changed: {plain(case.dataset.shift_description)}")


def draw_adversary(case: Case, x: Array) -> None:
    """Which weights the most harmful future model moves."""
    problem = case.problem
    st.markdown("#### The model that would undo it")
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
    moved = worst_case_model(x, problem.mixture, problem.radii, chosen, problem.metric)
    columns = case.dataset.schema.columns
    draw_picture(
        adversary_bars(problem.mixture.means[chosen], moved.mean, columns, theme()), "adversary"
    )
    st.caption(
        "Within the radius of doubt, this average model harms the plan most. Weights it lowers "
        "count less for the plan than today."
    )


def _names(case: Case) -> tuple[str, ...] | None:
    """The declared shifts name their components; estimated ones have numbers."""
    return None if case.declared is None else case.declared.labels


def show_neighbours(case: Case, x: Array) -> None:
    """The nearest real people with the favourable outcome, beside the plan."""
    people = nearest_people(case.dataset, x)
    counted = "Three" if len(people) == NEAREST else str(len(people))
    outcome = plain(case.dataset.favourable)
    with st.expander(f"{counted} real people like this: {outcome}", icon=":material/group:"):
        table = beside_real_people(case, x, [person.row for person in people])
        st.dataframe(
            table,
            alt="The plan and the nearest real people with the favourable outcome",
        )
        offer_csv(table, "real people like this")
        st.caption("The nearest people in the data whose outcome really was favourable.")
