"""What the geometry figure draws satisfies the equations it stands for."""

import numpy as np
import pytest

from dirrac_core import Actions, ParameterMixture, RecourseProblem, find_recourse, load_dataset
from dirrac_core.errors import InvalidInput, UnknownName
from dirrac_core.figures.drawing.palette import INK, THEMES, alt_text, component_colour
from dirrac_core.figures.drawing.ticks import real_ticks
from dirrac_core.figures.plane.curve_labels import LABELS, words_boxes
from dirrac_core.figures.plane.geometry import extended, geometry
from dirrac_core.figures.plane.geometry_animation import geometry_over_radius
from dirrac_core.figures.plane.geometry_layers import LEVELS
from dirrac_core.figures.plane.geometry_marks import ROOM, Downhill, Landmark
from dirrac_core.geometry.axes import Axis, feature_axis, plain_axis
from dirrac_core.geometry.radius_frames import RadiusFrame
from dirrac_core.geometry.slices import Slice

AXES = (plain_axis("First"), plain_axis("Second"))
RHO = np.array([0.3, 0.15])


def problem(cost="l2", radii=RHO):
    mixture = ParameterMixture(
        [0.4, 0.6], [[1.6, 0.9, -1.2], [0.9, 1.5, -1.0]], [0.02 * np.eye(3), 0.05 * np.eye(3)]
    )
    return RecourseProblem(
        [0.15, 0.2, 1.0],
        mixture,
        radii=radii,
        delta_add=0.3,
        cost=cost,
        actions=Actions(lower=[0, 0], upper=[1, 1]),
    )


@pytest.fixture(scope="module")
def solved():
    asked = problem()
    plan = find_recourse(asked)
    path = find_recourse(asked, solver="projected_gradient").trace
    return asked, plan, [step.x for step in path]


def named(figure, name):
    (trace,) = [t for t in figure.data if t.name == name]
    return np.column_stack([trace.x, trace.y, np.ones(len(trace.x))])


@pytest.mark.parametrize("cost", ["l1", "l2"])
def test_lines_margins_budget_and_area_satisfy_their_equations(cost):
    asked = problem(cost)
    feasible = asked.feasible_set
    figure = geometry(Slice(feasible, asked.x0, (0, 1)), AXES)
    for k in range(2):
        theta = asked.mixture.means[k]
        straight = named(figure, f"Component {k + 1}: boundary")
        np.testing.assert_allclose(straight @ theta, 0.0, atol=1e-12)
        curve = named(figure, f"Component {k + 1}")
        lengths = RHO[k] * np.linalg.norm(curve, axis=1) + feasible.margin
        np.testing.assert_allclose(curve @ theta, lengths, atol=1e-12)
    budget = named(figure, "Budget")
    for x in budget:
        assert feasible.cost_of(x) == pytest.approx(feasible.delta)
    area = named(figure, "Feasible set")
    np.testing.assert_allclose(area[0], area[-1])
    assert all(feasible.contains(x) for x in area)


def test_boundary_and_margin_of_a_component_share_a_colour_but_not_a_line():
    asked = problem()
    figure = geometry(Slice(asked.feasible_set, asked.x0, (0, 1)), AXES)
    for k in range(2):
        (margin,) = [t for t in figure.data if t.name == f"Component {k + 1}"]
        (straight,) = [t for t in figure.data if t.name == f"Component {k + 1}: boundary"]
        assert margin.line.color == straight.line.color == component_colour(k)
        assert (margin.line.dash, straight.line.dash) == (None, "dash")
    (labels,) = [t for t in figure.data if t.name == LABELS]
    assert [text for text in labels.text][:3] == [
        *(f'<span style="color:{component_colour(k)}"><b>{k + 1}</b></span>' for k in range(2)),
        "budget",
    ]
    assert labels.textfont.color[:2] == (INK["light"],) * 2
    assert not figure.layout.showlegend


def test_axes_are_equal_and_the_window_holds_every_point(solved):
    asked, plan, path = solved
    plane = Slice(asked.feasible_set, asked.x0, (0, 1))
    marks = [Landmark("applicant", asked.x0), Landmark("plan", plan.x)]
    figure = geometry(plane, AXES, marks, path)
    assert figure.layout.yaxis.scaleanchor == "x"
    assert figure.layout.yaxis.scaleratio == 1
    for x in (asked.x0, plan.x, *path, *named(figure, "Feasible set")):
        assert figure.layout.xaxis.range[0] < x[0] < figure.layout.xaxis.range[1]
        assert figure.layout.yaxis.range[0] < x[1] < figure.layout.yaxis.range[1]


