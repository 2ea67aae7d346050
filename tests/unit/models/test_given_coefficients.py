"""A model given by its coefficients, in the table's units."""

import json
from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from dirrac_core.case.case import bundle_for, case_of, solve
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import load_dataset, table_dataset
from dirrac_core.data.schema.schema import with_constant
from dirrac_core.data.upload.visitor_tables import register_table
from dirrac_core.errors import InvalidInput
from dirrac_core.models.bundle import prepare
from dirrac_core.models.given.coefficients import (
    INTERCEPT,
    coefficient_template,
    given_theta,
    read_coefficients,
    with_given_model,
)
from dirrac_core.recourse import RecourseProblem, find_recourse

ROWS = 200


def people():
    rng = np.random.default_rng(0)
    age = rng.integers(18, 80, ROWS)
    income = rng.normal(3000, 600, ROWS).round(2)
    job = rng.choice(["clerk", "nurse", "-other"], ROWS)
    score = (age - 50) / 20 + (income - 3000) / 600 + (job == "nurse") + rng.normal(size=ROWS)
    return pd.DataFrame(
        {"age": age, "=income": income, "job": job, "paid": np.where(score > 0.3, "yes", "no")}
    )


@pytest.fixture(scope="module")
def dataset():
    return table_dataset(people(), label="paid", favourable="yes")[0]


@pytest.fixture(scope="module")
def fitted():
    """A scikit-learn model on scaled numbers and dummies without the first category."""
    frame = people()
    scaler = StandardScaler().fit(frame[["age", "=income"]].to_numpy())
    dummies = pd.get_dummies(frame["job"], drop_first=True)
    X = np.column_stack([scaler.transform(frame[["age", "=income"]].to_numpy()), dummies])
    return LogisticRegression().fit(X, frame["paid"] == "yes"), scaler, list(dummies.columns), X


def as_json(fitted):
    """The conversion to real units as the page explains it."""
    model, scaler, categories, _ = fitted
    slope = model.coef_[0][:2] / scaler.scale_
    intercept = model.intercept_[0] - (slope * scaler.mean_).sum()
    jobs = dict(zip(categories, model.coef_[0][2:], strict=True))
    coefficients = {"age": slope[0], "=income": slope[1], "job": jobs}
    return json.dumps({"intercept": intercept, "coefficients": coefficients}).encode()


def test_it_gives_the_probabilities_of_the_fitted_model(dataset, fitted):
    given, notes = with_given_model(dataset, as_json(fitted))
    model, _, _, X = fitted
    bundle = prepare(given)
    np.testing.assert_allclose(
        bundle.current.probability(given.present.X), model.predict_proba(X)[:, 1], atol=1e-9
    )
    assert notes == ("Categories of 'job' without a coefficient count 0: ['-other'].",)
    assert not bundle.accuracy.held_out


def test_a_number_with_gaps_needs_one_coefficient(fitted):
    frame = people()
    frame.loc[:10, "age"] = np.nan
    gappy = table_dataset(frame, label="paid", favourable="yes")[0]
    given, notes = with_given_model(gappy, as_json(fitted))
    columns = list(gappy.schema.columns_of("age missing"))
    assert not given.given_model[columns].any() and "'age' is missing counts 0" in notes[0]
    full = with_given_model(
        table_dataset(people(), label="paid", favourable="yes")[0], as_json(fitted)
    )[0]
    known = frame["age"].notna().to_numpy()
    scores = [with_constant(d.present.X) @ d.given_model for d in (given, full)]
    np.testing.assert_allclose(scores[0][known], scores[1][known], atol=1e-9)


def test_the_template_filled_in_is_read_back(dataset):
    rows = [line.split(",") for line in coefficient_template(dataset.schema).splitlines()]
    assert rows[0] == ["feature", "category", "coefficient"] and rows[1][0] == INTERCEPT
    # Cells a spreadsheet could run are guarded in the template and understood in the upload.
    assert rows[3][0] == "'=income" and rows[4][:2] == ["job", "'-other"]
    for number, row in enumerate(rows[1:]):
        row[2] = str(number)
    for separator, end in ((",", "\r\n"), (";", "\n")):
        content = end.join(separator.join(row) for row in rows).encode()
        theta, notes = given_theta(read_coefficients(content), dataset.schema)
        assert notes == ()
        frame = people()
        job = frame["job"].map({"-other": 3, "clerk": 4, "nurse": 5})
        score = frame["age"] + 2 * frame["=income"] + job
        np.testing.assert_allclose(with_constant(dataset.present.X) @ theta, score, rtol=1e-12)


