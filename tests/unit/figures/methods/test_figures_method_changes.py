"""The picture of what each method changes."""

import numpy as np
import pytest

from dirrac_core.data import load_dataset, with_constant
from dirrac_core.figures.drawing.palette import UNFAVOURABLE_SYMBOL, alt_text
from dirrac_core.figures.methods.changes import (
    MOST_FEATURES,
    PANELS_IN_A_ROW,
    MethodPlan,
    features_by_use,
    method_changes,
)

GERMAN = load_dataset("german").schema
X0 = with_constant(load_dataset("german").present.X[1])


def plan(method, accepted=True, **values):
    """The applicant with some real values replaced."""
    person = {**GERMAN.decode(X0), **{name.replace("_", " "): v for name, v in values.items()}}
    return MethodPlan(method, with_constant(GERMAN.encode(person)[0]), accepted)


PLANS = [
    plan("DiRRAc", Duration=4.0, Credit_amount=3000.0),
    plan("AR", accepted=False, Duration=20.0),
    plan("CEPM", Duration=50.0, Status="no account"),
    MethodPlan("RBR", None, False),
]


def panel(figure, feature):
    """The traces of the panel with this title."""
    titles = [note.text for note in figure.layout.annotations]
    number = next(i for i, title in enumerate(titles) if title.startswith(feature))
    axis = "x" if number == 0 else f"x{number + 1}"
    return [trace for trace in figure.data if trace.xaxis == axis]


def test_the_most_changed_feature_comes_first():
    used = [feature.name for feature in features_by_use(GERMAN, X0, PLANS)]
    assert used == ["Duration", "Status", "Credit amount"]


def test_a_dumbbell_runs_from_the_applicant_to_the_plan():
    figure = method_changes(GERMAN, X0, PLANS)
    now, ways, accepted, declined = panel(figure, "Duration")
    (column,) = GERMAN.columns_of("Duration")
    assert set(now.x) == {X0[column]} and list(now.y) == ["DiRRAc", "AR", "CEPM"]
    ends = list(zip(ways.x[::3], ways.x[1::3], ways.y[::3], strict=True))
    assert ends == [(X0[column], p.x[column], p.method) for p in PLANS[:3]]
    assert list(accepted.y) == ["DiRRAc", "CEPM"] and list(declined.y) == ["AR"]
    assert declined.marker.symbol == UNFAVOURABLE_SYMBOL
    assert "48 months → 4 months" in accepted.text


def test_an_unchanged_feature_has_only_the_applicant_s_mark():
    _, ways, accepted, declined = panel(method_changes(GERMAN, X0, PLANS), "Credit amount")
    assert list(accepted.y) == ["DiRRAc"] and len(ways.x) == 3 and not declined.y


def test_categories_are_named_and_written_as_they_are():
    figure = method_changes(GERMAN, X0, [plan("DiRRAc", Status="< 0 DM")])
    assert list(figure.layout.xaxis.ticktext) == ["&lt; 0 DM", "0–200 DM"]
    _, _, accepted, _ = panel(figure, "Status")
    assert accepted.x == (0.0,) and accepted.text == ("0–200 DM → &lt; 0 DM",)


def test_the_description_groups_equal_plans_and_names_those_without():
    told = alt_text(method_changes(GERMAN, X0, [*PLANS, plan("MINT", Duration=20.0)]))
    assert "RBR: no plan." in told
    assert "AR: Shorten the loan from 48 to 20 months (declined today)." in told
    assert "MINT: Shorten the loan from 48 to 20 months." in told
    twice = alt_text(method_changes(GERMAN, X0, [PLANS[0], MethodPlan("B", PLANS[0].x, True)]))
    assert "DiRRAc and B: " in twice


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_panels_lie_beside_and_below_each_other(theme):
    sba = load_dataset("sba")
    x0 = with_constant(sba.present.X[31])
    moved = x0.copy()
    numbers = [f for f in sba.schema.features if not f.is_categorical]
    for feature in numbers:
        (column,) = sba.schema.columns_of(feature.name)
        moved[column] += 0.1
    figure = method_changes(sba.schema, x0, [MethodPlan("A", moved, True)], theme)
    assert len(numbers) > MOST_FEATURES == len(figure.layout.annotations)
    domains = [figure.layout[f"xaxis{i or ''}"].domain for i in (0, 2, 3, 4, 5, 6)]
    assert len(set(domains)) == PANELS_IN_A_ROW
    ups = [figure.layout[f"yaxis{i or ''}"].domain for i in (0, 2, 3, 4, 5, 6)]
    assert all(0.0 <= low < high <= 1.0 for low, high in ups) and len(set(ups)) == 3
    assert ups[-1][0] == pytest.approx(0.0) and ups[0][1] == 1.0


@pytest.mark.parametrize("plans", [[], [MethodPlan("A", None, False)], [MethodPlan("A", X0, True)]])
def test_nothing_to_draw_is_said(plans):
    figure = method_changes(GERMAN, X0, plans)
    assert not figure.data and alt_text(figure) == "No method changes anything."


def test_nothing_that_comes_in_is_changed():
    before = [np.array(p.x) for p in PLANS[:3]]
    method_changes(GERMAN, X0, PLANS)
    assert all(np.array_equal(a, p.x) for a, p in zip(before, PLANS[:3], strict=True))
