"""Networks: spread from re-trainings, linear at the plan, and no promise they cannot keep."""

from dataclasses import replace

import numpy as np
import pytest
from lime.lime_tabular import LimeTabularExplainer
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin

from dirrac_core.case.case import case_of, solve
from dirrac_core.case.documents.file import answer_of
from dirrac_core.case.facts import facts_of
from dirrac_core.case.nonlinear.linearised import MOST_ROUNDS, TOLERANCE, linearised_at_plan
from dirrac_core.case.promise_kind import ASSUMPTION, GUARANTEE, NO_PROMISE, promise_kind
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.load import load_dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.models.bundle import is_prepared, keep_prepared, prepare
from dirrac_core.models.classifiers import FittedClassifier, MLPSettings, train_mlp
from dirrac_core.models.futures.bootstrap import Bootstrap, bootstrap_counts
from dirrac_core.models.stand_in import StandIn, retrained_classifiers
from dirrac_core.models.surrogate import lime_surrogate, retrained_surrogate
from dirrac_core.studies.people.portfolio import case_portfolio

TINY = MLPSettings(hidden_layers=(8,), passes=60)


class LinearLogOdds(ClassifierMixin, BaseEstimator):
    """Log-odds w·x + b, with w and b by least squares: a network that is in truth linear."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        self.n_features_in_ = X.shape[1]
        ones = np.column_stack([X, np.ones(len(X))])
        self.theta_ = np.linalg.lstsq(ones, np.asarray(y) - 0.5, rcond=None)[0]
        return self

    def predict_proba(self, X):
        p = expit(X @ self.theta_[:-1] + self.theta_[-1])
        return np.column_stack([1 - p, p])


def linear_world(m=10):
    """Present people of the synthetic dataset, today's linear 'network' and m re-trainings."""
    present = load_dataset("synthetic").present

    def train(X, y, seed):
        return FittedClassifier(LinearLogOdds().fit(np.asarray(X), np.asarray(y)))

    n, _ = Bootstrap().sizes(len(present))
    today = train(present.X, present.y, 0)
    return present, n, today, retrained_classifiers(present, n, train, 3, m)


@pytest.fixture(scope="module")
def network():
    """A tiny network of the synthetic dataset with its re-trainings."""
    told = []
    bundle = prepare(
        load_dataset("synthetic"),
        "mlp",
        mlp=TINY,
        bootstrap=Bootstrap(),
        progress=lambda part, words: told.append((part, words)),
    )
    return bundle, told


def scenario(applicant, **given):
    return Scenario(
        "synthetic",
        applicant=int(applicant),
        model="mlp",
        components=1,
        **{"futures": "sampling", "radius_unit": "deviations", "radii": 0.1, **given},
    )


def test_a_linear_network_has_its_own_slopes_and_the_spread_of_the_linear_bootstrap():
    present, n, today, retrained = linear_world(200)
    found = retrained_surrogate(today, retrained, present.X, present.X[0], inflation=1.5)
    np.testing.assert_allclose(found.mixture.means[0], today.estimator.theta_, rtol=0.02, atol=2e-3)
    # The second route never sees LIME: least squares on bootstrapped rows.
    counts = bootstrap_counts(present.y, 200, n, np.random.default_rng([3, 1]))
    ones = np.column_stack([present.X, np.ones(len(present))])
    thetas = []
    for drawn in counts:
        gram = ones.T @ (drawn[:, None] * ones)
        thetas.append(np.linalg.solve(gram, ones.T @ (drawn * (present.y - 0.5))))
    covariance = 1.5 * np.cov(np.array(thetas).T)
    error = np.linalg.norm(found.mixture.covariances[0] - covariance)
    assert error < 0.05 * np.linalg.norm(covariance)


def test_the_shared_samples_leave_no_noise_of_lime():
    present = load_dataset("synthetic").present
    curved = train_mlp(present.X, present.y, 0, TINY)
    same = retrained_surrogate(curved, [curved] * 5, present.X, present.X[0])
    assert np.abs(same.mixture.covariances[0]).max() < 1e-20
    paper = lime_surrogate(curved, present.X, present.X[0], n_surrogates=5)
    assert np.trace(paper.mixture.covariances[0]) > 1e-8


class Bowl:
    """Log-odds that are linear but for a bowl around `x`, as steep on every side."""

    threshold = 0.0

    def __init__(self, theta, x):
        self.theta, self.x = theta, x

    def probability(self, X):
        bowl = 0.5 * np.square(X - self.x).sum(axis=1)
        return expit(X @ self.theta[:-1] + self.theta[-1] + bowl)

    def decision(self, X):
        return self.probability(X) >= 0.5


