"""Where shifted models lie to a mixture, and components told in words."""

import numpy as np
import pytest

from dirrac_core.errors import InvalidInput
from dirrac_core.models.component_words import describe_components, most_moved, weight_names
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness import gelbrich_distance
from dirrac_core.robustness.coverage import coverage

TWO = ParameterMixture(
    [0.75, 0.25], [[0.0, 0.0, 0.0], [4.0, 0.0, -8.0]], [np.zeros((3, 3)), np.eye(3)]
)
COLUMNS = ("Age", "Town: A")


def test_models_are_counted_once_and_the_edge_belongs_to_the_ball():
    models = [[0.5, 0.0, 0.0], [0.51, 0.0, 0.0], [4.0, 2.0, -8.0], [4.0, 0.0, -8.0]]
    found = coverage(models, TWO, [0.5, 1.9])
    assert found.inside == 2  # the first, and the last; the others just miss
    assert coverage(models, TWO, [100.0, 100.0]).inside == 4
    np.testing.assert_allclose(found.distances[2], [np.sqrt(84.0), 2.0])


def test_the_group_is_judged_by_the_gelbrich_distance():
    rng = np.random.default_rng(0)
    models = rng.normal([4.0, 0.0, -8.0], 1.0, (50, 3))
    found = coverage(models, TWO, [0.1, 0.1])
    wanted = gelbrich_distance(models.mean(axis=0), np.cov(models.T), TWO.means[1], np.eye(3))
    assert found.nearest == 1
    assert found.group_distance == pytest.approx(wanted)
    assert not found.group_inside
    assert coverage(models, TWO, [0.1, wanted + 1e-9]).group_inside


def test_a_large_ball_further_away_can_be_the_nearest():
    models = [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    assert coverage(models, TWO, [0.0, 0.0]).nearest == 0
    assert coverage(models, TWO, [0.0, 20.0]).nearest == 1


def test_distances_in_deviations():
    models = [[4.0, 2.0, -8.0], [4.0, 0.0, -5.0]]
    mixture = ParameterMixture([1.0], [[4.0, 0.0, -8.0]], [np.diag([1.0, 4.0, 9.0])])
    found = coverage(models, mixture, 1.0, "deviations")
    np.testing.assert_allclose(found.distances, [[1.0], [1.0]])
    assert found.inside == 2
    scaled = ParameterMixture([1.0], 5 * mixture.means, 25 * mixture.covariances)
    again = coverage(5 * np.array(models), scaled, 1.0, "deviations")
    np.testing.assert_allclose(again.distances, found.distances)
    assert again.group_distance == pytest.approx(found.group_distance)


def test_a_direction_in_which_no_re_training_moved_is_infinitely_far():
    mixture = ParameterMixture([1.0], [[0.0, 0.0, 0.0]], [np.diag([1.0, 0.0, 4.0])])
    models = [[2.0, 0.0, 2.0], [0.0, 0.1, 0.0]]
    found = coverage(models, mixture, 5.0, "deviations")
    np.testing.assert_allclose(found.distances[:, 0], [np.sqrt(5.0), np.inf])
    assert found.inside == 1 and found.group_distance == np.inf and not found.group_inside
    assert np.isfinite(coverage(models[:1] * 2, mixture, 5.0, "deviations").group_distance)


def test_one_model_has_no_scatter():
    with pytest.raises(InvalidInput, match="at least two models, got 1"):
        coverage([[0.0, 0.0, 0.0]], TWO, 0.1)


def test_components_are_told_by_what_differs_most():
    first, second = describe_components(TWO, COLUMNS)
    assert first == "Kinder to everyone (+2); stricter with high “Age” (−1)."
    assert second == "Stricter with everyone (−6); kinder to high “Age” (+3)."
    assert "Town" not in first + second


def test_a_category_is_named_and_small_differences_are_left_out():
    means = [[3.0, 2.0, 0.1], [1.0, -2.0, 0.0]]
    mixture = ParameterMixture([0.5, 0.5], means, np.zeros((2, 3, 3)))
    told = describe_components(mixture, COLUMNS)
    assert told[0] == "Kinder to “Town: A” (+2) and high “Age” (+1)."


def test_equal_components_and_single_ones_say_so():
    same = ParameterMixture([0.5, 0.5], np.ones((2, 3)), np.zeros((2, 3, 3)))
    assert set(describe_components(same, COLUMNS)) == {"Hardly differs from the average model."}
    alone = ParameterMixture([1.0], np.ones((1, 3)), np.zeros((1, 3, 3)))
    assert "only component" in describe_components(alone, COLUMNS)[0]
    with pytest.raises(InvalidInput, match="must name 2 weights, got 3"):
        describe_components(alone, ("a", "b", "c"))


def test_the_weights_that_moved_most_come_first():
    average = TWO.weights @ TWO.means
    assert most_moved(TWO, [average + [0.1, 5.0, -2.0]] * 2) == (1, 2)
    assert weight_names(COLUMNS) == ("Age", "Town: A", "general level (bias)")
