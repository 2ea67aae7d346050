"""The geometry page: every dataset, every control, the what-if point and the teaching steps."""

import numpy as np
import pytest
from screen import button, charts, page_file, ready

from dirrac_core import DATASETS, assess
from pages.geometry.computing import frames
from pages.geometry.view import View
from pages.geometry.what_if import place_point
from pages.shared import computing


def figure(at):
    (chart,) = charts(at)
    return chart.figure


def names(at):
    return [trace.get("name", "") for trace in figure(at)["data"]]


def headline(at):
    return next(m.value for m in at.markdown if m.value.startswith("### "))


def scenario_of(at):
    return at.session_state["scenario"]


@pytest.mark.parametrize("dataset", DATASETS)
def test_every_dataset_shows_its_slice(open_app, dataset):
    at = ready(open_app("geometry", dataset=dataset))
    drawn = names(at)
    case = computing.case(scenario_of(at))
    components = case.problem.mixture.components
    assert {"Feasible set", "Budget", "Applicant"} <= {n.split(" (")[0] for n in drawn}
    assert sum(name.startswith("Component") for name in drawn) == 2 * components
    assert "Certified plan" in drawn and any(n.startswith("ROAR") for n in drawn)
    (labels,) = [t for t in figure(at)["data"] if t.get("name") == "labels"]
    assert len(labels["text"]) >= components + 1 and figure(at)["layout"]["showlegend"] is False
    layout = figure(at)["layout"]
    assert layout["yaxis"]["scaleanchor"] == "x" and layout["yaxis"]["scaleratio"] == 1
    assert charts(at)[0].alt


def test_a_flat_dataset_has_nothing_to_hold(open_app):
    at = ready(open_app("geometry", dataset="synthetic"))
    assert "Across" not in [box.label for box in at.selectbox]
    assert not any("outside this slice" in name for name in names(at))


def test_two_features_can_be_chosen_and_stay_different(open_app):
    at = ready(open_app("geometry", dataset="german"))
    ready(at.selectbox(key="across").set_value("Age").run())
    layout = figure(at)["layout"]
    assert layout["xaxis"]["title"]["text"] == "Age (years)"
    assert "Age" not in at.selectbox(key="up").options
    ready(at.selectbox(key="across").set_value("Credit amount").run())
    assert at.selectbox(key="up").value != "Credit amount"


def test_holding_the_others_at_the_applicant_asks_whether_two_are_enough(open_app):
    at = ready(open_app("geometry", dataset="german"))
    ready(at.button_group(key="held").set_value("applicant").run())
    scenario = scenario_of(at)
    features = (at.selectbox(key="across").value, at.selectbox(key="up").value)
    shaded = computing.plane(scenario, features, False).slice.outlines
    assert ("can be enough" if shaded else "is not enough") in headline(at)
    ready(at.selectbox(key="across").set_value("Age").run())
    assert "Applicant" in names(at)
    ready(at.button_group(key="held").set_value("plan").run())
    assert "Applicant (outside this slice)" in names(at)


def test_layers_come_and_go(open_app):
    at = ready(open_app("geometry", dataset="synthetic"))
    assert "Room to move" in names(at)
    ready(at.button_group(key="layers").set_value(["levels", "path"]).run())
    drawn = names(at)
    assert any("in 100" in name for name in drawn)
    assert any(name.startswith("Algorithm 1") for name in drawn)
    assert not any(name.startswith(("Room", "ROAR")) for name in drawn)


