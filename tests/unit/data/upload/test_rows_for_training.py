"""Very many rows: models see some of them, everybody is judged; and whole numbers stay whole."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dirrac_core.bulk.people import outside
from dirrac_core.case.case import bundle_for, solve_scenario
from dirrac_core.case.futures import composition_of
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import load_dataset, table_dataset
from dirrac_core.data.schema.feature import Feature
from dirrac_core.data.schema.schema import with_constant
from dirrac_core.data.upload import features
from dirrac_core.data.upload.visitor_tables import register_table
from dirrac_core.errors import InvalidTable
from dirrac_core.models.bundle import prepare
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.recourse.near_values import many_finest_neighbours, many_neighbours
from dirrac_core.recourse.whole_numbers import whole_number_plan
from dirrac_core.studies.evidence.pasts import pasts_of
from dirrac_core.studies.people.review import edges

ROWS = 600


def people():
    rng = np.random.default_rng(4)
    income, cars = rng.normal(3000, 700, ROWS).round(), rng.integers(0, 5, ROWS)
    year = np.sort(rng.integers(2001, 2007, ROWS))
    good = income / 1000 + 0.5 * cars + rng.logistic(0, 0.7, ROWS) > 4
    return pd.DataFrame(
        {"income": income, "cars": cars, "year": year, "paid": np.where(good, "yes", "no")}
    )


def dated(**more):
    dataset, report = table_dataset(people(), label="paid", favourable="yes", periods="year")
    return replace(dataset, **more), report


def test_models_are_those_of_the_drawn_rows_and_everybody_is_judged():
    rows = np.arange(0, ROWS, 3)
    dataset, _ = dated(training_rows=rows)
    fewer = dataset.for_training
    assert len(fewer.present) == 200 == len(fewer.periods) and fewer.for_training is fewer
    some, alone = (prepare(d, bootstrap=Bootstrap()) for d in (dataset, fewer))
    np.testing.assert_array_equal(some.parameters, alone.parameters)
    np.testing.assert_array_equal(np.flatnonzero(some.training), rows[alone.training])
    assert some.declined.max() > 200 and len(some.dataset.present) == ROWS
    kept = load_dataset(register_table(dataset))
    settings = recommended(kept)
    assert settings.futures == "history"
    found = composition_of(settings, kept).mixture.means
    np.testing.assert_array_equal(found, composition_of(settings, kept.for_training).mixture.means)
    assert set(pasts_of(dataset, "placebo")[0].rows) <= set(rows)
    bundle_for(kept, settings)


def test_rows_must_be_there():
    with pytest.raises(InvalidTable, match="rows to train on"):
        dated(training_rows=np.array([ROWS]))


def test_rows_are_drawn_when_there_are_too_many_and_that_is_said(monkeypatch):
    monkeypatch.setattr(features, "TRAINING_WORK", 400)
    monkeypatch.setattr(features, "FEWEST_TRAINED", 100)
    dataset, report = dated()
    drawn = dataset.training_rows
    assert drawn is not None and len(set(drawn)) == len(drawn) and 100 <= len(drawn) < ROWS
    share = dataset.present.y[drawn].mean()
    assert abs(share - dataset.present.y.mean()) < 0.1
    assert any("Models are trained on" in note for note in report.notes)


def test_people_beyond_the_usual_range_have_been_seen():
    dataset, _ = dated()
    feature = dataset.schema.feature("income")
    (column,) = dataset.schema.columns_of("income")
    X = np.tile(dataset.present.X[0], (2, 1))
    X[0, column] = feature.scaled(feature.extremes[1])
    X[1, column] = feature.scaled(feature.extremes[1] + 100)
    assert feature.extremes[1] > feature.high
    assert list(outside(X, dataset.schema).index) == [1]


def test_a_fraction_of_a_whole_number_is_mended():
    dataset, _ = dated()
    kept = load_dataset(register_table(dataset))
    settings = replace(recommended(kept), futures="sampling")
    row = int(bundle_for(kept, settings).declined[0])
    solved = solve_scenario(Scenario.of(settings, row))
    problem, schema, exact = solved.case.problem, kept.schema, solved.plan.exact.x
    (column,) = schema.columns_of("cars")
    fractional = np.array(exact)
    fractional[column] = schema.feature("cars").scaled(2.4)
    plan = whole_number_plan(schema, problem, fractional)
    assert plan is not None and problem.feasible_set.contains(plan)
    cars, income = (schema.decode(plan)[name] for name in ("cars", "income"))
    assert float(cars).is_integer() and float(income).is_integer()
    assert whole_number_plan(schema, problem, plan) is None


def test_who_starts_beyond_the_usual_range_comes_back_in_whole_steps():
    # A range from 12 on, somebody at 7 and a plan of 10.07: 10 is on the way, 10.07 is no answer.
    months = Feature("months", "integer", low=12.0, high=228.0, seen=(5.0, 233.0))
    before, exact = np.array([7.0]), np.array([10.07])
    x0, x = months.scaled(before), months.scaled(exact)
    assert months.rounded(10.07, 7.0) == 10.0
    assert np.isclose(many_neighbours(months, x0, x), [[10.0], [11.0]]).all()
    assert np.isclose(many_finest_neighbours(months, x0, x), [[9.0], [10.0], [11.0]]).all()


def test_the_edge_of_the_data_is_no_end_of_the_usual_range():
    dataset, _ = dated()
    feature, schema = dataset.schema.feature("income"), dataset.schema
    plans = []
    for value in (feature.high, feature.extremes[1]):
        person = schema.decode(dataset.present.X[0]) | {"income": value}
        plans.append(with_constant(schema.encode(pd.DataFrame([person]))[0]))
    frame = pd.DataFrame({"row": [0, 0], "found": True, "x": plans})
    assert feature.high < feature.extremes[1]
    assert edges(frame.iloc[:1], dataset) == {}
    assert edges(frame.iloc[1:], dataset) == {0: ("income",)}
