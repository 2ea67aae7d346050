"""Links: every scenario goes there and back; a bad link keeps what is valid and tells the rest."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from screen import button, ready, said
from streamlit.testing.v1 import AppTest

from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import COSTS, WEIGHTINGS
from dirrac_core.data import DATASETS, load_dataset
from dirrac_core.data.actionability import MOVES, FeatureRule
from dirrac_core.data.schema.plan_rules import SumRule, without_limits
from dirrac_core.models.cut_off import CUT_OFF_KINDS
from dirrac_core.recourse.kinds.alternatives import PLAN_KINDS
from pages.shared import navigation
from pages.shared.address.links import from_query, to_query
from pages.shared.defaults import PAPER, usual_scenario

START = Scenario("german", 1)
USUAL = usual_scenario("german", 1)
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
    components=st.sampled_from(["auto", "bic"]) | st.integers(1, 10),
    radius_unit=st.sampled_from(["weights", "deviations"]),
    futures=st.sampled_from(["paper", "sampling", "stress"]),
    training_size=st.none() | st.integers(10, 1_000_000),
    history_windows=st.integers(2, 9),
    history_base=st.sampled_from(["all", "recent"]),
    history_weighting=st.sampled_from(["equal", "recency"]),
    history_strength=st.floats(0, 3),
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
    plausibility=st.none() | st.floats(1e-6, 0.5),
    domain_rules=st.booleans(),
    plan_kind=st.sampled_from(PLAN_KINDS),
    level=st.none() | st.floats(1e-6, 1),
    cut_off_kind=st.sampled_from(CUT_OFF_KINDS),
    cut_off=st.floats(0.001, 0.999),
)


@given(scenarios)
def test_there_and_back(scenario):
    assert from_query(to_query(scenario), START) == (scenario, [])


def test_a_link_says_its_version_and_only_what_differs():
    assert to_query(USUAL) == {"v": "2", "dataset": "german", "applicant": "1"}
    edited = replace(
        USUAL, radii=0.25, edits=(FeatureRule("Credit amount", "down", high=5000, effort=2),)
    )
    assert to_query(edited) == {
        **to_query(USUAL),
        "rho": "0.25",
        "may": "Credit amount:down::5000:2",
    }


@pytest.mark.parametrize("dataset", DATASETS)
def test_a_new_link_takes_todays_defaults_and_an_old_one_those_of_its_time(dataset):
    query = {"dataset": dataset, "applicant": "2"}
    assert from_query({**query, "v": "2"}, START) == (usual_scenario(dataset, 2), [])
    assert from_query(query, USUAL) == (Scenario(dataset, 2), [])
    assert from_query({}, USUAL) == (USUAL, [])


@pytest.mark.parametrize("dataset", ["german", "sba"])
@pytest.mark.parametrize("futures", ["paper", "sampling", "history", "stress"])
def test_every_kind_of_future_goes_there_and_back(dataset, futures):
    scenario = replace(usual_scenario(dataset, 2), futures=futures, training_size=300)
    back, ignored = from_query(to_query(scenario), START)
    if futures == "history" and dataset == "german":
        assert back == replace(scenario, futures="stress")
        assert len(ignored) == 1 and ignored[0].startswith("futures = history: The futures must be")
    else:
        assert (back, ignored) == (scenario, [])


def test_the_papers_way_and_a_network_go_there_and_back():
    paper = replace(USUAL, **PAPER)
    assert from_query(to_query(paper), START) == (paper, [])
    network = usual_scenario("german", 1, "mlp")
    assert to_query(network) == {**to_query(USUAL), "model": "mlp"}
    assert from_query(to_query(network), START) == (network, [])
    several = replace(USUAL, futures="paper", components=2, radii=(0.05, 0.2))
    assert from_query(to_query(several), START) == (several, [])


def test_one_radius_per_story():
    stories = replace(USUAL, radii=(0.05, 0.1, 0.2, 0.3, 0.1, 0.1, 0.1))
    assert from_query(to_query(stories), START) == (stories, [])
    read, ignored = from_query({**to_query(USUAL), "rho": "0.1_0.2"}, START)
    assert read == USUAL and ignored == ["rho = 0.1_0.2: 7 radii are needed, one per component."]


def test_realism_and_the_kind_of_plan_are_short_in_a_link():
    real = replace(USUAL, plausibility=0.1, domain_rules=False, plan_kind="more effort", level=0.2)
    changed = {"unusual": "0.1", "rules": "off", "plan": "more effort", "level": "0.2"}
    real = replace(real, cut_off=0.8, cut_off_kind="approval")
    changed |= {"cut_by": "approval", "cut": "0.8"}
    assert to_query(real) == {**to_query(USUAL), **changed}
    assert from_query(to_query(real), START) == (real, [])


@pytest.mark.parametrize("dataset", DATASETS)
def test_dropped_and_own_rules_go_there_and_back(dataset):
    usual, data = usual_scenario(dataset, 2), load_dataset(dataset)
    dropped = tuple(without_limits(rule) for rule in data.preset("sensible").rules)
    number = next(f.name for f in data.schema.features if not f.is_categorical)
    own = (SumRule("own; [x]", ((number, 2.0),), most=9.5, reason="so be it"), *dropped)
    for rules in (dropped, own):
        scenario = replace(usual, domain_rules=True, rules=rules)
        assert from_query(to_query(scenario), START) == (scenario, [])


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("edited", "drop", "a list of rules in JSON"),
        ("edited", "[" * 20_000, "a list of rules in JSON"),
        ("edited", "[3]", "must be an object"),
        ("edited", '[{"kind":"closed","name":"a","feature":"Age","categories":5}]', "be names"),
        ("edited", '[{"kind":"step","name":"a","feature":"Height","most":1}]', "Height"),
        ("unusual", "0.7", "must be at most 0.5"),
        ("unusual", "rare", "a number is needed"),
        ("rules", "maybe", "must be one of"),
        ("plan", "best", "must be one of"),
        ("level", "2", "must be a probability"),
        ("level", "nan", "must be"),
    ],
)
def test_realism_that_cannot_be_is_ignored_with_its_reason(name, text, reason):
    read, ignored = from_query({**to_query(USUAL), name: text}, START)
    assert read == USUAL and len(ignored) == 1
    assert ignored[0].startswith(f"{name} = {text}: ") and reason in ignored[0]


def test_names_with_separators_survive():
    rule = FeatureRule("a:b;c%d", "no")
    query = to_query(replace(START, edits=(rule,)))
    assert query["may"] == "a%3Ab%3Bc%25d:no"


def test_several_radii_need_as_many_components():
    several = replace(START, components=2, radii=(0.05, 0.2))
    assert from_query(to_query(several), START) == (several, [])
    scenario, ignored = from_query({**to_query(several), "rho": "0.1_0.2_0.3"}, START)
    assert scenario == replace(several, radii=USUAL.radii)
    assert ignored == ["rho = 0.1_0.2_0.3: 2 radii are needed, one per component."]


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
        ({"people": "0"}, "people = 0: The training size of future models must be a whole number"),
        ({"people": "9999999"}, "people = 9999999: the control goes up to 1e+06."),
        ({"people": "many"}, "people = many: a number is needed."),
        ({"windows": "1"}, "windows = 1: The number of windows must be a whole number from 2"),
        ({"base": "old"}, "base = old: The base of replayed history"),
        ({"recency": "x"}, "recency = x: The weighting of past changes"),
        ({"strength": "9"}, "strength = 9: The strength of history must be at most 3"),
        ({"futures": "history"}, "futures = history: The futures must be one of"),
        ({"unit": "metres"}, "unit = metres: The unit of the radius"),
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


@pytest.mark.parametrize("name", navigation.NAMES)
def test_a_page_file_served_alone_on_a_fresh_server_opens_its_link(name):
    """Streamlit may run the page file without app.py for the first visitor of a deep link."""
    at = AppTest.from_file(str(navigation.file_of(name)), default_timeout=180)
    at.query_params["dataset"], at.query_params["applicant"] = "synthetic", "2"
    at.query_params["rho"] = "0.2"
    at.run()
    assert not at.exception and not at.error and not at.warning
    assert at.session_state["scenario"] == Scenario("synthetic", 2, radii=0.2)


def test_every_parameter_a_page_declares_is_known_to_links():
    query = {name: "" for page in navigation.PAGES.values() for name in page.parameters}
    assert from_query({**query, "unheard": "1"}, START)[1] == [
        "unheard = 1: there is no such setting."
    ]


def test_another_version_is_named_and_the_rest_is_kept():
    read, ignored = from_query({**to_query(USUAL), "v": "3", "add": "0.7"}, START)
    assert read == replace(USUAL, delta_add=0.7)
    assert ignored == ["v = 3: the version of an address is 2."]


def test_a_link_beyond_the_unit_of_its_radius_is_refused():
    assert from_query({**to_query(USUAL), "rho": "3"}, START)[0].radii == 3.0
    told = from_query({**to_query(USUAL), "unit": "weights", "rho": "3"}, START)[1]
    assert told == ["rho = 3: the control goes up to 2."]


def test_a_new_visitor_starts_with_evidence(open_app):
    at = open_app()
    assert at.session_state["scenario"] == USUAL
    assert not [each for each in at.button if each.label == "Use today's defaults"]
    assert at.query_params["v"] == "2"


def test_an_old_address_keeps_its_meaning_and_offers_todays_defaults(open_app):
    at = ready(open_app(dataset="german", applicant="1", may="Age:up"))
    old = Scenario("german", 1, edits=(FeatureRule("Age", "up"),))
    assert at.session_state["scenario"] == old
    assert "from version 1.0.0" in said(at)
    ready(button(at, "Use today's defaults").click().run())
    assert at.session_state["scenario"] == replace(USUAL, edits=old.edits)
    assert "from version 1.0.0" not in said(at)


def test_another_dataset_brings_its_own_futures_and_keeps_what_was_changed(open_app):
    at = ready(open_app(v="2", dataset="sba", add="0.7", strength="2"))
    ready(at.selectbox(key="set dataset").set_value("german").run())
    assert at.session_state["scenario"] == replace(USUAL, delta_add=0.7, history_strength=2.0)
    at = ready(open_app(v="2", dataset="sba", strength="2"))
    assert at.session_state["scenario"].futures == "history"
