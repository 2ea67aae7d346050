"""The plans of boosted trees to choose from, each with its promise, proof and effort."""

import streamlit as st

from dirrac_core.case.nonlinear.tree_menu import TreeChoice
from dirrac_core.case.nonlinear.trees import TreeCase
from dirrac_core.recourse.kinds.alternatives import SPARING
from dirrac_core.trees.answer import OPTIMAL, TreePlan
from dirrac_core.wording import in_100
from pages.recourse.browser import mount
from pages.recourse.menu import choose_plan
from pages.runs.tree_plans import menu_when_ready
from pages.shared import wording
from pages.shared.promise import NO_PROMISE, is_useful

KEY = "tree plan cards"


def show_tree_menu(case: TreeCase, plan: TreePlan) -> None:
    """The cards once they are there; choosing one makes it the plan of every page."""
    choices = menu_when_ready(case)
    if not choices:
        return
    if len(choices) == 1:
        st.caption("Safest, cheapest and fewest changes are the same plan here.")
        return
    cards = [_described(case, choice, choices[0], plan) for choice in choices]
    settings = [(choice.kind, None) for choice in choices]
    mount("cards", KEY, {"cards": cards}, on_choose_change=lambda: choose_plan(KEY, settings))


def _described(
    case: TreeCase, choice: TreeChoice, safest: TreeChoice, shown: TreePlan
) -> dict[str, str | bool]:
    plan, promise = choice.solution.plan, choice.solution.promise
    assert plan.x is not None and promise is not None
    spared = [name for name in safest.changed if name not in choice.changed]
    title = wording.PLAN_KINDS[choice.kind]
    if choice.kind == SPARING and spared:
        title = f"Leaves {' and '.join(spared)} alone"
    useful = is_useful(promise.at_most)
    proved = "" if plan.status == OPTIMAL else " · not proved"
    changes = "1 change" if len(choice.changed) == 1 else f"{len(choice.changed)} changes"
    return {
        "title": title,
        "sentence": case.dataset.schema.sentence(case.x0, plan.x),
        "promise": f"At most {in_100(promise.at_most)} of 100 decline" if useful else NO_PROMISE,
        "effort": f"effort {wording.amount(plan.cost)} · {changes} · {plan.accepted} of "
        f"{len(plan.decisions)} accept{proved}",
        "chosen": shown.x is not None and bool((plan.x == shown.x).all()),
    }
