"""One applicant and boosted trees: the plan, what is promised, what was observed, and why."""

import streamlit as st

from dirrac_core.case.nonlinear.trees import TreeCase, TreeSolution, judged_plan
from dirrac_core.case.scenario import Scenario
from dirrac_core.models.reasons import reasons_from
from dirrac_core.trees.answer import OPTIMAL, TreePlan
from dirrac_core.trees.reasons import tree_contributions
from dirrac_core.wording import in_100
from pages.recourse.trees.files import offer_files
from pages.recourse.trees.menu import show_tree_menu
from pages.recourse.trees.tables import reason_table
from pages.recourse.trees.what_if import show_what_if
from pages.runs.tree_plans import case_when_ready, plan_when_ready, ways_out_when_ready
from pages.shared import wording
from pages.shared.navigation import file_of
from pages.shared.plain_text import plain, plain_table
from pages.shared.plan_tables import before_after
from pages.shared.promise import NO_PROMISE, is_useful, show_record
from pages.sidebar.title_row import show_title

_PAGES = {
    "geometry": "Acceptance regions in two features",
    "frontier": "Effort against accepted re-trainings",
    "methods": "Other methods",
    "portfolio": "Everyone declined",
}


def show_tree_plan(scenario: Scenario) -> None:
    """The whole workbench of a scenario about boosted trees."""
    case = case_when_ready(scenario)
    if case is None:
        return
    _applicant(case)
    plan = plan_when_ready(case)
    if plan is None:
        return
    menu_place = st.container()
    if plan.x is None:
        _no_plan(case, plan)
    else:
        _plan(judged_plan(case, plan))
    with st.container(horizontal=True):
        for page, label in _PAGES.items():
            st.page_link(file_of(page), label=label, icon=":material/open_in_full:")
    with st.expander("What if", icon=":material/experiment:"):
        show_what_if(case, case.x0 if plan.x is None else plan.x)
    offer_files(judged_plan(case, plan))
    # Drawn last: nothing waits for the other plans.
    if plan.x is not None:
        with menu_place:
            show_tree_menu(case, plan)


def _applicant(case: TreeCase) -> None:
    probability = float(case.today.probability(case.x0[None, :-1])[0])
    needed = case.needed
    accepted = case.problem.accepted_today(case.x0)
    verdict = "accepted" if accepted else "declined"
    show_title(
        case.scenario,
        f"{wording.applicant_name(case.scenario.applicant)} · {verdict} today, "
        f"{100 * probability:.0f} in 100 ({100 * needed:.0f} needed)",
        f"What today’s boosted trees say of “{plain(case.dataset.favourable)}”.",
    )
    pulls = tree_contributions(case.problem, case.dataset.present)
    reasons = reasons_from(pulls)
    if reasons and not accepted:
        st.markdown("**Main reasons:** " + " ".join(plain(r.sentence) for r in reasons))
    with st.expander("Reasons by feature", icon=":material/bar_chart:"):
        st.table(plain_table(reason_table(pulls)))
        st.caption(
            "How much each feature moves the log-odds between a typical person with a good "
            "outcome and this applicant (Shapley values); the parts add up to the whole gap."
        )


def _plan(solution: TreeSolution) -> None:
    case, plan, promise = solution.case, solution.plan, solution.promise
    assert plan.x is not None and promise is not None
    st.subheader(plain(case.dataset.schema.sentence(case.x0, plan.x)))
    columns = st.columns(3, border=True)
    with columns[0]:
        _fact(
            ":material/science: MODELS OF OTHER PEOPLE · AN ASSUMPTION",
            f"At most {in_100(promise.at_most)} of 100 decline"
            if is_useful(promise.at_most)
            else NO_PROMISE,
            "Of the models of one next sample of people, at most "
            f"{in_100(promise.at_most)} of 100 (in {promise.confidence:.0%} of samples, if "
            f"Gaussian). On average at most {in_100(promise.on_average)} of 100: of people the "
            f"plan was not made with, {promise.fresh} re-trainings were simulated, and "
            f"{promise.declined} declined it ({promise.confidence:.0%} confidence, "
            "Clopper–Pearson). An assumption, not a guarantee",
        )
        show_record(case.scenario)
    with columns[1]:
        proved = "proved optimal" if plan.status == OPTIMAL else _gap(plan)
        _fact(
            ":material/fact_check: PLANNED ON",
            f"{plan.accepted} of {len(plan.decisions)} accept",
            f"re-trainings the plan was made for; {proved}",
        )
    with columns[2]:
        total = len(solution.observed)
        simulated = case.bundle.future.simulated
        _fact(
            ":material/casino: SIMULATED" if simulated else ":material/visibility: OBSERVED",
            f"{total - int(solution.observed.sum())} of {total} declined",
            plain(case.bundle.future.source).rstrip("."),
        )
    st.table(plain_table(before_after(case.dataset, case.x0, plan.x)))
    used = plan.cost / plan.delta if plan.delta > 0 else 1.0
    st.progress(
        min(max(used, 0.0), 1.0),
        f"Effort {wording.amount(plan.cost)} of at most {wording.amount(plan.delta)}",
    )
    st.caption(
        f"The cheapest plan that today’s model accepts needs δ_min = "
        f"{wording.amount(plan.delta_min)}. {plain(plan.message)}"
    )


def _gap(plan: TreePlan) -> str:
    return (
        f"not proved: no plan within the budget is accepted by more than {plan.accepted_bound} "
        "of them"
    )


def _no_plan(case: TreeCase, plan: TreePlan) -> None:
    st.warning(plain(plan.message), icon=":material/block:")
    if not plan.proved:
        return
    ways = ways_out_when_ready(case)
    if ways is None:
        return
    if not ways:
        st.markdown("No single loosening that may be advised opens a plan.")
        return
    st.markdown("**What would open a plan:**")
    for way in ways:
        st.markdown(f"- if {plain(way.words)}: effort {wording.amount(way.cost)}")


def _fact(label: str, headline: str, words: str) -> None:
    st.markdown(label)
    st.markdown(f"### {headline}")
    st.caption(f"{words}.")
