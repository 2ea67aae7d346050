"""The map of ρ and δ_add shows what each pair would bring, and a click sets both."""

from dataclasses import replace

import numpy as np
import pytest

from dirrac_core.case.case import bundle_of, make_case
from dirrac_core.case.scenario import Scenario
from dirrac_core.figures.drawing.palette import alt_text
from dirrac_core.figures.plane.settings_map import CLICK_TARGETS, HERE, settings_map_figure
from dirrac_core.geometry.settings_map import NO_PLAN, settings_map
from dirrac_core.models.futures.shift import Shift
from dirrac_core.recourse import find_recourse
from pages.frontier.settings_plane import at_settings


@pytest.fixture(scope="module")
def case():
    scenario = Scenario("german", 0, components=1, radii=0.05)
    return make_case(replace(scenario, applicant=int(bundle_of(scenario).declined[0])))


@pytest.fixture(scope="module")
def found(case):
    return settings_map(case)


def test_every_cell_is_the_problem_of_its_pair(case, found):
    for row, column in ((0, 0), (12, 30), (40, 59)):
        own = replace(
            case.scenario,
            radii=float(found.radii[row]),
            delta_add=float(found.delta_adds[column]),
        )
        alone = find_recourse(make_case(own).problem)
        if alone.x is None:
            assert found.region[row, column] == NO_PLAN
            continue
        worst = found.worst_case[row, column]
        assert worst == pytest.approx(alone.worst_case_probability, abs=1.1e-3)
        changed = case.dataset.schema.describe_change(case.x0, alone.x)
        names = found.regions[found.region[row, column]]
        assert set(names) == {change.feature for change in changed}
    assert found.radii[-1] >= case.problem.radii.max()
    assert found.delta_adds[-1] >= case.problem.delta_add
    # More doubt is never better, more effort never worse.
    assert (np.diff(found.worst_case, axis=1) <= 1.1e-3).all()


def test_the_picture_can_be_clicked_and_names_its_regions(case, found):
    figure = settings_map_figure(found, 0.05, 0.3)
    (heat,) = [t for t in figure.data if t.type == "heatmap"]
    assert (heat.zmin, heat.zmax) == (0.0, 100.0)
    np.testing.assert_allclose(np.array(heat.z)[10, 20], 100.0 * found.worst_case[10, 20])
    (targets,) = [t for t in figure.data if t.name == CLICK_TARGETS]
    assert targets.marker.opacity == 0.0 and len(targets.x) <= 900
    for x, y, (rho, add) in zip(targets.x, targets.y, targets.customdata, strict=True):
        assert (x, y) == (add, rho)
    assert "of 100 decline" in targets.text[-1] or "No plan" in targets.text[-1]
    (here,) = [t for t in figure.data if t.name == HERE]
    assert (here.x, here.y) == ((0.3,), (0.05,))
    named = {annotation.text for annotation in figure.layout.annotations}
    sizes = [np.mean(found.region == k) for k in range(len(found.regions))]
    largest = found.regions[int(np.argmax(sizes))]
    assert any(all(name in text for name in largest) for text in named)
    assert "A map of the worst case" in alt_text(figure)


def test_a_click_keeps_the_ratio_of_the_radii():
    scenario = Scenario("german", 1, components=2, radii=(0.1, 0.2), delta_add=0.3)
    moved = at_settings(scenario, 0.4, 0.55)
    assert (moved.radii, moved.delta_add) == ((0.2, 0.4), 0.55)
    assert at_settings(replace(scenario, radii=0.0), 0.4, 0.1).radii == 0.4
    shifts = (Shift("sampling-noise", radius=0.5), Shift("prior-shift", 0.5, radius=1.0))
    declared = at_settings(replace(scenario, shifts=shifts), 0.5, 0.1)
    assert [shift.radius for shift in declared.shifts] == [0.25, 0.5]
    assert declared.radii == (0.1, 0.2)
