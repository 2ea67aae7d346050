"""Boosted trees on the other pages: frontier, regions, everyone, and what has no such part."""

from dataclasses import replace

import pytest
from screen import button, charts, part, ready, said, send

from dirrac_core import load_dataset
from dirrac_core.case.nonlinear.trees import search_with_news
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.models.boosted.training import BoostingSettings
from dirrac_core.studies.evidence.track_record import track_record
from dirrac_core.trees.answer import CANCELLED
from dirrac_core.trees.retrainings import retrained
from pages.runs import tree_plans
from pages.shared.address.links import to_query
from pages.shared.promise import record_sentence

SMALL = BoostingSettings(trees=12, learning_rate=0.3)
SETTINGS = {"dataset": "german", "model": "trees", "applicant": 11}
ADDRESS = {"dataset": "german", "model": "trees", "applicant": "11"}


@pytest.fixture
def small(at_once, monkeypatch):
    """Few and small re-trainings, trained here and finished at once."""

    def here(function, arguments, progress, cancel, grace=0.0):
        if function is retrained:
            return retrained(*arguments, planned=3, fresh=6, settings=SMALL)
        stoppable = {"cancel": cancel} if grace else {}
        return function(*arguments, progress=progress, **stoppable)

    monkeypatch.setattr(tree_plans, "run_apart", here)
    tree_plans._trained.clear()
    tree_plans._solved.clear()
    tree_plans._menus.clear()


def test_the_frontier_shows_the_cheapest_plans_and_takes_one_along(small, open_app):
    at = ready(open_app("frontier", **ADDRESS))
    assert "what lasting acceptance costs" in said(at) and "Today’s model alone" in said(at)
    assert "linear approximation" not in said(at)
    (chart,) = charts(at)
    drawn = chart.figure["data"]
    assert [trace["name"] for trace in drawn] == ["re-trainings planned on", "fresh re-trainings"]
    assert drawn[0]["x"] == sorted(drawn[0]["x"])
    at = at.selectbox(key="tree frontier plan").select_index(0).run()
    at = button(at, "Take it").click().run()
    assert at.query_params["plan"] == "cheapest"


def test_geometry_shows_the_exact_regions(small, open_app):
    at = ready(open_app("geometry", **ADDRESS))
    assert "where boosted trees accept" in said(at) and "Exact: within a cell" in said(at)
    (chart,) = charts(at)
    heat = chart.figure["data"][0]
    assert heat["type"] == "heatmap" and heat["zmax"] == 3
    at = at.selectbox(key="across").set_value("Age").run()
    assert not at.exception and "Exact" in said(at)


def test_everyone_gets_a_plan_within_the_time_for_each(small, open_app):
    at = ready(open_app("portfolio", **ADDRESS, portfolio_first="2"))
    at = button(at, "Plan for 2 people").click().run()
    assert not at.exception and "Of 2 declined people" in said(at)
    (table,) = at.dataframe
    assert len(table.value) == 2 and set(table.value["Proved"]) <= {"✓ yes", "✗ no"}


def test_pages_without_a_part_for_trees_say_so(small, open_app):
    at = ready(open_app("future_models", **ADDRESS))
    assert "replaced by a linear approximation" in said(at)


def test_stopped_re_trainings_leave_nothing_behind_and_can_be_started_again(
    small, runs, open_app, monkeypatch
):
    def stopped(function, arguments, progress, cancel, grace=0.0):
        runs["tree re-trainings"].stop()
        assert cancel()

    trained_here = tree_plans.run_apart
    monkeypatch.setattr(tree_plans, "run_apart", stopped)
    at = ready(open_app("geometry", **ADDRESS))
    assert "Exact: within a cell" not in said(at)
    monkeypatch.setattr(tree_plans, "run_apart", trained_here)
    at = button(at, "Start again").click().run()
    assert "Exact: within a cell" in said(ready(at))


def test_a_search_that_is_stopped_shows_the_best_plan_so_far(small, runs, open_app, monkeypatch):
    here = tree_plans.run_apart

    def stopped(function, arguments, progress, cancel, grace=0.0):
        found = here(function, arguments, progress, cancel, grace)
        if function is not search_with_news:
            return found
        runs["tree plan"].stop()
        assert grace and cancel()
        return replace(found, status=CANCELLED)

    monkeypatch.setattr(tree_plans, "run_apart", stopped)
    at = ready(open_app("recourse", **ADDRESS))
    assert "Stopped: this is the best plan found until then" in said(at)
    assert "of 3 accept" in said(at) and button(at, "Start again")
    assert not tree_plans._solved(Scenario(**SETTINGS))


def test_the_workbench_has_the_plan_its_promise_and_the_letter(small, open_app):
    at = ready(open_app("recourse", **ADDRESS, v="2"))
    told = said(at)
    record = track_record(recommended("german", "trees"))
    assert record is not None and record_sentence(record) in told
    assert "MODELS OF OTHER PEOPLE · AN ASSUMPTION" in told and "of 3 accept" in told
    assert "Today’s model **accepts** this" in told and "not a guarantee" in told
    assert len(at.get("iframe")) == 1


def test_without_a_plan_it_says_what_would_open_one(small, open_app):
    names = [feature.name for feature in load_dataset("german").schema.features]
    locked = Scenario(**SETTINGS, edits=tuple(FeatureRule(name, "no") for name in names))
    at = ready(open_app("recourse", **to_query(locked)))
    assert at.warning and "may change freely" in said(at)


def test_another_plan_of_the_menu_becomes_the_plan(small, open_app):
    wide = Scenario(**SETTINGS, futures="sampling", delta_add=1.0)
    at = ready(open_app("recourse", **to_query(wide)))
    cards = part(at, "tree plan cards")["cards"]
    assert len(cards) >= 2 and [card["chosen"] for card in cards].count(True) == 1
    assert all("of 3 accept" in card["effort"] for card in cards)
    at = ready(send(at, "tree plan cards", "choose", 1))
    again = part(at, "tree plan cards")["cards"]
    assert [card["chosen"] for card in again].index(True) == 1
    assert at.query_params["plan"] != "safest" and cards[1]["sentence"] in said(at)
