"""Re-trainings, promises, reasons, ways out and regions; scenarios about boosted trees."""

import datetime
import html
import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from dirrac_core import load_dataset
from dirrac_core.case.documents.tree_letter import tree_letter
from dirrac_core.case.nonlinear import trees as trees_case
from dirrac_core.case.nonlinear.tree_menu import menu_of, menu_plans
from dirrac_core.case.scenario import Scenario
from dirrac_core.cli import plan as plan_command
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.palette import alt_text
from dirrac_core.figures.plane.tree_regions import draw_tree_regions
from dirrac_core.figures.tree_frontier import draw_tree_frontier
from dirrac_core.models.boosted.training import BoostingSettings
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.models.futures.shift import Shift
from dirrac_core.studies.people.tree_portfolio import tree_portfolio, tree_verdict
from dirrac_core.trees import retrained, retrainings
from dirrac_core.trees.frontier import frontier_plans, points_of
from dirrac_core.trees.method import ExactTrees
from dirrac_core.trees.promise import Promise, next_sample, upper_bound
from dirrac_core.trees.reasons import tree_contributions
from dirrac_core.trees.regions import acceptance_regions
from dirrac_core.trees.ways_out import ways_out

SMALL = BoostingSettings(trees=15, learning_rate=0.3)
DAY = datetime.date(2026, 11, 16)
SCENARIO = Scenario("german", model="trees", futures="sampling", applicant=11)


@pytest.fixture(scope="module")
def german():
    return load_dataset("german")


@pytest.fixture(scope="module")
def case():
    """The scenario with few and small re-trainings."""
    patch = pytest.MonkeyPatch()
    patch.setattr(
        trees_case,
        "retrained",
        lambda data, shifts, bootstrap, seed, **given: retrained(
            data, shifts, bootstrap, seed, 4, 12, SMALL, **given
        ),
    )
    yield trees_case.make_tree_case(SCENARIO)
    patch.undo()


def test_planned_and_fresh_models_are_drawn_apart(german):
    models = retrained(german, bootstrap=Bootstrap(), planned=3, fresh=3, settings=SMALL)
    again = retrained(german, bootstrap=Bootstrap(), planned=3, fresh=3, settings=SMALL)
    X = german.present.X[:50]
    scores = [model.log_odds(X) for model in (*models.planned, *models.fresh)]
    assert all(not np.allclose(a, b) for i, a in enumerate(scores) for b in scores[:i])
    pairs = zip(models.fresh, again.fresh, strict=True)
    assert all((a.log_odds(X) == b.log_odds(X)).all() for a, b in pairs)


def test_declared_shifts_move_the_models(german):
    shift = Shift("prior-shift", strength=1.0)
    harder = retrained(german, [shift], Bootstrap(), planned=2, fresh=0, settings=SMALL)
    usual = retrained(german, (), Bootstrap(), planned=2, fresh=0, settings=SMALL)
    X = german.present.X
    assert harder.planned[0].decision(X).mean() < usual.planned[0].decision(X).mean() - 0.2
    with pytest.raises(InvalidInput, match="'history'"):
        retrained(german, [Shift("history", 1.0, value="a")], planned=1, fresh=0)
    assert retrained(german, planned=2, fresh=0, cancel=lambda: True) is None


@pytest.mark.parametrize(("declined", "fresh"), [(0, 100), (3, 100), (17, 40)])
def test_the_bound_is_clopper_and_pearsons(declined, fresh):
    bound = upper_bound(declined, fresh)
    assert stats.binom.cdf(declined, fresh, bound) == pytest.approx(0.05, abs=1e-9)
    assert upper_bound(5, 5) == 1.0
    with pytest.raises(InvalidInput, match="declined must be"):
        upper_bound(6, 5)


def test_the_sentence_never_rounds_a_promise_down():
    said = Promise(0, 100, upper_bound(0, 100), 0.1001).sentence
    assert "at most 3 in 100" in said and "at most 11 in 100" in said


def _simulated(rng, mean, samples, between=0.8, within=1.0):
    """Log-odds of four models of each of so many samples, and the sample of each."""
    sample = np.repeat(np.arange(samples), 4)
    return rng.normal(rng.normal(mean, between, samples)[sample], within), sample


def test_the_bound_for_the_next_sample_is_a_normal_prediction():
    margins, sample = _simulated(np.random.default_rng(0), 5.0, 4000)
    # The mean of four models scatters by √(0.8² + ¼); the next centre and what is known of it, √3.
    low = 5.0 - 1.645 * np.sqrt(3.0) * np.sqrt(0.8**2 + 0.25)
    bound = next_sample(margins, sample, 2.0)
    assert -stats.norm.ppf(bound) == pytest.approx(low, abs=0.05)
    assert next_sample(margins, sample, 4.0) > next_sample(margins, sample, 2.0)
    # One sample says nothing of others, and one model of each nothing of the spread within.
    assert next_sample(margins[:4], sample[:4], 2.0) == 1.0
    assert next_sample(margins[::4], sample[::4], 2.0) == 1.0
    pairs = np.repeat([0, 1], 2)
    assert next_sample(np.full(4, 2.0), pairs, 1.0) == 0.0
    assert next_sample(np.full(4, -2.0), pairs, 1.0) == 1.0