def test_curvature_does_not_lean_on_the_slopes():
    people = load_dataset("german").present.X
    x, theta = people[7], np.linspace(-0.5, 0.5, people.shape[1] + 1)
    found = retrained_surrogate(Bowl(theta, x), [Bowl(theta, x)] * 2, people, x).mixture.means[0]
    np.testing.assert_allclose(found[:-1], theta[:-1], atol=1e-9)
    # The bowl lifts what is near x, a little.
    assert 0.0 < found @ np.append(x, 1.0) - theta @ np.append(x, 1.0) < 3.0


def test_lime_itself_comes_to_the_same_with_many_points(network):
    """The second route: the package, one network, its own random points and ridge."""
    bundle, _ = network
    model, people = bundle.current, bundle.people
    x = bundle.dataset.present.X[bundle.declined[0]]

    def columns(X):
        p = model.probability(X)
        log_odds = np.log(p / (1.0 - p))
        return np.column_stack([1.0 - log_odds, log_odds])

    explainer = LimeTabularExplainer(
        people.copy(),
        discretize_continuous=False,
        feature_selection="none",
        sample_around_instance=True,
        random_state=5,
    )
    explained = explainer.explain_instance(x, columns, num_features=x.size, num_samples=100_000)
    scale, weights = explainer.scaler.scale_, dict(explained.local_exp[1])
    slopes = np.array([weights[column] for column in range(x.size)])
    ours = retrained_surrogate(model, bundle.retrained, people, x).mixture.means[0]
    np.testing.assert_allclose(scale * ours[:-1], slopes, atol=0.005 * np.linalg.norm(slopes))
    level = explained.intercept[1] - slopes / scale @ explainer.scaler.mean_
    assert ours[-1] == pytest.approx(level, abs=0.01 * np.linalg.norm(slopes))


def test_a_column_in_which_all_people_are_alike_is_no_matter():
    present, _, today, retrained = linear_world(3)
    people = present.X.copy()
    people[:, 1] = 0.5
    x = people[0]
    found = retrained_surrogate(today, retrained, people, x).mixture.means[0]
    np.testing.assert_allclose(found, today.estimator.theta_, rtol=0.02, atol=2e-3)


def test_a_few_retrainings_leave_no_direction_without_doubt():
    present, _, today, retrained = linear_world(3)
    x = np.append(present.X[0], 1.0)
    found = retrained_surrogate(today, retrained, present.X, x, inflation=2.0)
    seen = np.linalg.eigvalsh(np.cov(found.coefficients.T))
    shrunk = found.mixture.covariances[0]
    assert seen[0] < 1e-12 * seen[-1] < np.linalg.eigvalsh(shrunk)[0]
    # What is known well, the spread of the slopes and of the value at x, stays what it was.
    at_x = np.var(found.coefficients @ x, ddof=1)
    assert x @ shrunk @ x == pytest.approx(at_x, rel=1e-6)
    slopes = found.coefficients[:, :-1].var(axis=0, ddof=1)
    np.testing.assert_allclose(np.diag(shrunk)[:-1], slopes, rtol=1e-6)