def test_figure_2_of_the_paper_is_one_click_away_and_can_be_undone(open_app):
    at = ready(open_app("geometry", dataset="german"))
    before = scenario_of(at)
    ready(button(at, "Figure 2").click().run())
    scenario = scenario_of(at)
    case = computing.case(scenario)
    assert scenario.cost == "l2" and case.problem.mixture.components == 3
    slopes = case.problem.mixture.means[:, 0] / case.problem.mixture.means[:, 1]
    assert min(abs(a - b) for a, b in zip(slopes, np.roll(slopes, 1), strict=True)) > 0.1
    # Every margin of the picture stands clearly apart from its boundary.
    plane = computing.plane(scenario, ("Feature 1", "Feature 2"), True).slice
    window = (0.0, 1.0, 0.0, 1.0)
    for k in range(3):
        g, h = plane.hyperplane(k)
        away = (plane.margin_curve(k, window) @ g + h) / np.hypot(*g)
        assert away.min() > 0.1
    assert len(plane.outlines[0]) > 100 and "Certified plan" in names(at)
    assert button(at, "Figure 2").disabled
    ready(button(at, "Undo").click().run())
    assert scenario_of(at) == before


def test_the_radius_moves_the_margins(open_app):
    at = ready(open_app("geometry", dataset="synthetic"))
    before = {t["name"]: t["y"] for t in figure(at)["data"]}
    ready(at.slider(key="set radii").set_value(0.3).run())
    after = {t["name"]: t["y"] for t in figure(at)["data"]}
    assert after["Component 1"] != before["Component 1"]
    assert after["Component 1: boundary"] == before["Component 1: boundary"]
    assert after["Feasible set"] != before["Feasible set"]


def test_the_animation_brings_all_its_frames_along(open_app):
    at = ready(open_app("geometry", dataset="synthetic"))
    ready(at.button_group(key="view").set_value("animation").run())
    shown = figure(at)
    _, made = frames(scenario_of(at), ("Feature 1", "Feature 2"), True)
    radii = [frame.radius for frame in made]
    assert [float(frame["name"]) for frame in shown["frames"]] == pytest.approx(radii, rel=1e-2)
    assert radii[0] == 0.0 and shown["layout"]["sliders"]
    stars = [frame["data"][-1]["x"] for frame in shown["frames"]]
    assert stars[-1] == [None] and len({star[0] for star in stars}) > 5


def test_algorithm_1_goes_step_by_step(open_app):
    at = ready(open_app("geometry", dataset="synthetic"))
    ready(at.button_group(key="view").set_value("steps").run())
    walk = computing.algorithm_1_walk(scenario_of(at))
    last = len(walk.steps) - 1

    def told():
        return next(m.value for m in at.markdown if m.value.startswith("**Step"))

    def press(label):
        ready(button(at, label).click().run())

    def line():
        return next(text for text in at.code[0].value.split("\n") if text.startswith("▶"))

    assert "**Step 0 of" in told() and "Algorithm 1 (0 steps)" in names(at)
    assert "Proj(x₀)" in line()
    press("Step on")
    assert "**Step 1 of" in told() and "Algorithm 1 (1 step)" in names(at)
    assert at.query_params["step"] == "1" and "xᵗ⁺¹" in line()
    arrow = next(a for a in figure(at)["layout"]["annotations"] if a["showarrow"])
    plane = computing.plane(scenario_of(at), ("Feature 1", "Feature 2"), True).slice
    assert (arrow["ax"], arrow["ay"]) == tuple(walk.steps[0].x[list(plane.columns)])
    ready(at.slider(key="step").set_value(last).run())
    assert f"**Step {last} of" in told() and "output" in line()
    assert button(at, "Step on").disabled
    assert any("certified solver proves" in m.value for m in at.markdown)
    press("Play")
    assert "**Step 1 of" in told() and button(at, "Pause")
    press("Pause")
    assert button(at, "Play")