def test_landmarks_and_path_are_drawn_where_they_are(solved):
    asked, plan, path = solved
    plane = Slice(asked.feasible_set, asked.x0, (0, 1))
    marks = [
        Landmark("applicant", asked.x0),
        Landmark("plan", plan.x),
        Landmark("what-if", [0.5, 0.5, 1.0], "Mine"),
    ]
    figure = geometry(plane, AXES, marks, path)
    np.testing.assert_allclose(named(figure, "Applicant")[0], asked.x0)
    np.testing.assert_allclose(named(figure, "Certified plan")[0], plan.x)
    np.testing.assert_allclose(named(figure, "Mine")[0], [0.5, 0.5, 1.0])
    drawn = named(figure, f"Algorithm 1 ({len(path) - 1} steps)")
    np.testing.assert_allclose(drawn, path)
    assert f"Certified plan: First {plan.x[0]:.4g}, Second {plan.x[1]:.4g}." in alt_text(figure)
    with pytest.raises(UnknownName, match="kind of a landmark"):
        Landmark("home", asked.x0)


def test_level_lines_carry_the_objective(solved):
    asked, plan, _ = solved
    figure = geometry(Slice(asked.feasible_set, asked.x0, (0, 1)), AXES, levels=asked.objective)
    contours = [t for t in figure.data if t.type == "contour"]
    assert contours
    for trace in contours:
        assert trace.contours.start == trace.contours.end
        assert trace.contours.start in LEVELS
        for i, j in ((0, 0), (10, 40), (60, 60)):
            x = np.array([trace.x[i], trace.y[j], 1.0])
            assert trace.z[j][i] == pytest.approx(100 * asked.objective.value(x))


def test_real_units_on_real_data_and_points_outside_the_slice():
    dataset = load_dataset("german")
    schema = dataset.schema
    rng = np.random.default_rng(0)
    width = len(schema.columns) + 1
    theta = rng.normal(size=width) * 0.1
    (i,), (j,) = schema.columns_of("Duration"), schema.columns_of("Credit amount")
    theta[[i, j, -1]] = [-2.0, -1.0, 1.2]
    x0 = np.append(dataset.present.X[5], 1.0)
    mixture = ParameterMixture([1.0], [theta], [0.001 * np.eye(width)])
    asked = RecourseProblem(x0, mixture, 0.05, 0.4, actions=dataset.actions(x0=x0))
    plan = find_recourse(asked)
    other = plan.x.copy()
    other[schema.columns_of("Age")[0]] += 0.1
    plane = Slice(asked.feasible_set, plan.x, (i, j))
    axes = tuple(feature_axis(schema.feature(n)) for n in ("Duration", "Credit amount"))
    figure = geometry(plane, axes, [Landmark("plan", plan.x), Landmark("roar", other)])
    axis = figure.layout.xaxis
    months = schema.feature("Duration")
    assert axis.title.text == "Duration (months)"
    for place, text in zip(axis.tickvals, axis.ticktext, strict=True):
        real = months.low + place * (months.high - months.low)
        assert float(text.replace("−", "-")) == pytest.approx(real)
    assert len(axis.tickvals) >= 3
    (inside,) = [t for t in figure.data if t.name == "Certified plan"]
    (outside,) = [t for t in figure.data if t.name == "ROAR (outside this slice)"]
    assert not inside.marker.symbol.endswith("-open")
    assert outside.marker.symbol.endswith("-open")
    assert "months" in inside.hovertext[0] and inside.text == ("Certified plan",)


@pytest.mark.parametrize("theme", THEMES)
def test_names_are_written_in_the_ink_of_the_page(solved, theme):
    """A name in the colour of its mark could not be read on an area of the same colour."""
    asked, plan, _ = solved
    plane = Slice(asked.feasible_set, asked.x0, (0, 1))
    marks = [Landmark("applicant", asked.x0), Landmark("plan", plan.x)]
    figure = geometry(plane, AXES, marks, theme=theme)
    written = [t.textfont.color for t in figure.data if t.mode == "markers+text"]
    assert written == [INK[theme]] * 2