def test_a_smaller_training_size_spreads_wider_without_training_again(network):
    bundle, _ = network
    n, _ = Bootstrap().sizes(len(bundle.dataset.present))
    x0 = bundle.dataset.present.X[0]
    usual = bundle.stand_in(Bootstrap()).around(x0).mixture
    small = bundle.stand_in(Bootstrap(n // 4)).around(x0).mixture
    np.testing.assert_array_equal(usual.means, small.means)
    ratio = (1 + n / (n // 4)) / 2
    np.testing.assert_allclose(small.covariances, ratio * usual.covariances, rtol=1e-9)


def test_preparing_trains_the_networks_again_once_and_says_so(network):
    bundle, told = network
    assert len(bundle.retrained) == 10
    words = [sentence for _, sentence in told]
    assert "Re-training 10 of 10" in words and "Future model 1 of 10" in words
    parts = [part for part, _ in told]
    assert parts == sorted(parts) and parts[-1] == 1.0
    data, given = bundle.dataset, {"mlp": TINY}
    assert prepare(data, "mlp", **given, bootstrap=Bootstrap(50)) is bundle
    assert prepare(data, "mlp", **given) is bundle
    X = data.present.X
    weights = {model.probability(X).tobytes() for model in (bundle.current, *bundle.retrained)}
    assert len(weights) == 11


def test_a_bundle_trained_elsewhere_is_found_for_every_training_size(network):
    bundle, _ = network
    data = replace(load_dataset("synthetic"))
    assert not is_prepared(data, "mlp")
    keep_prepared(bundle, data)
    assert is_prepared(data, "mlp") and is_prepared(data, "mlp", bootstrap=Bootstrap(77))


def test_the_papers_way_is_untouched(network):
    bundle, _ = network
    case = case_of(scenario(bundle.declined[0], futures="paper"), bundle)
    present = bundle.dataset.present
    expected = lime_surrogate(bundle.current, present.X[bundle.training], case.x0)
    assert case.linearised is None
    np.testing.assert_array_equal(case.problem.mixture.means, expected.mixture.means)
    np.testing.assert_array_equal(case.problem.mixture.covariances, expected.mixture.covariances)


def test_without_retrainings_there_is_no_spread(network):
    bundle, _ = network
    with pytest.raises(InvalidInput, match="re-trainings"):
        replace(bundle, retrained=()).stand_in(Bootstrap())
    present, _, today, retrained = linear_world(2)
    with pytest.raises(InvalidInput, match="at least 2 re-trainings"):
        retrained_surrogate(today, retrained[:1], present.X, present.X[0])


def test_the_problem_is_linear_where_its_plan_lies(network):
    bundle, _ = network
    settled = 0
    for row in bundle.declined[:6]:
        case = case_of(scenario(row), bundle)
        found = case.linearised
        assert 1 <= found.rounds <= MOST_ROUNDS
        np.testing.assert_array_equal(case.problem.mixture.means, found.surrogate.mixture.means)
        plan = solve(case).plan
        if found.plan is None:
            assert plan.x is None and "no plan" in found.sentence
        elif found.settled:
            settled += 1
            assert "agree" in found.sentence
            # Fitted again around the plan itself, the surrogate hardly differs.
            again = bundle.stand_in(Bootstrap()).around(found.plan).mixture.means[0]
            theta = found.surrogate.mixture.means[0]
            assert np.linalg.norm(again - theta) < 0.1 * np.linalg.norm(theta)
    assert settled == 6


def test_a_linear_network_settles_with_its_second_plan(network):
    bundle, _ = network
    present, _, today, retrained = linear_world()
    stand_in = StandIn(today, present.X, (), 0, retrained, 2.0)
    case = case_of(scenario(bundle.declined[0], futures="paper"), bundle)
    found = linearised_at_plan(
        case.dirrac, case.x0, case.actions, stand_in, stand_in.around(case.x0)
    )
    assert found.settled and found.rounds == 2 and found.moved <= TOLERANCE


class Refuses:
    """A network that declines everybody, whatever its surrogate says."""

    threshold = 0.0

    def __init__(self, inner):
        self.inner = inner

    def probability(self, X):
        return self.inner.probability(X)

    def decision(self, X):
        return np.zeros(len(X), dtype=bool)


def test_where_todays_network_declines_the_plan_nothing_is_promised(network):
    bundle, _ = network
    usual = case_of(scenario(bundle.declined[0]), bundle)
    x = solve(usual).plan.x
    accepted = facts_of(usual, x)
    assert accepted.accepted_today and accepted.promise == ASSUMPTION
    assert answer_of(solve(usual))["worst_case_probability"] > 0

    stubborn = replace(bundle, current=Refuses(bundle.current))
    case = case_of(scenario(bundle.declined[0]), stubborn)
    solution = solve(case)
    facts = facts_of(case, solution.plan.x)
    assert not facts.accepted_today and facts.promise is None
    answer = answer_of(solution)
    assert answer["x"] is not None
    assert answer["worst_case_probability"] is None and answer["lower_bound"] is None


def test_the_portfolio_leaves_the_worst_case_blank_with_the_reason(network):
    bundle, _ = network
    rows = bundle.declined[:2]
    case = case_of(scenario(rows[0]), bundle)
    frame = case_portfolio(case, rows, jobs=1)
    plan = solve(case).plan
    assert frame["m1"].all() and frame["worst_case"].notna().all()
    assert frame["worst_case"][0] == pytest.approx(plan.worst_case_probability, abs=1e-9)
    np.testing.assert_allclose(frame["x"][0], plan.x, atol=1e-9)

    stubborn = case_of(scenario(rows[0]), replace(bundle, current=Refuses(bundle.current)))
    blank = case_portfolio(stubborn, rows, jobs=1)
    assert blank["found"].all() and not blank["m1"].any()
    assert blank[["worst_case", "lower_bound", "gap"]].isna().all(axis=None)
    assert (blank["message"] == NO_PROMISE).all()


def test_only_a_linear_model_has_a_guarantee():
    assert promise_kind(False, False) == promise_kind(False, True) == GUARANTEE
    assert promise_kind(True, True) == ASSUMPTION
    assert promise_kind(True, False) is None


def test_a_network_starts_with_luck_in_deviations():
    settings = recommended("synthetic", "mlp")
    assert (settings.model, settings.futures, settings.radius_unit) == (
        "mlp",
        "sampling",
        "deviations",
    )
    assert recommended("synthetic").futures == "stress"
