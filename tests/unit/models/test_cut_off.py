"""The cut-off: an intercept shift in every model, whichever way it is stated."""

import dataclasses
import json

import numpy as np
import pytest
from scipy.special import expit, logit

from dirrac_core import load_dataset
from dirrac_core.case.case import bundle_of, make_case, solve_scenario
from dirrac_core.case.distance import distance_split
from dirrac_core.case.facts import facts_of, plan_for_today
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.errors import InvalidInput
from dirrac_core.methods.parts.log_odds import log_odds
from dirrac_core.methods.protocol import TODAY, judged
from dirrac_core.models.boosted.tree_model import TreeModel
from dirrac_core.models.bundle import prepare
from dirrac_core.models.classifiers import FittedClassifier, LinearModel, train_mlp
from dirrac_core.models.cut_off import CutOff, at_cut_off
from dirrac_core.models.surrogate import lime_surrogate
from dirrac_core.recourse import RecourseProblem, find_recourse
from dirrac_core.studies.evidence.backtest import judged_case
from dirrac_core.studies.evidence.pasts import placebo
from dirrac_core.trees.retrainings import Retrainings


def scenario(applicant=1, dataset="german", **given):
    settings = dataclasses.replace(recommended(dataset), **given)
    fields = {f.name: getattr(settings, f.name) for f in dataclasses.fields(settings)}
    return Scenario(**fields, applicant=applicant)


def test_the_default_is_one_half_and_changes_nothing():
    plain = prepare(load_dataset("german"))
    assert at_cut_off(plain, CutOff()) is plain and plain.needed == 0.5
    assert scenario().cut_off == 0.5
    old = {k: v for k, v in json.loads(scenario().to_json()).items() if "cut_off" not in k}
    assert Scenario.from_json(json.dumps(old)) == scenario()


@pytest.mark.parametrize("futures", ["stress", "sampling", "paper"])
def test_a_cut_off_is_an_intercept_shift_of_every_model(futures):
    c = float(logit(0.65))
    plain, moved = (make_case(scenario(futures=futures, cut_off=cut)) for cut in (0.5, 0.65))
    step = np.append(np.zeros(plain.x0.size - 1), c)
    pairs = [
        (plain.bundle.current.theta, moved.bundle.current.theta),
        (plain.bundle.parameters, moved.bundle.parameters),
        (plain.bundle.future.parameters, moved.bundle.future.parameters),
        (plain.problem.mixture.means, moved.problem.mixture.means),
        (plain.problem.current_model, moved.problem.current_model),
    ]
    for before, after in pairs:
        np.testing.assert_allclose(after, before - step, atol=1e-12)
    np.testing.assert_array_equal(
        plain.problem.mixture.covariances, moved.problem.mixture.covariances
    )
    people = plain.dataset.present.X
    probability = plain.bundle.current.probability(people)
    np.testing.assert_allclose(moved.bundle.current.probability(people), probability, atol=1e-12)
    np.testing.assert_array_equal(moved.bundle.current.decision(people), probability >= 0.65)
    np.testing.assert_array_equal(moved.bundle.declined, np.flatnonzero(probability < 0.65))


def test_the_plan_is_that_of_a_problem_written_by_hand():
    chosen = scenario(cut_off=0.65, futures="sampling", components=1, categories="relaxed")
    case = make_case(chosen)
    plain = make_case(dataclasses.replace(chosen, cut_off=0.5))
    step = np.append(np.zeros(case.x0.size - 1), logit(0.65))
    mixture = plain.problem.mixture
    by_hand = RecourseProblem(
        case.x0,
        dataclasses.replace(mixture, means=mixture.means - step),
        case.scenario.radii,
        0.5,
        weighting="worst-component",
        actions=case.actions,
        metric="deviations",
        current_model=plain.bundle.current.theta - step,
    )
    found, again = find_recourse(case.problem), find_recourse(by_hand)
    assert found.delta_min == pytest.approx(again.delta_min, abs=1e-8)
    assert found.worst_case_probability == pytest.approx(again.worst_case_probability, abs=1e-6)
    assert found.delta_min > find_recourse(plain.problem).delta_min + 0.05


def test_every_fact_about_a_plan_uses_the_cut_off():
    solution = solve_scenario(scenario(cut_off=0.6))
    case, x = solution.case, solution.plan.x
    facts = facts_of(case, x)
    plain = prepare(case.dataset, bootstrap=case.bundle.bootstrap)
    chances = expit(plain.future.parameters @ x)
    np.testing.assert_array_equal(facts.observed, chances >= 0.6)
    assert facts.accepted_today and plain.current.probability(x[None, :-1])[0] >= 0.6
    today = plan_for_today(case)
    assert plain.current.probability(today[None, :-1])[0] == pytest.approx(0.6, abs=2e-3)
    (check,) = [
        c
        for c in judged(x, case.x0, case.actions, case.bundle.current, True).checks
        if c.name == TODAY
    ]
    assert check.low == pytest.approx(0.6) and check.ok


