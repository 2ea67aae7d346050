"""What three sections let one try: the certificate, the adversary on the ball, the ceiling on ρ.

The sections tell the ideas; here is what happens to their numbers when something is changed.
"""

import math
from dataclasses import replace

import pandas as pd
import streamlit as st

from dirrac_core.case.outlook import LESSON
from dirrac_core.case.scenario import Scenario
from dirrac_core.figures.adversary_bars import adversary_bars
from dirrac_core.figures.lessons.claims import certificate_lines, effort_lines
from dirrac_core.paper.claims import (
    FUTURES,
    GAPS,
    MODELS,
    certificates,
    declining_share,
    effort_at,
    effort_over_radius,
    rival_ratios,
)
from dirrac_core.recourse.plane import radius_profile
from pages.learn.point import point_of
from pages.shared import computing, notices, wording
from pages.shared.defaults import first_declined
from pages.shared.numbers import in_text
from pages.shared.pictures import draw_picture, theme
from pages.teaching.demonstration import (
    components_slider,
    find_plan,
    rho_slider,
    tiny,
    with_rho,
)

HARD, OWN = "two futures that contradict each other", "this applicant"
USUAL_GAP = 0.001
# A gap that takes longer is reported as far as it got.
TIME_LIMIT = 3.0
MOST_SHARE, USUAL_SHARE = 120, 60


def try_certificate(scenario: Scenario) -> None:
    """Value, lower bound and gap, closing as a smaller gap is requested."""
    chosen = _mixture(scenario)
    notices.report_choices({"claim_gap": [_gap(gap) for gap in GAPS]})
    asked = st.select_slider(
        "Target gap, in 100",
        GAPS,
        USUAL_GAP,
        format_func=_gap,
        key="claim_gap",
        bind="query-params",
        help=wording.GLOSSARY["gap"],
    )
    if find_plan(chosen) is None:
        return
    rows = pd.concat([_certified(chosen, gap) for gap in GAPS if gap >= asked])
    last = rows.iloc[-1]
    st.markdown(
        f"**Worst case: at most {100 * last['value']:.3f} in 100 fail, and no plan can promise "
        f"fewer than {100 * last['lower_bound']:.3f}.** That took {int(last['solves'])} cone "
        f"programs in {int(last['nodes'])} regions and {1000 * last['seconds']:.0f} ms."
    )
    if len(rows) > 1:
        draw_picture(certificate_lines(rows, theme()), "try certificate")
    st.table(_steps(rows), alt="For each target gap: value, lower bound, gap and work")


def _mixture(scenario: Scenario) -> Scenario:
    """The fixed hard example, or the applicant with K components."""
    notices.report_choices({"claim_of": (HARD, OWN)})
    whose = st.segmented_control(
        "Components", [HARD, OWN], default=HARD, required=True, key="claim_of", bind="query-params"
    )
    if whose == HARD:
        st.caption(
            "German credit as it was read in 1994 and as corrected in 2019, K = 2, its first "
            "declined applicant, fractions of categories allowed, δ_add = 1: a case where the "
            "first bound is not yet tight."
        )
        start = Scenario("german", first_declined("german").applicant)
        return replace(start, shifts=LESSON, delta_add=1.0, categories="relaxed", preset="free")
    if scenario.shifts:
        return scenario
    return components_slider(scenario)


def _gap(gap: float) -> str:
    return f"{100 * gap:g}"


@computing.kept(128)
def _certified(scenario: Scenario, gap: float) -> pd.DataFrame:
    return certificates(computing.case(scenario).problem, (gap,), TIME_LIMIT)


def _steps(rows: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "Target gap": [_gap(gap) for gap in rows["asked"]],
            "Worst case": [f"{100 * value:.3f}" for value in rows["value"]],
            "Lower bound": [f"{100 * bound:.3f}" for bound in rows["lower_bound"]],
            "Gap left": [f"{100 * gap:.3f}" for gap in rows["gap"]],
            "Cone programs": [f"{solves}" for solves in rows["solves"]],
            "Regions": [f"{nodes}" for nodes in rows["nodes"]],
        }
    ).set_index("Target gap")


def try_adversary(scenario: Scenario) -> None:
    """The worst future at another ρ, its distance, and random rivals."""
    chosen = with_rho(scenario, rho_slider(scenario))
    if find_plan(chosen) is None:
        return
    p = point_of(chosen)
    problem, k, score = p.case.problem, p.k, p.a[p.k]
    mixture, name = problem.mixture, p.component(k)
    worst, mean, deviation = p.adversary
    distance = p.distance(worst.mean, worst.covariance)
    if deviation == 0.0:
        st.markdown(
            f"As {name} sees it, models do not scatter along this plan and ρ is 0: there is no "
            "adversary, and the plan never fails."
        )
        return
    rivals = rival_ratios(p.x, mixture, problem.doubt, k, chosen.seed)
    declining = MODELS * declining_share(p.x, mixture, problem.doubt, k, chosen.seed)
    expected = MODELS * float(p.probabilities("gaussian")[k])
    st.markdown(
        f"Against the plan, as {name} sees it:\n"
        f"- **Distance.** The adversary is {distance:.6f} away, and ρ is {p.rho:g}: a difference "
        f"of {tiny(abs(distance - p.rho))}.\n"
        f"- **Harm.** The score of the plan is {in_text(mean)} on average and scatters by "
        f"{in_text(deviation)}. Their ratio is {in_text(mean / deviation)}, exactly the robust "
        f"score a = {in_text(score)}.\n"
        f"- **Nobody worse.** Of {FUTURES:,} random futures at most as far away, the worst has a "
        f"ratio of {in_text(rivals.min())}.\n"
        f"- **Observed.** Of {MODELS:,} models drawn from the adversary as a bell curve, "
        f"{declining:.0f} decline the plan; the formula expects {expected:.0f}."
    )
    if p.rho > 0.0:
        columns = p.case.dataset.schema.columns
        draw_picture(
            adversary_bars(mixture.means[k], worst.mean, columns, theme()), "try adversary"
        )
        st.caption("The weights the adversary moves most.")


def try_ceiling(scenario: Scenario) -> None:
    """What the cheapest plan costs on both sides of the largest ρ that leaves one."""
    notices.report_numbers(("claim_share",))
    share = st.slider(
        "ρ, in 100 parts of the ceiling",
        0,
        MOST_SHARE,
        USUAL_SHARE,
        1,
        key="claim_share",
        bind="query-params",
        help="100 is the ceiling itself; drag beyond it.",
    )
    problem = computing.case(scenario).problem
    largest = _largest(scenario)
    if largest <= 0.0:
        st.warning(
            "For this applicant not even ρ = 0 leaves a plan: what may not change stands in the "
            "way.",
            icon=":material/block:",
        )
        return
    rho = share / 100.0 * largest
    effort = effort_at(problem, rho)
    ending = (
        f"the cheapest valid plan takes an effort of {wording.amount(effort)}"
        if math.isfinite(effort)
        else "there is no plan, at any effort"
    )
    st.markdown(f"**At ρ = {in_text(rho)}** {ending}; the ceiling is ρ = {in_text(largest)}.")
    draw_picture(effort_lines(_efforts(scenario), rho, effort, theme()), "try ceiling")


@computing.kept(32)
def _efforts(scenario: Scenario) -> pd.DataFrame:
    return effort_over_radius(computing.case(scenario).problem)


@computing.kept(32)
def _largest(scenario: Scenario) -> float:
    problem = computing.case(scenario).problem
    return problem.unbounded.largest_radius(radius_profile(problem))