def test_decimal_commas_beside_semicolons(dataset):
    content = (
        "feature;category;coefficient\n(intercept);;-1,5\nage;;0,25\n=income;;0\njob;clerk;1\n"
    )
    assert read_coefficients(content.encode())["age", ""] == 0.25


def json_of(**changes):
    whole = {"intercept": 0, "coefficients": {"age": 1, "=income": 1, "job": {"clerk": 1}}}
    return json.dumps({**whole, **changes}).encode()


HEADER = b"feature,category,coefficient\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "must not be empty"),
        (b"\x80\x04\x95" + bytes(50), "got a pickle"),
        (b"PK\x03\x04" + bytes(50), "got a zip archive"),
        (b"a,b\n1,2\n", "first line must be feature,category,coefficient, got 'a,b'"),
        (HEADER + b"age,1\n", "must have 3 entries, got 2 in line 2"),
        (HEADER + b"age,,1\nage,,2\n", "'age' twice"),
        (HEADER + b"age,,much\n", "finite number, got 'much' for 'age'"),
        (HEADER + b"age,,nan\n", "finite number"),
        (HEADER + b"age,,1e999\n", "finite number"),
        (HEADER + b"age,,1\n", "must hold the intercept"),
        (HEADER + b"(intercept),,0\nage,,1\n=income,,1\n", "none for 'job'"),
        (HEADER + b"(intercept),,0\njob,clerk,1\n=income,,1\n", "none for 'age'"),
        (json_of(coefficients={"age": 1, "=income": 1, "job": 2}), "none for 'job'"),
        (json_of(coefficients={"age": 0, "=income": 0, "job": {"clerk": 0}}), "tell people apart"),
        (json_of(coefficients={"age": 1, "=income": 1, "job": {"pilot": 1}}), "none for 'job'"),
        (
            json_of(coefficients={"age": 1, "=income": 1, "job": {"clerk": 1}, "<b>x</b>": 2}),
            "only name the columns in use .* got '<b>x</b>'",
        ),
        (json_of(coefficients=[1, 2]), "an object with “intercept” and “coefficients”"),
        (json_of(intercept=None), "finite number, got 'None'"),
        (json_of(intercept=True), "finite number, got 'True'"),
        (json_of(intercept=float("nan")), "finite number, got 'nan'"),
        (json_of(more=1), "an object with"),
        (b"{", "got a problem"),
        (b'{"a":' * 100_000, "got a problem"),
        (b'{"intercept": ' + b"9" * 5000 + b"}", "got a problem"),
        (b"x" * 1_000_001, "at most 1 MB"),
    ],
)
def test_what_cannot_be_used_is_refused_in_words(dataset, content, message):
    with pytest.raises(InvalidInput, match=message) as problem:
        given_theta(read_coefficients(content), dataset.schema)
    assert len(str(problem.value)) < 300


def test_a_model_with_one_score_for_everybody_is_refused(dataset):
    # Equal coefficients of all categories tell nobody apart.
    same = json_of(
        coefficients={"age": 0, "=income": 0, "job": {"clerk": 1, "nurse": 1, "-other": 1}}
    )
    with pytest.raises(InvalidInput, match="must differ between people"):
        with_given_model(dataset, same)