def test_a_point_typed_in_is_judged_like_any_plan(open_app):
    at = ready(open_app("geometry", dataset="german"))
    ready(at.number_input(key="across_at").set_value(12.0).run())
    ready(at.number_input(key="up_at").set_value(2000.0).run())
    scenario = scenario_of(at)
    features = (at.selectbox(key="across").value, at.selectbox(key="up").value)
    assert features == ("Duration", "Credit amount")
    x = computing.plane(scenario, features, True).point(12.0, 2000.0)
    person = computing.case(scenario).dataset.schema.decode(x)
    assert (person["Duration"], person["Credit amount"]) == (12.0, 2000.0)
    inside = bool(assess(computing.case(scenario).problem, x).checks)
    said = next(m.value for m in at.markdown if "the shaded set" in m.value)
    assert said.startswith("**Inside" if inside else "**Outside")
    declined = computing.facts(scenario, tuple(x)).declined
    assert f"{declined} of 100" in at.table[0].value["Declining models"].tolist()
    assert "What if" in names(at)
    ready(next(b for b in at.button if b.label == "Take it away").click().run())
    assert "What if" not in names(at)


def test_a_point_far_away_breaks_conditions_and_says_which(open_app):
    link = {"across": "Duration", "up": "Credit amount", "across_at": "72", "up_at": "18000"}
    at = ready(open_app("geometry", dataset="german", **link))
    said = next(m.value for m in at.markdown if "the shaded set" in m.value)
    assert said.startswith("**Outside") and "Today's model accepts it" in said


def test_a_click_lands_on_a_value_one_would_write_down(open_app):
    at = ready(open_app("geometry", dataset="german"))
    scenario = scenario_of(at)
    case = computing.case(scenario)
    view = View(("Duration", "Credit amount"), "plan", "picture", ())
    place = case.dataset.schema.feature("Duration").scaled(23.4)
    kept = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pages.geometry.what_if.st.session_state", kept)
        place_point(case, view, (place, 0.5))
        assert kept["across_at"] == 23.0
        assert kept["up_at"] == np.round(kept["up_at"])


def test_a_link_restores_the_picture(open_app):
    link = {"across": "Credit amount", "up": "Age", "held": "the applicant", "layers": ""}
    at = ready(open_app("geometry", dataset="german", **link))
    assert at.selectbox(key="across").value == "Credit amount"
    assert at.selectbox(key="up").value == "Age"
    assert at.button_group(key="held").value == "applicant"


def test_a_bad_link_says_what_it_ignored(open_app):
    link = {"across": "Term", "view": "Film", "layers": "Snow", "across_at": "far", "up_at": "inf"}
    at = ready(open_app("geometry", dataset="german", **link))
    told = " ".join(warning.value for warning in at.warning)
    for words in ("across = Term", "view = Film", "layers = Snow", "= far", "= inf"):
        assert words in told.replace("\\", "")
    assert at.selectbox(key="across").value == "Duration"
    assert at.number_input(key="across_at").value is None
    assert "What if" not in names(at)


def test_a_good_link_is_opened_without_a_word(open_app):
    link = {"across": "Age", "layers": "Level lines", "across_at": "30", "step": "1"}
    assert not ready(open_app("geometry", dataset="german", **link)).warning


def test_another_dataset_starts_afresh(open_app):
    at = ready(open_app("geometry", dataset="german"))
    ready(at.number_input(key="across_at").set_value(12.0).run())
    ready(at.selectbox(key="set dataset").set_value("student").run())
    assert at.number_input(key="across_at").value is None
    assert at.selectbox(key="across").value in at.selectbox(key="across").options


def test_without_a_plan_the_picture_and_a_way_out_remain(open_app):
    at = ready(open_app("geometry", dataset="german", rho="1.5"))
    assert headline(at) == "### No plan exists under these conditions, so nothing is shaded."
    assert "Certified plan" not in names(at) and "Applicant" in names(at)
    ready(at.button_group(key="view").set_value("steps").run())
    assert any("no feasible point to start from" in m.value for m in at.markdown)


def test_the_pages_can_be_left_and_come_back_to(open_app):
    at = ready(open_app("geometry", dataset="german"))
    ready(at.switch_page(page_file("recourse")).run())
    ready(at.switch_page(page_file("geometry")).run())
    assert "Feasible set" in names(at)
