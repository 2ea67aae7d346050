"""ρ chosen with evidence, or refused: calm and stormy small worlds."""

import pytest

from dirrac_core.case.settings import Settings
from dirrac_core.errors import InvalidInput
from dirrac_core.studies.evidence.calibration import _tested, choose_radius
from tests.small_worlds import world

SETTINGS = Settings("synthetic", components=1, futures="sampling", delta_add=0.2)


@pytest.fixture(scope="module")
def calm():
    return choose_radius(world(people=600), SETTINGS, radii=(0.2, 0.4), trials=32, jobs=1)


def test_a_calm_world_gets_a_radius_with_its_count(calm):
    assert calm.kind == "placebo" and calm.trials == 32 and not calm.failed
    assert calm.chosen == min(test.radius for test in calm.tests if test.passes)
    best = next(test for test in calm.tests if test.radius == calm.chosen)
    assert best.p_value <= calm.level / 2
    assert f"{best.broken} of {best.promises} promises were broken" in calm.reason
    assert "luck alone" in calm.reason


def test_a_stormy_world_is_refused_with_the_best_measured():
    stormy = world(people=900, years=6, change=1.6)
    found = choose_radius(stormy, SETTINGS, radii=(0.0, 0.1), trials=24, jobs=1)
    assert found.kind == "dates" and found.chosen is None
    best = min(found.tests, key=lambda test: test.p_value)
    assert best.broken > best.promises / 4
    assert f"{best.broken} of {best.promises} promises were broken, too" in found.reason


def test_any_number_of_jobs_gives_the_same_counts(calm):
    again = choose_radius(world(people=600), SETTINGS, radii=(0.4, 0.2), trials=32, jobs=2)
    assert again == calm


def test_too_few_trials_never_pass():
    found = choose_radius(world(), SETTINGS, radii=(0.4,), trials=3, jobs=1)
    assert found.chosen is None
    assert "too few promises (none broken of 22 would do)" in found.reason


def test_the_shifted_people_change_nothing(calm):
    shifted = world(people=600, change=5.0, shifted=True)
    assert choose_radius(shifted, SETTINGS, radii=(0.2, 0.4), trials=32, jobs=1) == calm


def test_a_plan_missing_is_no_promise():
    found = _tested(0.5, [(0.2, 0.1), None, (0.2, 0.3)], 0.1, 0.1)
    assert (found.promises, found.broken) == (2, 1)
    assert _tested(0.5, [None], 0.1, 0.1).p_value == 1.0


def test_stopped_means_nothing_chosen():
    asked = iter([False, False, True])
    found = choose_radius(
        world(), SETTINGS, radii=(0.2,), trials=9, jobs=1, cancel=lambda: next(asked)
    )
    assert not found.complete and found.chosen is None
    assert "Stopped after 2 of 9 trials" in found.reason


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"kind": "past"}, "without the shifted people"),
        ({"radii": ()}, "must be different numbers"),
        ({"radii": (0.1, 0.1)}, "must be different numbers"),
        ({"tolerated": 1.0}, "tolerated share must lie between 0 and 1, got 1"),
        ({"level": 0.0}, "level must lie between 0 and 1, got 0"),
        ({"trials": 0}, "must be ≥ 1, got 0"),
        ({"kind": "dates"}, "a period for each person"),
    ],
)
def test_bad_questions(more, words):
    with pytest.raises(InvalidInput, match=words):
        choose_radius(world(), SETTINGS, **more)


def test_too_few_people():
    with pytest.raises(InvalidInput, match="got none: A placebo needs at least 40"):
        choose_radius(world(people=30), SETTINGS, trials=2, jobs=1)