@pytest.mark.parametrize("scale", [1e-3, 7.0, 1e3])
def test_the_scale_of_the_coefficients_does_not_matter_to_a_radius_in_deviations(
    dataset, fitted, scale
):
    given, _ = with_given_model(dataset, as_json(fitted))
    scaled = replace(given, given_model=scale * given.given_model)
    plans = []
    for each in (given, scaled):
        bundle = prepare(each)
        declined = each.present.X[~bundle.current.decision(each.present.X)][0]
        problem = RecourseProblem(
            with_constant(declined),
            bundle.estimate.mixture,
            0.5,
            actions=each.actions("free"),
            categories="whole",
            current_model=bundle.current.theta,
            metric="deviations",
        )
        plans.append(find_recourse(problem))
    assert plans[0].status == plans[1].status == "optimal"
    np.testing.assert_allclose(plans[1].x, plans[0].x, atol=1e-6)
    for name in ("worst_case_probability", "lower_bound", "delta_min", "cost"):
        assert getattr(plans[1], name) == pytest.approx(getattr(plans[0], name), abs=1e-6)


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_the_scale_does_not_matter_to_the_recommended_settings(dataset, fitted, scale):
    """Bootstrap, stress set, rules and whole units: nothing on the way has a unit of its own."""
    given, _ = with_given_model(dataset, as_json(fitted))
    answers = []
    for made in (given, replace(given, given_model=scale * given.given_model)):
        each = load_dataset(register_table(made))
        settings = recommended(each)
        assert settings.futures == "stress" and settings.radius_unit == "deviations"
        bundle = bundle_for(each, settings)
        chosen = {field.name: getattr(settings, field.name) for field in fields(settings)}
        answers.append(
            solve(case_of(Scenario(**chosen, applicant=int(bundle.declined[0])), bundle))
        )
    one, other = (answer.plan for answer in answers)
    assert one.x is not None and one.status == other.status == "optimal"
    np.testing.assert_allclose(other.x, one.x, atol=1e-6)
    for name in ("worst_case_probability", "delta_min", "cost"):
        assert getattr(other, name) == pytest.approx(getattr(one, name), abs=1e-6)
    judged = [answer.case.bundle.future.accepts(one.x) for answer in answers]
    np.testing.assert_array_equal(*judged)


def coded(categories):
    """A table with one column of these categories, coded as text."""
    rng = np.random.default_rng(1)
    values = rng.choice(categories, ROWS)
    age = rng.integers(18, 80, ROWS)
    paid = np.where(age + 20 * (values == categories[-1]) + rng.normal(0, 8, ROWS) > 55, "y", "n")
    frame = pd.DataFrame({"age": age, "flag": values, "paid": paid})
    wishes = {"flag": {"kind": "unordered"}}
    return frame, table_dataset(frame, label="paid", favourable="y", overrides=wishes)[0]


@pytest.mark.parametrize("categories", [("0", "1"), ("no", "yes"), ("1", "2", "3")])
def test_one_coefficient_of_a_coded_column_is_that_of_its_value(categories):
    frame, dataset = coded(categories)
    content = json.dumps({"intercept": -2, "coefficients": {"age": 0.05, "flag": 1.5}}).encode()
    theta, _ = given_theta(read_coefficients(content), dataset.schema)
    value = {"no": 0.0, "yes": 1.0}
    flag = frame["flag"].map(lambda text: value[text] if text in value else float(text))
    score = -2 + 0.05 * frame["age"] + 1.5 * flag
    np.testing.assert_allclose(with_constant(dataset.present.X) @ theta, score, atol=1e-12)


def test_numbers_as_categories_match_and_those_nobody_has_are_left_out():
    frame, dataset = coded(("1", "2", "east", "west"))
    flags = {"1.0": 0.5, "2": 1.0, "east": 0.0, "west": 2.0, "north": 9.0}
    content = json.dumps({"intercept": 0, "coefficients": {"age": 0.05, "flag": flags}}).encode()
    theta, notes = given_theta(read_coefficients(content), dataset.schema)
    flag = frame["flag"].map({"1": 0.5, "2": 1.0, "east": 0.0, "west": 2.0})
    np.testing.assert_allclose(
        with_constant(dataset.present.X) @ theta, 0.05 * frame["age"] + flag, atol=1e-12
    )
    assert notes == ("Categories of 'flag' that nobody has are left out: ['north'].",)
    twice = json.dumps({"intercept": 0, "coefficients": {"age": 1, "flag": {"1": 1, "1.0": 2}}})
    with pytest.raises(InvalidInput, match="twice"):
        given_theta(read_coefficients(twice.encode()), dataset.schema)
