"""The plan of the constraint program against every whole-unit plan there is."""

import itertools
import threading

import numpy as np
import pytest

from dirrac_core import load_dataset
from dirrac_core.data import with_constant
from dirrac_core.data.actionability import FeatureRule, edited_actions
from dirrac_core.data.plausibility import real_people
from dirrac_core.errors import InvalidInput
from dirrac_core.models.boosted.training import BoostingSettings, boosted_trainer
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.trees import TreeProblem, cheapest_accepted, most_accepted, retrained
from dirrac_core.trees.cp_sat.program import MARGIN_STEP
from dirrac_core.trees.cp_sat.search import WIDEST
from dirrac_core.trees.cp_sat.solving import Effort
from dirrac_core.trees.search import fewest_changes

SMALL = BoostingSettings(trees=8, depth=2, bins=8, learning_rate=0.5)
RANGE = (FeatureRule("Credit amount", "both", 500, 6000), FeatureRule("Duration", "both", 6, 40))


@pytest.fixture(scope="module")
def german():
    return load_dataset("german")


@pytest.fixture(scope="module")
def models(german):
    today = boosted_trainer(german, SMALL)(german.present.X, german.present.y, 0)
    trained = retrained(german, bootstrap=Bootstrap(), planned=5, fresh=5, settings=SMALL)
    return today, trained


def problem_of(german, models, row, edits=RANGE, rules=False, share=None, cost="l1"):
    x0 = with_constant(german.present.X[row])
    people = None if share is None else real_people(german, share)
    plan_rules = german.preset("sensible").rules if rules else ()
    actions = edited_actions(german, "sensible", edits, x0, plan_rules, people)
    return TreeProblem(german.schema, x0, actions, models[0], models[1].planned, cost)


def every_plan(german, problem):
    """All plans in whole units that keep every rule: (n, D) rows, written without the cells."""
    schema, x0 = german.schema, problem.x0
    own = schema.decode(x0)
    numbers = {}
    for name in ("Duration", "Credit amount"):
        feature = schema.feature(name)
        first = np.ceil(feature.low / feature.step)
        grid = np.arange(first, np.floor(feature.high / feature.step) + 1) * feature.step
        numbers[name] = sorted({*grid.tolist(), own[name]})
    rows = []
    for status, duration, amount in itertools.product(
        range(4), numbers["Duration"], numbers["Credit amount"]
    ):
        x = x0.copy()
        x[list(schema.columns_of("Status"))] = np.eye(4)[status]
        for name, value in (("Duration", duration), ("Credit amount", amount)):
            (column,) = schema.columns_of(name)
            if value != own[name]:
                x[column] = schema.feature(name).scaled(value)
        rows.append(x)
    rows = np.array(rows)
    bounds, actions = problem.bounds, problem.actions
    inner = rows[:, :-1]
    fits = ((inner >= bounds.lower - 1e-9) & (inner <= bounds.upper + 1e-9)).all(axis=1)
    for rule in actions.linear:
        level = inner @ rule.coefficients
        fits &= (level >= rule.low - 1e-9) & (level <= rule.high + 1e-9)
    if actions.plausible is not None:
        gap = (inner - actions.plausible.centre) @ actions.plausible.factor.T
        fits &= np.linalg.norm(gap, axis=1) <= actions.plausible.size
    return rows[fits]


def brute_force(german, problem):
    rows = every_plan(german, problem)
    rows = rows[problem.today.decision(rows[:, :-1])]
    margins = np.array([m.log_odds(rows[:, :-1]) - m.threshold for m in problem.retrainings])
    accepted = (margins >= 0.0).sum(axis=0)
    change = problem.bounds.weights * (rows[:, :-1] - problem.x0[:-1])
    costs = np.abs(change).sum(1) if problem.cost == "l1" else np.linalg.norm(change, axis=1)
    return accepted, costs, margins.min(axis=0)


def declined(german, models, count):
    return np.flatnonzero(~models[0].decision(german.present.X))[3 : 3 + count]


@pytest.mark.parametrize("given", [{}, {"rules": True, "share": 0.05}])
def test_the_fewest_changes_of_all_whole_unit_plans(german, models, given):
    (row,) = declined(german, models, 1)
    problem = problem_of(german, models, row, **given)
    accepted, costs, _ = brute_force(german, problem)
    rows = every_plan(german, problem)
    rows = rows[problem.today.decision(rows[:, :-1])]
    moved = np.abs(rows[:, :-1] - problem.x0[:-1]) > 1e-12
    schema = german.schema
    changes = sum(moved[:, list(schema.columns_of(f.name))].any(axis=1) for f in schema.features)
    within = costs <= costs.min() + 0.5 + 1e-9
    for wanted in (0, 3, 5):
        plan = fewest_changes(problem, wanted, 0.5)
        assert plan.status == "optimal"
        enough = within & (accepted >= min(wanted, accepted[within].max()))
        fewest = changes[enough].min()
        assert len(schema.describe_change(problem.x0, plan.x)) == fewest
        assert plan.cost == pytest.approx(costs[enough & (changes == fewest)].min(), abs=1e-6)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"rules": True},
        {"rules": True, "share": 0.05},
        {"cost": "l2"},
        {"rules": True, "cost": "l2"},
        {"edits": (RANGE[0], FeatureRule("Status", "no"), FeatureRule("Duration", "down"))},
        {"edits": (FeatureRule("Credit amount", "both", effort=3.0),)},
    ],
)
def test_best_of_all_whole_unit_plans(german, models, given):
    for row in declined(german, models, 1):
        problem = problem_of(german, models, row, **given)
        accepted, costs, margins = brute_force(german, problem)
        best = most_accepted(problem, 0.3)
        assert best.status == "optimal"
        delta_min = costs.min()
        assert best.delta_min == pytest.approx(delta_min, abs=1e-6)
        within = costs <= delta_min + 0.3 + 1e-9
        most = accepted[within].max()
        assert best.accepted == best.accepted_bound == most
        # Where all accept, the widest margin goes first, in steps.
        steps = np.floor(np.clip(margins, 0.0, WIDEST * MARGIN_STEP) / MARGIN_STEP) * (most == 5)
        best_of = within & (accepted == most)
        best_of &= steps == steps[best_of].max()
        assert best.cost == pytest.approx(costs[best_of].min(), abs=1e-6)
        for n in (0, 3):
            cheapest = cheapest_accepted(problem, n)
            assert cheapest.cost == pytest.approx(costs[accepted >= n].min(), abs=1e-6)
            assert cheapest.accepted >= n and problem.accepted_today(cheapest.x)


