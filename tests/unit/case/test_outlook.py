"""What stands behind the mixture of a case."""

from dataclasses import replace

import numpy as np
import pytest

from dirrac_core.case.case import case_of, make_case
from dirrac_core.case.outlook import LESSON, outlook_of
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import load_dataset
from dirrac_core.models.bundle import prepare
from dirrac_core.models.classifiers import MLPSettings
from dirrac_core.models.component_words import most_moved
from pages.shared import computing


def test_estimated_components_show_the_retrained_models():
    case = make_case(Scenario("german", 0, components=3, radii=(0.1, 0.2, 0.3)))
    outlook = outlook_of(case)
    assert outlook.parameters is case.bundle.parameters
    assert sum(outlook.counts) == 100 and len(outlook.counts) == 3
    assert outlook.names is None and outlook.undeclared is None
    assert outlook.reason.startswith("K = 3 was chosen.")
    np.testing.assert_array_equal(outlook.reality.radii, [0.1, 0.2, 0.3])


def test_declared_components_show_the_models_of_their_stories():
    case = make_case(Scenario("german", 0, shifts=LESSON))
    outlook = outlook_of(case)
    np.testing.assert_array_equal(outlook.parameters[:100], case.declared.parameters[0])
    np.testing.assert_array_equal(outlook.parameters[100:], case.declared.parameters[1])
    np.testing.assert_array_equal(outlook.labels, np.repeat([0, 1], 100))
    assert outlook.counts == (100, 100)
    assert outlook.names == ("Sampling noise", "Corrected coding (strength 1)")


def test_declaring_the_correction_brings_the_components_closer_to_what_came():
    outlook = outlook_of(make_case(Scenario("german", 0, shifts=LESSON)))
    assert outlook.reality.nearest == 1
    assert outlook.reality.group_distance < 0.5 * outlook.undeclared.group_distance
    before = outlook_of(make_case(Scenario("german", 0)))
    assert outlook.undeclared.group_distance == pytest.approx(before.reality.group_distance)


def test_the_telling_weights_are_those_the_shift_moved():
    case = make_case(Scenario("german", 0))
    outlook = outlook_of(case)
    assert outlook.telling_weights == most_moved(case.problem.mixture, outlook.shifted)
    columns = case.dataset.schema.columns
    assert columns[outlook.telling_weights[0]] == "Status: no account"


def test_a_network_has_no_outlook():
    small = MLPSettings(hidden_layers=(8,), passes=60)
    bundle = prepare(load_dataset("synthetic"), "mlp", mlp=small)
    assert outlook_of(case_of(Scenario("synthetic", 0, model="mlp"), bundle)) is None


@pytest.mark.parametrize(
    "scenario",
    [
        Scenario("german", 0, components=2, radii=(0.1, 0.3), delta_add=0.7),
        Scenario("german", 0, shifts=tuple(replace(s, radius=0.2) for s in LESSON)),
        Scenario("sba", 3, futures="history", radii=0.4, radius_unit="deviations"),
    ],
    ids=["radii of their own", "declared", "in deviations"],
)
def test_what_a_page_keeps_for_any_radius_is_what_the_core_says(scenario):
    kept, asked = computing.outlook(scenario), outlook_of(make_case(scenario))
    for name in ("reality", "training"):
        for number in ("radii", "distances", "group_distances"):
            ours = getattr(getattr(kept, name), number)
            np.testing.assert_array_equal(ours, getattr(getattr(asked, name), number))
    np.testing.assert_array_equal(kept.radii, asked.radii)
    assert (kept.names, kept.reason, kept.counts) == (asked.names, asked.reason, asked.counts)