def test_a_share_of_approvals_is_met_and_kept_as_a_score():
    bundle = bundle_of(scenario(cut_off=0.83, cut_off_kind="approval"))
    assert bundle.declined.size == 1000 - 830
    same = bundle_of(scenario(cut_off=bundle.threshold, cut_off_kind="score"))
    np.testing.assert_array_equal(same.declined, bundle.declined)
    np.testing.assert_allclose(same.future.parameters, bundle.future.parameters)
    again = bundle_of(scenario(cut_off=bundle.needed))
    np.testing.assert_array_equal(again.declined, bundle.declined)


def test_people_with_one_score_are_approved_together():
    model, people = LinearModel([1.0, 0.0]), np.array([[3.0], [2.0], [2.0], [1.0]])
    assert CutOff(0.5, "approval").threshold(model, people) == 1.5
    assert CutOff(0.99, "approval").threshold(model, people) == 0.0


def test_a_network_is_judged_and_approximated_at_the_cut_off():
    rng = np.random.default_rng(4)
    X = rng.random((200, 2))
    y = (X.sum(axis=1) + 0.3 * rng.normal(size=200) > 1.0).astype(int)
    plain = train_mlp(X, y, 0)
    moved = plain.at_threshold(float(logit(0.8)))
    assert isinstance(moved, FittedClassifier)
    np.testing.assert_array_equal(moved.decision(X), plain.probability(X) >= 0.8)
    x = np.array([0.5, 0.5, 1.0])
    value, gradient = log_odds(moved)(x)
    before, same = log_odds(plain)(x)
    assert value == pytest.approx(before - logit(0.8)) and (gradient == same).all()
    thetas = [
        lime_surrogate(each, X, x[:-1], n_surrogates=2, n_samples=200).mixture.means[0]
        for each in (plain, moved)
    ]
    np.testing.assert_allclose(thetas[1], thetas[0] - [0.0, 0.0, 0.3], atol=1e-9)


def test_a_past_is_judged_at_its_own_cut_off():
    settings = scenario(cut_off=0.7, cut_off_kind="approval", futures="paper").settings
    past = placebo(load_dataset("german"), 0, 0)
    case = judged_case(past, settings)
    assert case.bundle.declined.size == round(0.3 * len(past.dataset.present))
    plain = judged_case(
        past, dataclasses.replace(settings, cut_off=0.5, cut_off_kind="probability")
    )
    step = plain.bundle.future.parameters - case.bundle.future.parameters
    np.testing.assert_allclose(step[:, -1], case.bundle.threshold)
    assert case.bundle.threshold != 0.0


def test_distances_between_models_do_not_depend_on_the_cut_off():
    one, other = (distance_split(bundle_of(scenario(cut_off=cut))) for cut in (0.5, 0.8))
    assert one.total == pytest.approx(other.total) and one.shift == pytest.approx(other.shift)


def test_the_base_rate_stands_beside_accuracy():
    bundle = prepare(load_dataset("student"))
    judged = bundle.dataset.present.y[~bundle.training]
    assert bundle.accuracy.favourable == pytest.approx(judged.mean())


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (0.0, "probability"),
        (1.0, "probability"),
        (1.2, "approval"),
        (np.nan, "score"),
        (0.5, "rate"),
        ("0.5", "probability"),
        (True, "score"),
    ],
)
def test_a_cut_off_that_means_nothing_is_refused(value, kind):
    with pytest.raises(InvalidInput, match="cut-off"):
        scenario(cut_off=value, cut_off_kind=kind)


def test_boosted_trees_decide_and_are_planned_at_the_cut_off():
    model = TreeModel((), 0.4, 2)
    moved = model.at_threshold(1.0)
    people = np.zeros((3, 2))
    assert moved.threshold == 1.0 and moved.probability(people) == pytest.approx(
        model.probability(people)
    )
    np.testing.assert_array_equal(moved.decision(people), moved.log_odds(people) >= 1.0)
    models = Retrainings((model,), (model, model), ("luck",), (0, 0), (0, 1), (1.0,))
    again = models.at_threshold(1.0)
    assert [m.threshold for m in (*again.planned, *again.fresh)] == [1.0] * 3
