"""The menu of the workbench: a few plans to choose from, each with its promise and its effort."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.case.facts import facts_of
from dirrac_core.case.scenario import Scenario
from dirrac_core.recourse.kinds.alternatives import SPARING, level_of
from dirrac_core.recourse.kinds.levers import changed_levers
from dirrac_core.recourse.kinds.menu import MenuPlan
from dirrac_core.wording import in_100
from pages.recourse.browser import mount
from pages.recourse.computing import plan_menu
from pages.recourse.shown import forget_tried
from pages.runs import ahead
from pages.shared import computing, state, wording
from pages.shared.browser import sent
from pages.shared.plain_text import plain
from pages.shared.promise import NO_PROMISE, is_useful

KEY = "plan cards"


@dataclass(frozen=True, eq=False)
class Card:
    """One plan to choose, and the settings that lead to it."""

    entry: MenuPlan
    plan_kind: str
    level: float | None


def show_menu(scenario: Scenario) -> None:
    """The plans side by side; choosing one makes it the plan of every page."""
    found = plan_menu(scenario)
    if found is None:
        st.caption("Other plans are left out: finding this one already took long.")
        return
    case, cards = computing.case(scenario), cards_of(found)
    shown = computing.solution(scenario).plan.x
    chosen = [card for card in cards if _is_same(card.entry.plan.x, shown)][:1]
    if len(cards) > 1:
        described = [_described(case, card, card in chosen) for card in cards]
        settings = [(card.plan_kind, card.level) for card in cards]
        for card in cards:
            if card not in chosen:
                ahead.offer(plan_kind=card.plan_kind, level=card.level)
        mount(
            "cards", KEY, {"cards": described}, on_choose_change=lambda: choose_plan(KEY, settings)
        )
    if case.at_most is not None and case.at_most.found is not None:
        st.caption(f"{plain(case.at_most.sentence)} Shown below in whole units.")
    elif scenario.plan_kind not in [card.plan_kind for card in chosen]:
        wanted = wording.PLAN_KINDS[scenario.plan_kind]
        st.caption(
            f"There is no plan “{wanted}” of its own here; "
            f"shown is “{plain(_title(case, chosen[0]))}”."
            if chosen
            else f"The plan shown below, “{wanted}”, is none of these."
        )


def _is_same(x: Array | None, other: Array | None) -> bool:
    return x is not None and other is not None and bool(np.allclose(x, other, rtol=0.0, atol=1e-9))


def cards_of(found: tuple[MenuPlan, ...]) -> list[Card]:
    """The plans that settings can ask for: one of each kind, and the cheapest at several levels."""
    cards: list[Card] = []
    for entry in found:
        level = entry.alternative.level
        if level == level_of(found[0].alternative.plan, None):
            level = None
        if (entry.kind, level) not in {(card.plan_kind, card.level) for card in cards}:
            cards.append(Card(entry, entry.kind, level))
    return cards


def _described(case: Case, card: Card, chosen: bool) -> dict[str, str | bool]:
    """What a card says."""
    plan, x = card.entry.plan, card.entry.plan.x
    assert x is not None
    changes = len(changed_levers(case.problem, x))
    many = "1 change" if changes == 1 else f"{changes} changes"
    facts = facts_of(case, x)
    counted = wording.counted_word(case.bundle.future).lower()
    observed = f"{counted} {facts.declined} of {len(facts.observed)}"
    return {
        "title": _title(case, card),
        "sentence": case.dataset.schema.sentence(case.x0, x),
        "promise": _promise(case, card),
        "effort": f"effort {wording.amount(plan.cost)} · {many} · {observed}",
        "chosen": chosen,
    }


def choose_plan(key: str, settings: Sequence[tuple[str, float | None]]) -> None:
    """Another plan of the menu, as (kind, level): values tried on the old one are forgotten."""
    number = sent(key, "choose")
    if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(settings):
        plan_kind, level = settings[number]
        state.change(plan_kind=plan_kind, level=level)
        forget_tried()


def _promise(case: Case, card: Card) -> str:
    plan = card.entry.plan
    assert plan.x is not None
    if not case.accepted_today(plan.x):
        return f"{NO_PROMISE}: today's own model declines it"
    if not is_useful(plan.worst_case_probability):
        return NO_PROMISE
    assumed = ", if Gaussian" if case.scenario.link == "gaussian" else ""
    return f"At most {in_100(plan.worst_case_probability)} of 100 decline{assumed}"


def _title(case: Case, card: Card) -> str:
    spared = card.entry.alternative.spared
    if card.plan_kind != SPARING or spared is None:
        return wording.PLAN_KINDS[card.plan_kind]
    schema = case.dataset.schema
    names = [f.name for f in schema.features if set(schema.columns_of(f.name)) & set(spared)]
    return f"Leaves {' and '.join(names)} alone"
