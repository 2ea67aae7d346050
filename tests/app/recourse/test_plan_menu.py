"""The menu of plans, the room around one, real people like it, and the dial of realism."""

from dataclasses import replace

import pytest
from screen import part, plan_title, ready, row_of, said, send

from dirrac_core.case.case import solve_scenario
from dirrac_core.data import DATASETS, load_dataset
from dirrac_core.data.nearest import nearest_people
from dirrac_core.recourse.kinds.menu import menu
from dirrac_core.recourse.room import room_to_move
from dirrac_core.wording import in_100
from pages.recourse.menu import cards_of
from pages.shared.plain_text import plain
from pages.shared.promise import NO_PROMISE


def scenario_of(at):
    return at.session_state["scenario"]


def widget(at, key):
    kinds = ("selectbox", "toggle", "button")
    return next(w for kind in kinds for w in at.get(kind) if w.key == key)


def cards_shown(at):
    return part(at, "plan cards")["cards"]


def chosen(at):
    return [card["title"] for card in cards_shown(at) if card["chosen"]]


def cards_for(scenario):
    solution = solve_scenario(scenario)
    case = solution.case
    found = menu(case.dataset, case.problem, gap=scenario.gap, safest=solution.plan.exact)
    return case, cards_of(found)


@pytest.mark.parametrize("dataset", DATASETS)
def test_every_card_says_its_plan_and_choosing_it_makes_it_the_plan_of_the_page(open_app, dataset):
    at = ready(open_app(dataset=dataset, v="2"))
    start = scenario_of(at)
    case, cards = cards_for(start)
    shown = cards_shown(at)
    assert 2 <= len(cards) <= 5 and len(shown) == len(cards)
    assert [each["chosen"] for each in shown] == [True] + [False] * (len(cards) - 1)
    for card, said_of_it in zip(cards, shown, strict=True):
        plan = card.entry.plan
        promised = plan.worst_case_probability
        assert said_of_it["sentence"] == case.dataset.schema.sentence(case.x0, plan.x)
        count = f"At most {in_100(promised)} of 100 decline"
        assert said_of_it["promise"] == (count if promised <= 0.5 else NO_PROMISE)
    for number, card in enumerate(cards[1:], 1):
        send(at, "plan cards", "choose", number)
        wanted = replace(start, plan_kind=card.plan_kind, level=card.level)
        assert scenario_of(ready(at)) == wanted
        sentence = case.dataset.schema.sentence(case.x0, card.entry.plan.x)
        assert plan_title(at) == sentence
        assert [each["chosen"] for each in cards_shown(at)].index(True) == number


@pytest.mark.parametrize("number", [-1, 99, True, "0", None, [0], {}])
def test_a_card_that_is_not_there_chooses_nothing(open_app, number):
    at = ready(open_app(dataset="german", v="2"))
    start = scenario_of(at)
    assert scenario_of(ready(send(at, "plan cards", "choose", number))) == start


def test_a_link_opens_the_chosen_plan_and_says_when_there_is_none_of_its_kind(open_app):
    at = ready(open_app(dataset="german", v="2", plan="cheapest"))
    assert chosen(at) == ["Cheapest that lasts"]
    at = ready(open_app(dataset="german", v="2", plan="sparing"))
    assert chosen(at) == ["Safest within the budget"]
    assert "There is no plan “Leaves something alone” of its own here" in said(at)


def test_the_table_has_the_room_and_the_instalment(open_app):
    at = ready(open_app(dataset="german", v="2"))
    solution = solve_scenario(scenario_of(at))
    case, x = solution.case, solution.plan.x
    for interval in room_to_move(case.dataset, case.problem, x).intervals:
        room = row_of(at, interval.feature)["room"]
        assert (room["low"], room["high"]) == (interval.low, interval.high)
        assert f"{interval.feature}: {room['words']}" == interval.sentence
    (instalment,) = case.dataset.schema.describe_derived(case.x0, x)
    (shown,) = part(at, "plan table")["derived"]
    assert shown["then"] == f"{instalment.after:,.0f} {instalment.unit}"
    assert "Anywhere within the room to move" in said(at)


def test_real_people_like_the_plan_are_shown(open_app):
    at = ready(open_app(dataset="german", v="2", tab="Why it holds"))
    solution = solve_scenario(scenario_of(at))
    rows = [each.row for each in nearest_people(solution.case.dataset, solution.plan.x)]
    shown = next(f.value for f in at.dataframe if "Plan" in f.value.columns)
    assert list(shown.columns) == ["Plan", *(f"Row {row}" for row in rows)]
    people = load_dataset("german").present
    assert (people.y[rows] == 1).all()
    durations = [f"{people.people['Duration'].iloc[row]:g} months" for row in rows]
    assert list(shown.loc["Duration"])[1:] == durations


def test_the_dial_and_the_rules_change_the_plan_and_the_link(open_app):
    at = ready(open_app(dataset="german", v="2"))
    start = scenario_of(at)
    assert widget(at, "set plausibility").value == start.plausibility == 0.05
    assert widget(at, "set domain_rules").value and start.domain_rules
    widget(at, "set plausibility").set_value(0.1).run()
    assert scenario_of(ready(at)) == replace(start, plausibility=0.1)
    assert at.query_params["unusual"] in ("0.1", ["0.1"])
    reasons = "\n".join(each.value for each in at.sidebar.caption)
    for rule in load_dataset("german").preset("sensible").rules:
        assert plain(rule.reason) in reasons
    widget(at, "set domain_rules").set_value(False).run()
    free = replace(start, plausibility=0.1, domain_rules=False)
    assert scenario_of(ready(at)) == free
    solution = solve_scenario(free)
    sentence = solution.case.dataset.schema.sentence(solution.case.x0, solution.plan.x)
    assert plan_title(at) == sentence
    widget(at, "set plausibility").set_value(0.0).run()
    assert scenario_of(ready(at)) == replace(free, plausibility=None)


def test_a_share_between_those_offered_stays(open_app):
    at = ready(open_app(dataset="german", v="2", unusual="0.07"))
    assert widget(at, "set plausibility").value == 0.07 and scenario_of(at).plausibility == 0.07