def test_the_bound_for_the_next_sample_holds_in_95_of_100_samples():
    rng, kept = np.random.default_rng(1), []
    for _ in range(400):
        # What is known of the truth comes from half as many people as the next sample has.
        known, later = rng.normal(2.0, 0.8 * np.sqrt(2.0)), rng.normal(2.0, 0.8)
        next_models = rng.normal(later, 1.0, 100)
        kept.append((next_models < 0.0).mean() <= next_sample(*_simulated(rng, known, 25), 2.0))
    assert 0.94 <= np.mean(kept) <= 0.995


def test_next_samples_hold_people_whose_outcome_was_drawn(german):
    noise = Shift("sampling-noise")
    pool = retrainings._halves(german, noise, 0)[1]
    chances = retrainings._chances(german, noise, 0, SMALL)
    assert ((chances > 0.0) & (chances < 1.0)).all()
    # Said by models that have not seen them, and right on average.
    assert chances.mean() == pytest.approx(pool.y.mean(), abs=0.01)
    assert chances[pool.y == 1].mean() > chances[pool.y == 0].mean()
    sample = retrainings._next_sample(german, noise, Bootstrap(), 0, 0, SMALL)
    assert len(sample.y) == len(german.present)
    place = {tuple(row): y for row, y in zip(pool.X, pool.y, strict=True)}
    drawn = np.array([place[tuple(row)] for row in sample.X])
    assert 0.1 < (drawn != sample.y).mean() < 0.5
    models = retrained(german, (), Bootstrap(), 0, 1, 6, SMALL)
    assert models.fresh_sample == (0, 0, 0, 0, 1, 1) and models.size_ratio == (2.0,)


def test_plans_and_promises_have_no_person_in_common(german):
    planned, fresh = retrainings._halves(german, Shift("sampling-noise"), 0)
    assert len(planned.y) + len(fresh.y) == len(german.present)
    rows = np.vstack([planned.X, fresh.X])
    assert sorted(map(tuple, rows)) == sorted(map(tuple, german.present.X))
    assert abs(planned.y.mean() - fresh.y.mean()) < 0.005


def test_a_scenario_is_answered_and_reproduced(case):
    solution = trees_case.solve_trees(case)
    plan = solution.plan
    assert plan.status == "optimal" and case.problem.accepted_today(plan.x)
    assert solution.promise.fresh == 12
    again = trees_case.tree_answer(trees_case.solve_trees(case))
    assert again == trees_case.tree_answer(solution)
    cheapest = replace(case, scenario=replace(case.scenario, plan_kind="cheapest", level=0.5))
    found = trees_case.solve_trees(cheapest).plan
    assert found.accepted >= 2 and found.cost <= plan.cost + 1e-9


def test_every_plan_of_the_menu_is_what_its_kind_of_plan_is_answered_with(case):
    case = replace(case, scenario=replace(case.scenario, delta_add=1.0))
    choices = menu_of(case, menu_plans(case.problem, case.scenario))
    safest = choices[0]
    assert safest.kind == "safest" and len(choices) >= 2
    plans = [choice.solution.plan for choice in choices]
    assert len({plan.x.tobytes() for plan in plans}) == len(plans)
    for choice in choices:
        asked = replace(case, scenario=replace(case.scenario, plan_kind=choice.kind))
        again = trees_case.solve_trees(asked)
        assert trees_case.tree_answer(again) == trees_case.tree_answer(choice.solution)
        assert case.problem.accepted_today(again.plan.x) and choice.solution.promise is not None
        assert again.plan.cost <= safest.solution.plan.delta + 1e-6
        assert len(choice.changed) <= len(safest.changed) or choice.kind != "fewest"
        if choice.kind == "sparing":
            assert set(safest.changed) - set(choice.changed)
    assert menu_plans(case.problem, case.scenario, cancel=lambda: True) == {}


def test_kinds_and_models_that_trees_do_not_have_are_refused():
    with pytest.raises(InvalidInput, match="kinds of plan"):
        trees_case.make_tree_case(replace(SCENARIO, plan_kind="more effort"))
    with pytest.raises(InvalidInput, match="must be 'trees'"):
        trees_case.make_tree_case(replace(SCENARIO, model="logistic"))
    with pytest.raises(InvalidInput, match="'history'"):
        replace(SCENARIO, futures="history")


def test_reasons_add_up_to_the_gap(case, german):
    pulls = tree_contributions(case.problem, german.present)
    typical = {pull.feature: pull.typical for pull in pulls}
    today = case.problem.today
    gap = today.log_odds(case.x0[None, :-1]) - today.log_odds(german.schema.encode(typical))
    assert sum(pull.contribution for pull in pulls) == pytest.approx(gap[0], abs=1e-9)


