"""Encode and decode undo each other; rounding keeps its promises, for any person and plan."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dirrac_core.data import DATASETS, Feature, Schema, load_dataset
from dirrac_core.data.schema.many_people import rounded_people
from dirrac_core.data.schema.rules import ProductRule

FINITE = st.floats(-1e6, 1e6, allow_nan=False)


@st.composite
def features(draw, name):
    kind = draw(st.sampled_from(["continuous", "integer", "ordered", "unordered"]))
    if kind in ("ordered", "unordered"):
        words = st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=5)
        categories = draw(st.lists(words, min_size=2, max_size=5, unique=True))
        return Feature(name, kind, categories=tuple(categories))
    low = draw(st.integers(-1000, 1000))
    high = low + draw(st.integers(1, 100_000))
    decimals = draw(st.integers(0, 3)) if kind == "continuous" else 0
    step = draw(st.sampled_from([1.0, 10.0, 100.0])) if kind == "integer" else 10.0**-decimals
    return Feature(name, kind, low=low, high=high, decimals=decimals, step=step)


@st.composite
def schemas(draw):
    count = draw(st.integers(1, 5))
    return Schema(tuple(draw(features(f"feature {i}")) for i in range(count)))


def person_of(draw, schema):
    person = {}
    for feature in schema.features:
        if feature.is_categorical:
            person[feature.name] = draw(st.sampled_from(feature.categories))
        elif feature.kind == "integer":
            person[feature.name] = float(draw(st.integers(-5000, 200_000)))
        else:
            person[feature.name] = round(
                draw(st.floats(-5000, 200_000, allow_nan=False)), feature.decimals
            )
    return person


@st.composite
def schemas_and_people(draw):
    schema = draw(schemas())
    return schema, person_of(draw, schema), person_of(draw, schema)


@given(schemas_and_people())
def test_decode_undoes_encode(case):
    schema, person, _ = case
    x = schema.encode(person)[0]
    assert x.shape == (len(schema.columns),)
    decoded = schema.decode(x)
    for feature in schema.features:
        value = person[feature.name]
        if feature.is_categorical:
            assert decoded[feature.name] == value
        else:
            assert decoded[feature.name] == pytest.approx(value, rel=1e-9, abs=1e-9)
            if feature.low <= value <= feature.high:
                assert decoded[feature.name] == value


@given(schemas_and_people())
def test_table_and_single_decoding_agree(case):
    schema, first, second = case
    x = np.vstack([schema.encode(first), schema.encode(second)])
    table = schema.decode_people(x)
    for row in range(2):
        assert table.iloc[row].to_dict() == schema.decode(x[row])


@pytest.mark.parametrize("name", list(DATASETS))
def test_every_shipped_person_survives_the_round_trip(name):
    dataset = load_dataset(name)
    for sample in (dataset.present, dataset.shifted):
        people = dataset.schema.decode_people(sample.X)
        np.testing.assert_allclose(dataset.schema.encode(people), sample.X, rtol=0, atol=1e-15)
        for feature in dataset.schema.features:
            found, real = people[feature.name], sample.people[feature.name]
            if feature.kind == "continuous" and feature.decimals:
                np.testing.assert_allclose(found, real, rtol=1e-12)
            else:
                assert (found == real).all()


@given(st.data())
def test_scaling_is_affine_and_not_clipped(data):
    low = data.draw(st.integers(-100, 100))
    feature = Feature("f", "continuous", low=low, high=low + data.draw(st.integers(1, 1000)))
    schema = Schema((feature,))
    value = data.draw(FINITE)
    expected = (value - feature.low) / (feature.high - feature.low)
    assert schema.encode({"f": value})[0, 0] == expected


@given(schemas_and_people())
def test_rounding_keeps_unmoved_entries_exact_and_never_turns_back(case):
    schema, before, wanted = case
    x0, x = schema.encode(before)[0], schema.encode(wanted)[0]
    kept = [feature for place, feature in enumerate(schema.features) if place % 2]
    for feature in kept:
        columns = list(schema.columns_of(feature.name))
        x[columns] = x0[columns]
    rounded = schema.rounded(x, x0)
    for feature in kept:
        columns = list(schema.columns_of(feature.name))
        np.testing.assert_array_equal(rounded[columns], x0[columns])
    after = schema.decode(rounded)
    for feature in schema.features:
        old, new = before[feature.name], after[feature.name]
        if feature.is_categorical:
            assert new == schema.decode(x)[feature.name]
            continue
        wish = schema.decode(x)[feature.name]
        assert (new - old) * (wish - old) >= 0
        assert abs(new - wish) <= feature.step + 1e-9 * (feature.high - feature.low) + 1e-6
        assert new >= min(feature.low, wish, old) - 1e-6
        assert new <= max(feature.high, wish, old) + 1e-6


@given(schemas_and_people())
def test_rounding_twice_changes_nothing_more(case):
    schema, before, wanted = case
    x0, x = schema.encode(before)[0], schema.encode(wanted)[0]
    once = schema.rounded(x, x0)
    np.testing.assert_array_equal(schema.rounded(once, x0), once)


@given(schemas_and_people())
def test_a_rounder_rounds_every_plan_as_if_it_were_the_only_one(case):
    schema, before, wanted = case
    x0, x = schema.encode(before)[0], schema.encode(wanted)[0]
    rounder = schema.rounder(x0)
    for plan in (x, x0, 0.5 * (x + x0), x, np.append(x, 1.0)):
        found = rounder(plan)
        assert found.tolist() == schema.rounded(plan, x0).tolist()
        assert found.size == plan.size and not found.flags.writeable


@pytest.mark.parametrize("name", list(DATASETS))
def test_a_rounder_keeps_products_and_agrees_with_rounding_of_many_people(name):
    dataset = load_dataset(name)
    schema, people = dataset.schema, dataset.present.X[:40]
    x0, rng = people[0], np.random.default_rng(8)
    plans = [np.where(rng.random(x0.size) < 0.5, x0, 0.6 * x0 + 0.4 * other) for other in people]
    plans += list(people)
    rounder = schema.rounder(x0)
    together = rounded_people(schema, np.array(plans), np.tile(x0, (len(plans), 1)))
    for plan, other in zip(plans, together, strict=True):
        found = rounder(plan)
        assert found.tolist() == schema.rounded(plan, x0).tolist()
        np.testing.assert_allclose(found, other, rtol=0, atol=1e-12)
        if all(rule.holds for rule in schema.check_rules(plan)):
            products = [rule for rule in schema.rules if isinstance(rule, ProductRule)]
            real = {name: np.array([value]) for name, value in schema.decode(found).items()}
            assert all(rule.holds(real)[0] for rule in products)


@given(schemas_and_people())
def test_every_change_is_told_and_nothing_else(case):
    schema, before, wanted = case
    x0, x = schema.encode(before)[0], schema.encode(wanted)[0]
    told = {change.feature: change for change in schema.describe_change(x0, x)}
    for feature in schema.features:
        columns = list(schema.columns_of(feature.name))
        moved = np.abs(x[columns] - x0[columns]).max() > 1e-6
        assert (feature.name in told) == moved
        if moved and not feature.is_categorical:
            words = told[feature.name].sentence.removesuffix(".").rpartition(" from ")[2]
            old, new = words.split(" to ")
            assert old != new
    assert (schema.sentence(x0, x) == "Change nothing.") == (not told)


@given(schemas_and_people())
def test_inputs_are_never_changed(case):
    schema, before, wanted = case
    x0, x = schema.encode(before)[0], schema.encode(wanted)[0]
    copies = x0.copy(), x.copy()
    schema.rounded(x, x0)
    schema.sentence(x0, x)
    schema.decode(x)
    np.testing.assert_array_equal(x0, copies[0])
    np.testing.assert_array_equal(x, copies[1])
