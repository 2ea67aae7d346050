"""The futures of a given model are re-trainings of its recipe, or said to be an approximation."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from dirrac_core.case.distance import distance_split
from dirrac_core.data import load_dataset
from dirrac_core.data.schema.schema import with_constant
from dirrac_core.models.bundle import prepare
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.models.futures.compose import composed_mixture
from dirrac_core.models.futures.recipe import recipe_of, trained_again
from dirrac_core.models.futures.shift import Shift
from dirrac_core.models.logistic import LogisticSettings, fit_logistic
from dirrac_core.models.protected import without_protected
from dirrac_core.studies.evidence.pasts import PLACEBO, pasts_of

PLAIN, STANDARD = False, True


def trainer(X, C, weights, standard, **options):
    """A recipe as a customer would have it; θ comes out on the encoded scale."""
    scaler = StandardScaler().fit(X)

    def train(X, y):
        model = LogisticRegression(C=C, class_weight=weights, max_iter=5000, tol=1e-8, **options)
        if not standard:
            fit = model.fit(X, y)
            return np.append(fit.coef_[0], fit.intercept_)
        fit = model.fit(scaler.transform(X), y)
        slope = fit.coef_[0] / scaler.scale_
        return np.append(slope, fit.intercept_ - slope @ scaler.mean_)

    return train


def given(name, C=1.0, weights=None, standard=PLAIN, **options):
    dataset = load_dataset(name)
    train = trainer(dataset.present.X, C, weights, standard, **options)
    return replace(dataset, given_model=train(dataset.present.X, dataset.present.y)), train


def no_recipe():
    """Weights drawn at random: nothing that any training on German would give."""
    german = load_dataset("german")
    rng = np.random.default_rng(3)
    return replace(german, given_model=rng.normal(size=len(german.schema.columns) + 1))


# Every pair of dataset, weighting and kind of ridge once.
@pytest.mark.parametrize(
    ("name", "weights", "C", "standard"),
    [
        ("german", None, 0.05, PLAIN),
        ("german", "balanced", 0.05, STANDARD),
        ("sba", None, 0.05, STANDARD),
        ("sba", "balanced", 1.0, PLAIN),
        ("student", "balanced", 0.05, PLAIN),
        ("student", None, 1.0, PLAIN),
    ],
)
def test_the_recipe_is_found_from_its_coefficients(name, weights, C, standard):
    recipe = recipe_of(given(name, C, weights, standard)[0])
    assert recipe.reproduced and recipe.gap < 1e-3 * recipe.luck
    assert pytest.approx(C, rel=1e-3) == recipe.C
    assert recipe.settings.balanced == (weights == "balanced")
    assert ("standardised columns" in recipe.words) == standard
    assert recipe.scale == pytest.approx(1.0, abs=1e-4)


def test_other_parts_of_a_recipe_are_found_too():
    weighted = recipe_of(given("german", 0.5, {0: 3, 1: 1})[0])
    assert weighted.settings.favourable_weight == pytest.approx(1 / 3, rel=1e-3)
    assert "good outcomes counting 0.33 times" in weighted.words
    intercept = recipe_of(given("german", 0.1, solver="liblinear")[0])
    assert intercept.settings.penalise_bias and "intercept penalised too" in intercept.words


def test_columns_without_a_weight_stay_without_one():
    german = load_dataset("german")
    present, few = german.present, [0, 1, 2]
    fit = LogisticRegression(C=0.3, tol=1e-8).fit(present.X[:, few], present.y)
    theta = np.zeros(len(german.schema.columns) + 1)
    theta[few], theta[-1] = fit.coef_[0], fit.intercept_[0]
    bundle = prepare(replace(german, given_model=theta), bootstrap=Bootstrap())
    assert bundle.carried.recipe.reproduced
    assert (bundle.parameters[:, 3:-1] == 0).all() and (
        bundle.future.parameters[:, 3:-1] == 0
    ).all()
    assert f"{len(theta) - 4} of {len(theta) - 1} encoded columns left out" in bundle.future.source


def test_a_model_trained_on_a_part_of_the_table_lies_within_luck():
    student = load_dataset("student")
    X, y = student.present.X, student.present.y
    rows = np.random.default_rng(0).permutation(len(y))[: int(0.8 * len(y))]
    theta = trainer(X, 0.05, None, PLAIN)(X[rows], y[rows])
    recipe = recipe_of(replace(student, given_model=theta))
    assert recipe.reproduced and 0.02 < recipe.C < 0.1


@pytest.mark.parametrize(
    ("name", "C", "weights", "standard"),
    [
        ("student", 0.05, None, PLAIN),  # carried over, this one was declined by .33 against .01
        ("student", 1.0, "balanced", STANDARD),
        ("german", 0.05, "balanced", PLAIN),
        ("german", 1.0, None, STANDARD),
        ("sba", 0.01, "balanced", STANDARD),
        ("sba", 1.0, None, PLAIN),
    ],
)
def test_futures_decline_as_refits_of_the_recipe_do(name, C, weights, standard):
    """Before plans and after them, on shifted people and on other draws of the present ones."""
    dataset, train = given(name, C, weights, standard)
    bundle = prepare(dataset, bootstrap=Bootstrap())
    present, later = dataset.present, dataset.shifted
    rng = np.random.default_rng(9)
    size = int(0.8 * len(present))

    def refits(sample):
        rows = (rng.choice(len(sample.y), size) for _ in range(25))
        return np.array([train(sample.X[chosen], sample.y[chosen]) for chosen in rows])

    now, after = refits(present), refits(later)
    # Nobody knows the mean of what is to come either: predicted draws scatter √2 as widely.
    now = now.mean(axis=0) + np.sqrt(2.0) * (now - now.mean(axis=0))
    declined = bundle.declined[:80]
    people = with_constant(present.X[declined])
    # Half a step beyond the border of today's model, where futures disagree.
    theta = bundle.current.theta
    away = np.append(theta[:-1], 0.0) / (theta[:-1] @ theta[:-1])
    plans = people + (0.5 * np.abs(people @ theta).mean() - people @ theta)[:, None] * away
    for points in (people, plans):
        for real, ours in ((now, bundle.parameters), (after, bundle.future.parameters)):
            shares = [float((models @ points.T < 0.0).mean()) for models in (real, ours)]
            assert shares[1] == pytest.approx(shares[0], abs=0.1)
    assert "Re-trainings of the recipe that reproduces the given model" in bundle.future.source


def test_a_model_of_no_recipe_is_carried_over_and_called_an_approximation():
    dataset = no_recipe()
    bundle = prepare(dataset, bootstrap=Bootstrap())
    assert not bundle.carried.recipe.reproduced
    assert "An approximation: no recipe tried here reproduces" in bundle.future.source
    np.testing.assert_allclose(bundle.parameters.mean(axis=0), dataset.given_model, atol=1e-9)
    assert distance_split(bundle) is None
    assert trained_again(dataset, dataset.present) is None
    # The moves are those of re-trainings, as wide as the given scores are.
    spread = (dataset.present.X @ dataset.given_model[:-1]).std()
    usual = (dataset.present.X @ bundle.carried.centre[:-1]).std()
    assert bundle.carried.scale == pytest.approx(spread / usual)


def test_the_scale_of_the_coefficients_does_not_matter():
    """A model that is not in log-odds has the same futures on every scale of its own."""
    german = given("german")[0]
    one, *others = (
        prepare(replace(german, given_model=factor * german.given_model), bootstrap=Bootstrap())
        for factor in (50.0, 350.0, 5e4)
    )
    assert one.carried.recipe.reproduced and one.carried.scale == pytest.approx(50.0, rel=0.1)
    for factor, other in zip((7.0, 1e3), others, strict=True):
        np.testing.assert_allclose(other.parameters, factor * one.parameters, rtol=1e-3)
        np.testing.assert_allclose(
            other.future.parameters, factor * one.future.parameters, rtol=1e-3
        )


def test_declared_shifts_re_train_the_recipe():
    dataset, train = given("german", 0.05, "balanced")
    X, y = dataset.present.X, dataset.present.y
    found = composed_mixture(dataset, [Shift("sampling-noise"), Shift("prior-shift", 0.5)])
    # Balanced classes do not see how common an outcome is: the recipe hardly moves.
    noise, prior = found.mixture.means
    np.testing.assert_allclose(noise, train(X, y), atol=0.05)
    own = composed_mixture(
        replace(dataset, given_model=None), [Shift("sampling-noise"), Shift("prior-shift", 0.5)]
    ).mixture.means
    people = with_constant(X)
    moves = [np.abs(people @ (a - b)).mean() for a, b in ((prior, noise), (own[1], own[0]))]
    assert moves[0] < 0.1 * moves[1]


def test_a_past_trains_the_recipe_again():
    dataset, train = given("student", 0.05, "balanced")
    past = pasts_of(dataset, PLACEBO, 0)[0].dataset
    known = past.present
    usual = trainer(known.X, 0.05 * len(dataset.present) / len(known), "balanced", PLAIN)
    np.testing.assert_allclose(past.given_model, usual(known.X, known.y), atol=1e-3)
    assert recipe_of(past).reproduced
    split = distance_split(prepare(dataset, bootstrap=Bootstrap()))
    assert split is not None and split.training_size < split.total


def test_left_out_attributes_lose_their_weight_in_every_future():
    dataset = given("german")[0]
    blind = without_protected(dataset)
    unseen = [c for name in blind.unseen for c in blind.schema.columns_of(name)]
    assert unseen and (dataset.given_model[unseen] != 0).any()
    mixture = composed_mixture(blind.for_training, [Shift("prior-shift", 0.3)]).mixture
    np.testing.assert_allclose(mixture.means[0][unseen], 0.0, atol=1e-9)


def test_settings_train_as_scikit_learn_does():
    german = load_dataset("german")
    X, y = german.present.X, german.present.y
    counts = np.random.default_rng(1).multinomial(len(y), np.full(len(y), 1 / len(y)), 3)
    scales = 1.0 / X.std(axis=0)
    settings = LogisticSettings(0.2, scales=tuple(scales), balanced=True)
    for count, theta in zip(counts, fit_logistic(X, y, counts, settings=settings), strict=True):
        rows = np.repeat(np.arange(len(y)), count)
        model = LogisticRegression(C=0.2, class_weight="balanced", tol=1e-9, max_iter=5000)
        fit = model.fit(X[rows] * scales, y[rows])
        np.testing.assert_allclose(theta[:-1], fit.coef_[0] * scales, atol=1e-4)
        np.testing.assert_allclose(theta[-1], fit.intercept_[0], atol=1e-4)