def test_limits_are_greyed_without_overlap():
    asked = problem()
    shown = (-0.5, 1.5, -0.5, 1.5)
    figure = geometry(Slice(asked.feasible_set, asked.x0, (0, 1)), AXES, window=shown)
    left, right, bottom, top = extended(shown)
    inside = 0.0
    for shape in figure.layout.shapes:
        inside += (shape.x1 - shape.x0) * (shape.y1 - shape.y0)
    assert inside == pytest.approx((right - left) * (top - bottom) - 1.0)


def test_an_empty_or_flat_slice_says_so():
    asked = problem()
    far = asked.feasible_set.with_delta(0.01)
    figure = geometry(Slice(far, asked.x0, (0, 1)), AXES)
    assert np.isnan(named(figure, "Feasible set")[:, :2]).all()
    assert "No feasible point" in alt_text(figure)
    tight = RecourseProblem(
        asked.x0, asked.mixture, RHO, delta_add=0.4, cost="l2", actions=Actions(locked=[0])
    )
    figure = geometry(Slice(tight.feasible_set, asked.x0, (0, 1)), AXES)
    area = named(figure, "Feasible set")
    np.testing.assert_allclose(area[:, 0], asked.x0[0])
    assert "single point or segment" in alt_text(figure)


def frame(asked, rho):
    """The slice, budget and plan of one radius, the second radius half of the first."""
    own = problem(radii=rho * RHO / RHO.max())
    plan = find_recourse(own)
    feasible = own.feasible_set if plan.x is not None else own.unbounded.with_delta(0.0)
    value = plan.worst_case_probability
    return RadiusFrame(rho, Slice(feasible, asked.x0, (0, 1)), plan.x, value)


def test_every_frame_holds_its_own_set_budget_and_plan(solved):
    asked, *_ = solved
    radii = np.linspace(0.0, 2.0, 5)
    frames = [frame(asked, rho) for rho in radii]
    figure = geometry_over_radius(frames, AXES, [Landmark("applicant", asked.x0)])
    assert [each.name for each in figure.frames] == ["0", "0.5", "1", "1.5", "2"]
    assert [s.label for s in figure.layout.sliders[0].steps] == ["0", "0.5", "1", "1.5", "2"]
    for made, drawn in zip(frames, figure.frames, strict=True):
        traces = dict(zip(drawn.traces, drawn.data, strict=True))
        named = {figure.data[index].name: trace for index, trace in traces.items()}
        own = made.plane.feasible
        for k in range(2):
            curve = named[f"Component {k + 1}"]
            points = np.column_stack([curve.x, curve.y, np.ones(len(curve.x))])
            lengths = own.radii[k] * np.linalg.norm(points, axis=1) + 1e-3
            np.testing.assert_allclose(points @ asked.mixture.means[k], lengths, atol=1e-9)
        area, budget = named["Feasible set"], named["Budget"]
        for u in zip(area.x, area.y, strict=True):
            assert np.isnan(u).all() or own.contains(np.append(u, 1.0))
        star = traces[drawn.traces[-1]]
        if made.plan is None:
            assert star.x == (None,) and np.isnan(area.x).all()
            np.testing.assert_allclose(budget.x, asked.x0[0])
        else:
            assert (star.x[0], star.y[0]) == (made.plan[0], made.plan[1])
            for u in zip(budget.x, budget.y, strict=True):
                assert own.cost_of(np.append(u, 1.0)) == pytest.approx(own.delta)
    spent = [each.plane.feasible.delta for each in frames if each.plan is not None]
    assert len(spent) > 1 and len(spent) < 5 and (np.diff(spent) > 0.0).all()
    assert figure.layout.sliders[0].steps[1].args[0] == ("0.5",)
    empty = next(each.radius for each in frames if each.plan is None)
    assert f"From ρ = {empty:.3g} on no feasible point" in alt_text(figure)
    with pytest.raises(InvalidInput, match="at least one frame"):
        geometry_over_radius([], AXES)


def test_an_empty_slice_has_no_star(solved):
    asked, plan, _ = solved
    marks = [Landmark("applicant", asked.x0), Landmark("plan", plan.x)]
    empty = Slice(asked.feasible_set.with_delta(0.01), asked.x0, (0, 1))
    names = [trace.name for trace in geometry(empty, AXES, marks).data]
    assert "Applicant" in names and "Certified plan" not in names


