"""The workbench of boosted trees on a small case: facts, reasons, regions, what-if, no plan."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dirrac_core.case import trees_case
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.models.boosted.training import BoostingSettings
from dirrac_core.trees import retrained

SMALL = BoostingSettings(trees=15, learning_rate=0.3)


@pytest.fixture(scope="module")
def case():
    scenario = Scenario("german", model="trees", futures="sampling", applicant=11)
    bundle = trees_case.bundle_of(scenario)
    models = retrained(bundle.dataset, planned=4, fresh=12, settings=SMALL)
    return trees_case.tree_case_of(scenario, bundle, models)


def script(case, plan):
    from pages.recourse.trees import show

    show.case_when_ready = lambda scenario: case
    show.plan_when_ready = lambda found: plan
    show.show_tree_plan(case.scenario)


def shown(case):
    plan = trees_case.solve_trees(case).plan
    return AppTest.from_function(script, kwargs={"case": case, "plan": plan}, default_timeout=120)


def test_the_plan_its_promise_and_its_regions(case):
    page = shown(case).run()
    assert not page.exception
    told = " ".join(element.value for element in page.markdown)
    assert "FRESH RE-TRAININGS · AN ASSUMPTION" in told and "of 4 accept" in told
    assert "Today’s model **accepts** this" in told
    assert len(page.get("plotly_chart")) == 1


def test_without_a_plan_it_says_what_would_open_one(case):
    locked = tuple(FeatureRule(f.name, "no") for f in case.dataset.schema.features)
    closed = trees_case.tree_case_of(
        replace(case.scenario, edits=locked), case.bundle, case.retrainings
    )
    page = shown(closed).run()
    assert not page.exception and page.warning
    assert any("may change freely" in element.value for element in page.markdown)
