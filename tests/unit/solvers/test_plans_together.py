"""Everything around the kernel for many people: the same as for one person, for any batch."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from benchmarks import comparison
from dirrac_core.bulk.planner import NUMBERS, Planner
from dirrac_core.case.case import bundle_of, formulate, make_case
from dirrac_core.case.realism import Allowed
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.data import with_constant
from dirrac_core.data.actionability import FeatureRule, edited_actions
from dirrac_core.data.many_actions import many_actions
from dirrac_core.data.schema.many_people import rounded_people, rules_held, sentences
from dirrac_core.data.upload.table import table_dataset
from dirrac_core.errors import InvalidActions
from dirrac_core.methods.dirrac import Dirrac
from dirrac_core.progress import never, no_progress
from dirrac_core.recourse.find import promise_words
from dirrac_core.solvers.batch.build import crowd_from
from dirrac_core.solvers.batch.crowd import crowd_of, shared_of
from dirrac_core.studies import measures
from dirrac_core.studies.measures import Judge, measure_all
from dirrac_core.studies.people import everybody
from dirrac_core.studies.people.everybody import KERNEL
from dirrac_core.studies.people.many_plans import ManyPlanner
from dirrac_core.studies.people.portfolio import PortfolioPlanner, case_portfolio

LIKE = {"components": 1, "plausibility": 0.05, "domain_rules": True}


def world(settings, people=12):
    bundle = bundle_of(settings)
    dirrac, _ = formulate(settings, bundle)
    X = bundle.dataset.present.X[bundle.declined[:people]]
    return bundle, dirrac, Allowed.of(bundle.dataset, settings, dirrac), X


def rows_of(crowd, person):
    """The rows a person has, in an order of their own."""
    there = crowd.kinds[:, person] != 0
    rows = np.column_stack(
        [crowd.rows[there, :, person], crowd.limits[there, person], crowd.kinds[there, person]]
    )
    return rows[np.lexsort(rows.T)]


@pytest.mark.parametrize("name", ["german", "sba", "student"])
@pytest.mark.parametrize(
    "options",
    [
        {"components": 1},
        LIKE,
        {"components": 1, "preset": "free"},
        {"components": 2, "radius_unit": "deviations"},
    ],
    ids=["plain", "like real people", "free", "deviations"],
)
def test_the_crowd_of_many_is_that_of_each(name, options):
    settings = Settings(name, **options)
    bundle, dirrac, allowed, X = world(settings)
    found = 0
    for places, actions in allowed.many_actions(X):
        sets = [
            replace(dirrac, current_model=None)
            .problem(with_constant(X[p]), allowed.actions(X[p]))
            .unbounded
            for p in places
        ]
        objective = dirrac.objective()
        x0 = np.ascontiguousarray(with_constant(X[places]).T)
        many = crowd_from(shared_of(sets[0], objective), sets[0].radii, True, x0, actions)
        alone = crowd_of(sets, objective)
        for part in ("lower", "upper", "weights", "sizes", "units", "cost_unit", "cone_limit"):
            np.testing.assert_allclose(getattr(many, part), getattr(alone, part), rtol=1e-12)
        for person in range(places.size):
            np.testing.assert_allclose(rows_of(many, person), rows_of(alone, person), atol=1e-12)
        found += places.size
    assert found == len(X)


def test_edited_ranges_and_directions_are_those_of_each():
    edits = (
        FeatureRule("Absences", "down", low=2.0, effort=2.0),
        FeatureRule("Study time", "up"),
        FeatureRule("Health", "down"),
        FeatureRule("Second grade", "both", low=8.0, high=18.0),
    )
    settings = Settings("student", components=1, edits=edits)
    bundle, dirrac, allowed, X = world(settings, 30)
    ((places, actions),) = allowed.many_actions(X)
    assert places.tolist() == list(range(30))
    # Who is below the least number already cannot go down to it: refused, as alone.
    below = bundle.dataset.present.people["Absences"].to_numpy()[bundle.declined[:30]] < 2
    assert 0 < below.sum() < 30
    with pytest.raises(InvalidActions, match="only go down"):
        allowed.actions(X[below][0])
    np.testing.assert_array_equal(actions.refused, below)
    for person in np.flatnonzero(~below)[:8]:
        one = allowed.actions(X[person])
        np.testing.assert_allclose(actions.lower[:, person], one.lower, atol=1e-15)
        np.testing.assert_allclose(actions.upper[:, person], one.upper, atol=1e-15)
        np.testing.assert_allclose(actions.weights[:, person], one.weights)


@pytest.mark.parametrize("preset", ["sensible", "free"])
def test_a_table_with_gaps_and_far_values_has_the_actions_of_each(preset):
    """Beyond the usual range nobody has to come back, and nobody may move into a gap."""
    rng = np.random.default_rng(0)
    income, age = np.exp(rng.normal(3.0, 0.8, 600)).round(1), rng.integers(18, 80, 600)
    job = rng.choice(["clerk", "nurse", "other"], 600).astype(object)
    savings = rng.normal(50.0, 20.0, 600).round(1).astype(object)
    savings[::7], job[::11] = None, None
    paid = np.where(income / 20 + age / 50 + rng.normal(0.0, 0.7, 600) > 2.2, "yes", "no")
    table = {"income": income, "age": age, "job": job, "savings": savings, "paid": paid}
    dataset, _ = table_dataset(pd.DataFrame(table), label="paid", favourable="yes")
    X = dataset.present.X
    many = many_actions(dataset, preset, (), X)
    rows = np.arange(600)
    unknown = (rows % 7 == 0) | (rows % 11 == 0)
    np.testing.assert_array_equal(many.refused, unknown)
    assert (np.abs(X - 0.5) > 0.5 + 1e-9).any(axis=1)[~unknown].any()
    for person in np.flatnonzero(~unknown):
        one = edited_actions(dataset, preset, (), X[person])
        np.testing.assert_array_equal(many.lower[:, person], one.lower)
        np.testing.assert_array_equal(many.upper[:, person], one.upper)
        assert set(many.locked) == set(one.locked)


@pytest.mark.parametrize("name", ["german", "sba", "student"])
def test_rounding_rules_and_sentences_are_those_of_each(name):
    bundle, _, _, X0 = world(Settings(name, components=1), 40)
    schema = bundle.dataset.schema
    rng = np.random.default_rng(3)
    X = np.clip(X0 + rng.normal(0.0, 0.2, X0.shape) * (rng.random(X0.shape) < 0.4), 0.0, 1.0)
    rounded = rounded_people(schema, X, X0)
    held = rules_held(schema, X)
    told = sentences(schema, X0, rounded)
    for place in range(len(X)):
        alone = schema.rounded(X[place], X0[place])
        np.testing.assert_allclose(rounded[place], alone, atol=1e-14)
        assert held[:, place].tolist() == [rule.holds for rule in schema.check_rules(X[place])]
        assert told[place] == schema.sentence(X0[place], rounded[place])
    assert sentences(schema, X0[:1], X0[:1]) == ["Change nothing."]


def agreeing(case_rows, alone):
    """The rows of the kernel against those of one person after the other."""
    for column in (*NUMBERS, "worst_case"):
        tolerance = 1e-12 if column in ("m2", "features_changed") else 1e-7
        np.testing.assert_allclose(
            case_rows[column].to_numpy(float), alone[column].to_numpy(float), atol=tolerance
        )


@pytest.mark.parametrize(
    "scenario",
    [
        Scenario("german", 1, components=1),
        Scenario("sba", 1, components=2, link="gaussian"),
        Scenario("student", 1, **LIKE),
    ],
    ids=["german", "sba", "student like real people"],
)
def test_a_portfolio_together_is_that_of_each(scenario):
    case = make_case(scenario)
    rows = case.bundle.declined[:12]
    frame = case_portfolio(case, rows, jobs=1)
    planner = PortfolioPlanner.of(case)
    X = case.dataset.present.X[rows]
    alone = pd.DataFrame(
        [
            planner(measures.Applicant(int(row), with_constant(x), planner.allowed.actions(x)))
            for row, x in zip(rows, X, strict=True)
        ]
    )
    assert frame["row"].tolist() == rows.tolist() and frame.attrs["complete"]
    assert (frame["solved_by"] == KERNEL).sum() == len(rows) - frame.attrs["one_by_one"]
    assert frame.attrs["one_by_one"] <= 6 and (alone["solved_by"] == "certified").all()
    assert frame["status"].tolist() == alone["status"].tolist()
    agreeing(frame, alone)
    found = frame["found"].to_numpy(bool)
    assert found.sum() > 6
    for x, other in zip(frame["x"][found], alone["x"][found], strict=True):
        np.testing.assert_allclose(x, other, atol=1e-9)
    # Every number of a row, those in words too, is of the plan of that row.
    for each in (frame, alone):
        told = each[found]
        pairs = zip(told["worst_case"], told["lower_bound"], strict=True)
        assert told["message"].tolist() == [promise_words(*pair) for pair in pairs]


@pytest.mark.parametrize("batch", [1, 5])
def test_rows_do_not_depend_on_the_batch(monkeypatch, batch):
    planner = Planner.of(Settings("german", components=2), rounded=True)
    X = bundle_of(planner.allowed.settings).dataset.present.X[:40]
    X = X[~planner.dirrac.current.decision(X)][:11]
    whole = planner.everybody(X, 1, no_progress, never)
    monkeypatch.setattr(everybody, "BATCH", batch)
    parts = planner.everybody(X, 1, no_progress, never)
    assert whole.complete and parts.complete and whole.one_by_one == parts.one_by_one
    pd.testing.assert_frame_equal(whole.rows, parts.rows, check_exact=True)


@pytest.mark.parametrize(
    ("people", "workers", "sizes"),
    [
        (1024, 1, [1024]),
        (1200, 1, [600, 600]),
        (1180, 2, [590, 590]),
        (2100, 2, [525, 525, 525, 525]),
        (1025, 4, [257, 257, 257, 254]),
    ],
)
def test_every_worker_has_as_much_to_do(people, workers, sizes):
    size = everybody._even_size(people, workers)
    assert [min(size, people - first) for first in range(0, people, size)] == sizes


def test_a_cancelled_run_is_a_first_part(monkeypatch):
    monkeypatch.setattr(everybody, "BATCH", 4)
    case = make_case(Scenario("german", 1, components=1))
    rows = case.bundle.declined[:12]
    answers = iter([False, False])
    frame = case_portfolio(case, rows, 1, cancel=lambda: next(answers, True))
    assert frame["row"].tolist() == rows[:8].tolist() and not frame.attrs["complete"]


def test_methods_asked_together_are_those_asked_one_by_one(monkeypatch):
    case = make_case(Scenario("german", 1, components=1))
    judge = Judge.of(case.bundle)
    planner = PortfolioPlanner.of(case)
    people = [
        measures.Applicant(
            int(row),
            with_constant(case.dataset.present.X[row]),
            planner.allowed.actions(case.dataset.present.X[row]),
        )
        for row in case.bundle.declined[:10]
    ]
    methods = [replace(case.dirrac, delta_add=0.1), case.dirrac]
    asked = []
    together = Dirrac.recourse_many
    monkeypatch.setattr(
        Dirrac, "recourse_many", lambda self, who: asked.append(len(who)) or together(self, who)
    )
    many = measure_all(people, methods, judge, jobs=1)
    monkeypatch.setattr(measures, "FEW", 100)
    alone = measure_all(people, methods, judge, jobs=1)
    assert asked == [10, 10] and many.complete and alone.complete
    for one, other in zip(many.results, alone.results, strict=True):
        for mine, theirs in zip(one, other, strict=True):
            assert (mine.m1, mine.m2, mine.parameter) == (theirs.m1, theirs.m2, theirs.parameter)
            assert mine.plan.message == theirs.plan.message and mine.keeps_rules
            np.testing.assert_allclose(mine.plan.x, theirs.plan.x, atol=1e-6)


def test_other_questions_are_asked_one_by_one():
    case = make_case(Scenario("german", 1, components=2))
    allowed = Allowed.of(case.dataset, case.scenario, case.dirrac)
    cheap = replace(allowed, settings=replace(case.scenario, plan_kind="cheapest"))
    assert ManyPlanner(case.dirrac, allowed, True).applies
    assert not ManyPlanner(case.dirrac, cheap, True).applies
    for change in ({"solver": "projected_gradient"}, {"current_model": None}):
        assert not ManyPlanner(replace(case.dirrac, **change), allowed, True).applies


def test_a_sample_of_the_comparison_agrees(monkeypatch):
    monkeypatch.setattr(comparison, "BLOCK", 8)
    for block in (0, 1, 2):
        found = comparison.compared(23, block)
        assert found["differing"] == [] and found["verdicts"][comparison.AGREES] > 0


def test_the_comparison_notices_a_wrong_answer():
    case = make_case(Scenario("german", 1, components=1))
    problem = case.problem
    bad = problem.unbounded.cheapest.x
    delta = problem.delta_min + 0.3
    assert "value" in comparison.difference(problem, bad, 0.0, delta)
    assert "breaks" in comparison.difference(problem, problem.x0, 0.0, delta)
    assert "whole units" in comparison.worse(problem, bad, 0.0)