def test_what_would_open_a_plan(case):
    locked = tuple(FeatureRule(f.name, "no") for f in case.dataset.schema.features)
    closed = trees_case.tree_case_of(
        replace(case.scenario, edits=locked), case.bundle, case.retrainings
    )
    assert trees_case.solve_trees(closed).plan.status == "infeasible"
    ways = ways_out(closed.problem)
    assert ways and all("Age" not in way.words for way in ways)
    assert [way.cost for way in ways] == sorted(way.cost for way in ways)


def test_regions_hold_for_every_point_of_a_cell(case):
    schema, names = case.dataset.schema, ("Duration", "Credit amount")
    regions = acceptance_regions(case.problem, names, case.x0)
    rng = np.random.default_rng(0)
    for _ in range(40):
        x, place = case.x0.copy(), []
        for name, edges in zip(names, regions.edges, strict=True):
            value = rng.uniform(edges[0], edges[-1])
            x[schema.columns_of(name)[0]] = schema.feature(name).scaled(value)
            place.append(int(np.searchsorted(edges, value)) - 1)
        cell = (place[1], place[0])
        assert regions.accepted[cell] == case.problem.decisions(x).sum()
        assert regions.today[cell] == case.problem.accepted_today(x)
    assert "cells" in alt_text(draw_tree_regions(regions, (48, 4308), (12, 3900)))
    with pytest.raises(InvalidInput, match="two numbers"):
        acceptance_regions(case.problem, ("Duration", "Status"), case.x0)


def test_the_frontier_rises(case):
    plans = frontier_plans(case.problem)
    points = points_of(case.problem, case.retrainings.fresh, plans)
    costs = [point.cost for point in points]
    assert costs == sorted(costs) and all(point.accepted >= point.at_least for point in points)
    assert "effort" in alt_text(draw_tree_frontier(points))


def test_the_command_plans_for_trees(case, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(plan_command, "make_tree_case", lambda scenario: case)
    answer = trees_case.tree_answer(trees_case.solve_trees(case))
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps({**json.loads(SCENARIO.to_json()), "answer": answer}))
    from dirrac_core.__main__ import main

    assert main(["plan", str(path)]) == 0
    said = capsys.readouterr().out
    assert "fresh re-trainings" in said and "Reproduced" in said


def test_a_letter_says_the_plan_what_was_counted_and_that_nothing_is_guaranteed(case):
    solution = trees_case.solve_trees(case)
    checked = "At settings like these, 1 of 40 promises was broken."
    page = " ".join(tree_letter(solution, "http://host/?a=<b>", DAY, checked).split())
    plan, promise = solution.plan, solution.promise
    for words in (
        case.dataset.schema.sentence(case.x0, plan.x),
        promise.sentence,
        f"{promise.declined} of {promise.fresh} decline it",
        f"{plan.accepted} of them accept the plan",
        "they are not proved. At settings like these, 1 of 40 promises was broken.",
        "16 November 2026",
        "http://host/?a=<b>",
    ):
        assert html.escape(words) in page
    assert ("no useful promise" in page) == (promise.at_most > 0.5)
    for share, useless in ((0.4, False), (0.6, True)):
        other = replace(solution, promise=replace(promise, at_most=share))
        assert ("no useful promise" in tree_letter(other, "", DAY)) == useless
    locked = tuple(FeatureRule(f.name, "no") for f in case.dataset.schema.features)
    closed = trees_case.tree_case_of(
        replace(case.scenario, edits=locked), case.bundle, case.trained
    )
    with pytest.raises(InvalidInput, match="A letter needs a plan"):
        tree_letter(trees_case.solve_trees(closed), "", DAY)


def test_everyone_is_planned_for_alike_and_a_cancel_keeps_the_first(case):
    rows = case.bundle.declined[:3]
    frame = tree_portfolio(case, rows, jobs=1)
    assert frame.attrs["complete"] and frame["row"].tolist() == rows.tolist()
    own = replace(case.scenario, applicant=int(rows[1]))
    alone = trees_case.solve_trees(trees_case.tree_case_of(own, case.bundle, case.trained))
    assert frame["cost"][1] == alone.plan.cost
    assert frame["promised"][1] == alone.promise.at_most
    verdict = tree_verdict(frame)
    assert verdict.asked == 3 and verdict.plans == int(frame["found"].sum())
    asked = iter((False, False, True, True, True))
    part = tree_portfolio(case, rows, jobs=1, cancel=lambda: next(asked))
    assert not part.attrs["complete"] and len(part) < 3


def test_the_exact_method_is_asked_like_any_other(case):
    settings = (case.problem.retrainings, case.scenario.delta_add, case.scenario.cost)
    method = ExactTrees(case.today, case.dataset.schema, *settings)
    plan = method.recourse(case.x0, case.problem.actions)
    assert plan.accepted and plan.keeps_rules and "re-trainings accept" in plan.message
    assert plan.x.tolist() == trees_case.solve_trees(case).plan.x.tolist()