def test_the_room_is_a_box_and_the_gradient_an_arrow(solved):
    asked, plan, _ = solved
    plane = Slice(asked.feasible_set, asked.x0, (0, 1))
    box = np.array([plan.x[:2] - 0.02, plan.x[:2] + 0.03])
    trial = plan.x + [0.05, 0.04, 0.0]
    step = Downhill(plan.x, trial, plan.x)
    figure = geometry(plane, AXES, room=box, step=step)
    drawn = named(figure, ROOM)
    np.testing.assert_allclose([drawn.min(axis=0)[:2], drawn.max(axis=0)[:2]], box)
    arrow = next(a for a in figure.layout.annotations if a.showarrow)
    assert (arrow.x, arrow.y, arrow.ax, arrow.ay) == (*trial[:2], *plan.x[:2])
    far = geometry(plane, AXES, step=Downhill(plan.x, plan.x + [50.0, 40.0, 0.0], plan.x))
    cut = next(a for a in far.layout.annotations if a.showarrow)
    way = np.array([cut.x - cut.ax, cut.y - cut.ay])
    assert way[1] / way[0] == pytest.approx(0.8) and np.linalg.norm(way) < 1.0
    assert any(a.text == "−∇f, cut" for a in far.layout.annotations)


def window_of(figure):
    return (*figure.layout.xaxis.range, *figure.layout.yaxis.range)


def test_labels_stand_on_their_curves_and_apart(solved):
    asked, *_ = solved
    plane = Slice(asked.feasible_set, asked.x0, (0, 1))
    figure = geometry(plane, AXES, names=("Mean shift", "A name that is far too long to be drawn"))
    (labels,) = [t for t in figure.data if t.name == LABELS]
    assert labels.text[0].endswith("<b>1</b></span> Mean shift") and labels.text[1].endswith("…")
    for k in range(2):
        x = np.array([labels.x[k], labels.y[k], 1.0])
        missed = asked.mixture.means[k] @ x - RHO[k] * np.linalg.norm(x) - 1e-3
        assert abs(missed) < 1e-4
    boxes = [
        words_boxes(np.array([[x, y]]), words, side, window_of(figure))[0]
        for x, y, words, side in zip(
            labels.x, labels.y, labels.text, labels.textposition, strict=True
        )
        if x is not None
    ]
    for k, one in enumerate(boxes):
        for other in boxes[:k]:
            shared = np.minimum(one[2:], other[2:]) - np.maximum(one[:2], other[:2])
            assert (shared <= 0.0).any()
    small = geometry(plane, AXES, names=("One", "Two"), compact=True)
    (labels,) = [t for t in small.data if t.name == LABELS]
    assert [text.endswith(f"<b>{k}</b></span>") for k, text in enumerate(labels.text, 1)] == [
        True
    ] * 2


def test_both_themes_draw_the_same_numbers(solved):
    asked, plan, path = solved
    plane = Slice(asked.feasible_set, asked.x0, (0, 1))
    marks = [Landmark("applicant", asked.x0), Landmark("plan", plan.x)]
    light, dark = (geometry(plane, AXES, marks, path, asked.objective, theme=t) for t in THEMES)
    assert light.layout.template != dark.layout.template
    for a, b in zip(light.data, dark.data, strict=True):
        np.testing.assert_array_equal(a.x, b.x)
        np.testing.assert_array_equal(a.y, b.y)
    assert alt_text(light) == alt_text(dark)


def test_ticks_stand_at_round_real_values():
    axis = Axis("Amount", lambda v: 250 + v * 18174, lambda r: (r - 250) / 18174, str, unit="DM")
    ticks = real_ticks(axis, -0.03, 0.3)
    assert ticks["ticktext"] == ["0", "1,000", "2,000", "3,000", "4,000", "5,000"]
    assert ticks["title"] == "Amount (DM)"
    whole = Axis("Jobs", lambda v: v, lambda r: r, str, whole=True)
    assert real_ticks(whole, 0.0, 2.0)["ticktext"] == ["0", "1", "2"]
    assert real_ticks(plain_axis("x"), -0.1, 0.31)["ticktext"] == [
        "−0.1",
        "0.0",
        "0.1",
        "0.2",
        "0.3",
    ]
