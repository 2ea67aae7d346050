"""Links: every scenario goes there and back; a bad link keeps what is valid and tells the rest."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dirrac_core.actionability import MOVES, FeatureRule
from dirrac_core.scenario import COSTS, WEIGHTINGS, Scenario
from pages.shared.links import from_query, to_query

START = Scenario("german", 1)
radii = st.floats(0, 2)
numbers = st.none() | st.floats(19, 75)
edits = st.builds(
    lambda move, ends, effort: FeatureRule("Age", move, *ends, effort),
    st.sampled_from(MOVES),
    st.tuples(numbers, numbers).map(lambda ends: tuple(sorted(ends)) if None not in ends else ends),
    st.floats(0.1, 10),
)
scenarios = st.builds(
    Scenario,
    st.just("german"),
    st.integers(0, 999),
    components=st.just("auto") | st.integers(1, 10),
    link=st.sampled_from(["chebyshev", "gaussian"]),
    radii=radii,
    delta_add=st.floats(0, 3),
    cost=st.sampled_from(COSTS),
    weighting=st.sampled_from(WEIGHTINGS),
    divergence=st.sampled_from(["kl", "burg"]),
    weight_radius=st.floats(0, 1),
    preset=st.sampled_from(["sensible", "paper", "free"]),
    edits=st.just(()) | st.tuples(edits),
    solver=st.sampled_from(["certified", "projected_gradient"]),
    gap=st.floats(1e-6, 0.1),
    seed=st.integers(0, 1000),
)


@given(scenarios)
def test_there_and_back(scenario):
    assert from_query(to_query(scenario), START) == (scenario, [])


def test_a_link_says_only_what_differs():
    assert to_query(START) == {"dataset": "german", "applicant": "1"}
    edited = replace(
        START, radii=0.25, edits=(FeatureRule("Credit amount", "down", high=5000, effort=2),)
    )
    assert to_query(edited) == {
        "dataset": "german",
        "applicant": "1",
        "rho": "0.25",
        "may": "Credit amount:down::5000:2",
    }


def test_names_with_separators_survive():
    rule = FeatureRule("a:b;c%d", "no")
    query = to_query(replace(START, edits=(rule,)))
    assert query["may"] == "a%3Ab%3Bc%25d:no"


def test_several_radii_need_as_many_components():
    several = replace(START, components=2, radii=(0.05, 0.2))
    assert from_query(to_query(several), START) == (several, [])
    scenario, ignored = from_query({**to_query(several), "rho": "0.1_0.2_0.3"}, START)
    assert scenario == replace(several, radii=START.radii)
    assert ignored == ["rho = 0.1_0.2_0.3: 2 radii are needed, one a component."]


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"dataset": "nowhere"}, "dataset = nowhere: The dataset must be one of"),
        ({"applicant": "1000"}, "applicant = 1000: the applicants run from 0 to 999."),
        ({"applicant": "²"}, "applicant = ²: the applicants run from 0 to 999."),
        ({"rho": "much"}, "rho = much: a number is needed."),
        ({"rho": "-1"}, "rho = -1: The radius 'rho' must be ≥ 0"),
        ({"rho": "5"}, "rho = 5: the control goes up to 2."),
        ({"rho": "nan"}, "rho = nan: The radius 'rho' must be ≥ 0 and finite"),
        ({"k": "99"}, "k = 99: components must be a whole number from 1 to 10"),
        ({"preset": "mine"}, "preset = mine: A preset must be one of"),
        ({"seed": "1.5"}, "seed = 1.5: a number is needed."),
        ({"may": "Age:sideways"}, "may = Age:sideways: How 'Age' may move"),
        ({"may": "Age"}, "may = Age: this is not “feature:move:least:most:effort”."),
        ({"may": "Height:up"}, "may = Height:up: A feature must be one of"),
        ({"may": "Age:both:500"}, "may = Age:both:500: 'Age' must stay within"),
        ({"colour": "red"}, "colour = red: there is no such setting."),
    ],
)
def test_what_cannot_be_used_is_told_and_the_rest_is_kept(query, told):
    scenario, ignored = from_query({"add": "0.7", **query}, START)
    assert scenario == replace(START, delta_add=0.7)
    assert len(ignored) == 1 and ignored[0].startswith(told)


def test_one_bad_edit_does_not_spoil_the_others():
    scenario, ignored = from_query({"may": "Age:both;Height:up"}, START)
    assert scenario.edits == (FeatureRule("Age", "both"),) and len(ignored) == 1


def test_only_a_dataset_opens_its_first_declined_person():
    assert from_query({"dataset": "sba"}, START)[0] == Scenario("sba", 31)
