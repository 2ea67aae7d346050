"""The two links as curves with a point to move: the core's numbers at every place."""

import numpy as np
import pytest

from dirrac_core.figures.lessons.links import MOST_SCORE, link_table
from dirrac_core.robustness import LINKS
from dirrac_core.wording import at_most


@pytest.mark.parametrize("a", [0.0, 1.234, 5.9, 8.1])
def test_every_place_has_the_cores_numbers_and_words(a):
    table = link_table(a)
    places = np.array(table["places"])
    assert places[table["start"]] == a and (np.diff(places) > 0).all()
    assert places[0] == 0.0 and places[-1] == table["most"] >= max(a, MOST_SCORE)
    for curve, link in zip(table["curves"], ("chebyshev", "gaussian"), strict=True):
        np.testing.assert_allclose(curve["values"], 100 * LINKS[link].probability(places))
    assert len(table["said"]) == len(places)
    any_shape = float(LINKS["chebyshev"].probability(np.array(a)))
    assert f"{at_most(any_shape)} decline" in table["said"][table["start"]]


def test_a_score_without_a_place_starts_at_an_end():
    assert link_table(-np.inf)["start"] == 0 and link_table(-0.5)["start"] == 0
    endless = link_table(np.inf)
    assert endless["start"] == len(endless["places"]) - 1