def test_a_plan_that_cannot_be_is_proved_not_to_be(german, models):
    row = declined(german, models, 1)[0]
    locked = tuple(FeatureRule(f.name, "no") for f in german.schema.features)
    answer = most_accepted(problem_of(german, models, row, edits=locked), 0.5)
    assert answer.status == "infeasible" and answer.x is None and answer.proved
    alone = cheapest_accepted(problem_of(german, models, row, edits=locked), 0)
    assert alone.message == answer.message and "accepted by today's model" in alone.message
    # No whole number of months between these.
    between = (FeatureRule("Duration", "both", 10.2, 10.8),)
    for found in (
        most_accepted(problem_of(german, models, row, edits=between), 0.5),
        cheapest_accepted(problem_of(german, models, row, edits=between), 0),
    ):
        assert found.status == "infeasible"
        assert found.message == "No plan: no value of Duration keeps every rule."


def test_without_re_trainings_the_answer_speaks_of_today(german, models):
    row = declined(german, models, 1)[0]
    answer = cheapest_accepted(problem_of(german, models, row).with_retrainings(()), 0)
    assert answer.message == "Proved: the cheapest plan that today's model accepts."


def test_the_same_seed_gives_the_same_plan(german, models):
    row = declined(german, models, 3)[2]
    first, second = (most_accepted(problem_of(german, models, row), 0.3) for _ in range(2))
    assert first.x.tolist() == second.x.tolist() and first.work == second.work


def test_better_plans_are_handed_on_and_keep_the_rules(german, models):
    row = declined(german, models, 1)[0]
    problem, seen = problem_of(german, models, row), []
    answer = cheapest_accepted(problem, 5, found=lambda x, cost: seen.append((x, cost)))
    assert seen and min(cost for _, cost in seen) <= answer.cost + 1e-9
    assert all(problem.checks(x) and problem.accepted_today(x) for x, _ in seen)


def test_cancel_ends_the_search_and_leaves_no_thread(german, models):
    row = declined(german, models, 1)[0]
    before = threading.active_count()
    answer = most_accepted(problem_of(german, models, row), 0.3, cancel=lambda: True)
    assert answer.status in ("cancelled", "optimal", "feasible")
    assert threading.active_count() == before


def test_little_effort_is_no_proof(german):
    today = boosted_trainer(german)(german.present.X, german.present.y, 0)
    trained = retrained(german, bootstrap=Bootstrap(), planned=6, fresh=0)
    row = np.flatnonzero(~today.decision(german.present.X))[1]
    problem = problem_of(german, (today, trained), row, edits=())
    answer = most_accepted(problem, 0.3, Effort(work=1e-4))
    assert answer.status in ("unknown", "feasible") and not answer.proved


def test_questions_that_make_no_sense_are_refused(german, models):
    problem = problem_of(german, models, 0)
    with pytest.raises(InvalidInput, match="at_least must be from 0 to 5, got 6"):
        cheapest_accepted(problem, 6)
    with pytest.raises(InvalidInput, match="work must be > 0"):
        Effort(work=0.0)


def test_amounts_that_follow_from_others_follow_them():
    sba = load_dataset("sba-no-leak")
    today = boosted_trainer(sba, SMALL)(sba.present.X, sba.present.y, 0)
    trained = retrained(sba, bootstrap=Bootstrap(), planned=4, fresh=0, settings=SMALL)
    for row in np.flatnonzero(~today.decision(sba.present.X))[:3]:
        x0 = with_constant(sba.present.X[row])
        actions = edited_actions(sba, "sensible", (), x0)
        answer = most_accepted(TreeProblem(sba.schema, x0, actions, today, trained.planned), 0.3)
        assert answer.proved
        if answer.x is not None:
            assert all(rule.holds for rule in sba.schema.check_rules(answer.x))


def test_a_budget_below_the_cheapest_plan_has_none(german, models):
    problem = problem_of(german, models, declined(german, models, 1)[0])
    answer = most_accepted(problem, 0.0, delta=1e-4)
    assert answer.status == "infeasible" and answer.x is None and "does not exist" in answer.message


def test_a_plan_found_on_the_way_is_allowed_and_better_than_those_before(german, models):
    for row in declined(german, models, 3):
        problem = problem_of(german, models, row, rules=True, share=0.05)
        seen = []
        best = most_accepted(problem, 0.5, found=lambda *plan, seen=seen: seen.append(plan))
        ranks = []
        for x, cost in seen:
            assert problem.checks(x) and problem.accepted_today(x)
            margins = problem.margins(x)
            accepted = int((margins >= 0.0).sum())
            steps = int(margins.min() // MARGIN_STEP) if accepted == len(margins) else 0
            ranks.append((accepted, min(steps, WIDEST), -cost))
        # Until the budget is known only the cost counts.
        first = [rank[2] for rank in ranks].index(-best.delta_min)
        later = ranks[first + 1 :]
        assert later and later == sorted(set(later))
