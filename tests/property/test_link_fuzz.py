"""Links and scenario files of any content: what cannot be used is told, nothing else happens."""

import json
from dataclasses import fields

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dirrac_core import DATASETS
from dirrac_core.case.documents.file import recorded_answer
from dirrac_core.case.scenario import Scenario
from dirrac_core.errors import DirracError
from dirrac_core.models.futures.shift import STORIES
from pages.shared.address.links import PAGE_PARAMETERS, from_query, to_query
from pages.shared.address.parameters import NAMES, PARAMETERS
from pages.shared.plain_text import plain

START = Scenario("german", 1)
ODD_NUMBERS = ("nan", "inf", "-inf", "1e999", "-0", "9" * 5000, "0x10", "1_0", "１", "1e-400", "")
FEATURES = ("Age", "Personal status", "Duration", "<b>x</b>", "%zz", "")
words = st.text(max_size=30) | st.sampled_from(("x" * 10_000, "\u202e", "=1+1", "[a](http://e)"))
numbers = st.sampled_from(ODD_NUMBERS) | st.floats().map(repr) | st.integers().map(str)
edits = st.lists(
    st.sampled_from(FEATURES) | st.sampled_from(("no", "up", "both")) | numbers, max_size=7
)
shifts = st.tuples(
    st.sampled_from((*STORIES, "nowhere")),
    *[numbers] * 3,
    st.sampled_from(FEATURES),
    numbers | words,
    st.sampled_from(("", "no account>< 0 DM", "a>b>c", ">", "x")),
)
# Values that come near to what each parameter understands.
near = (
    words
    | numbers
    | st.lists(numbers, max_size=3).map("_".join)
    | st.lists(edits.map(":".join), max_size=3).map(";".join)
    | st.lists(shifts.map(":".join), max_size=3).map(";".join)
)
known = [name for name in (*NAMES, *PAGE_PARAMETERS) if name not in ("dataset", "seed")]
queries = st.dictionaries(st.sampled_from(known) | words, near, max_size=6)


@given(queries)
@example({"applicant": "9" * 5000})
@example({"shifts": "population-drift:0.5:1:0.1:Age:nan"})
@example({"shifts": "population-drift:0.5:1:0.1:Age:inf"})
@example({"may": "Age:both:nan:inf:nan"})
@example({"gap": "1e-300"})
@example({"preset": "__class__"})
def test_a_link_gives_a_usable_scenario_and_names_the_rest(query):
    scenario, ignored = from_query(query, START)
    assert scenario.dataset == "german" and 0 <= scenario.applicant < 1000
    # What was kept is a link of its own, complete and without complaints.
    assert from_query(to_query(scenario), START) == (scenario, [])
    unknown = [name for name in query if name not in (*NAMES, *PAGE_PARAMETERS)]
    assert all(any(line.startswith(f"{name} = ") for line in ignored) for name in unknown)
    for name in ("model", "k", "assume", "rho", "add", "norm", "weights", "solver", "gap"):
        if name in query:
            field = next(p.field for p in PARAMETERS if p.name == name)
            told = any(line.startswith(f"{name} = ") for line in ignored)
            kept = getattr(scenario, field) != getattr(START, field)
            assert told or kept or _is_default(name, query[name])
    for line in ignored:
        shown = plain(line, 400)
        assert len(shown) <= 1200 and "\n" not in shown


def _is_default(name, text):
    """Whether the text asks for the value that is the default anyway."""
    read = next(p.read for p in PARAMETERS if p.name == name)
    field = next(p.field for p in PARAMETERS if p.name == name)
    return read(text) == getattr(START, field)


odd_names = st.sampled_from(("table-" + "0" * 32, "table-x", "../german"))


@given((st.text(max_size=60) | odd_names).filter(lambda name: name not in DATASETS))
def test_any_dataset_name(name):
    scenario, ignored = from_query({"dataset": name, "add": "0.7"}, START)
    assert len(ignored) == 1 and ignored[0].startswith(f"dataset = {name}")
    assert scenario.dataset == "german"


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from((10**400, "x" * 10_000, "auto", "german", "Age", "sampling-noise", "both")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(("feature", "move", "low", "story", "value", "correction", "x")),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)
names = st.sampled_from([field.name for field in fields(Scenario)] + ["version", "answer", "<b>"])


@given(st.dictionaries(names, json_values, max_size=4))
def test_a_scenario_file_is_read_or_refused_in_words(content):
    text = json.dumps({"dataset": "german", "applicant": 1, **content})
    try:
        recorded_answer(text)
        scenario = Scenario.from_json(text)
    except DirracError as problem:
        assert 0 < len(str(problem)) < 1000
    else:
        assert Scenario.from_json(scenario.to_json()) == scenario


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "{", "[" * 100_000, '{"a":' * 100_000, '{"dataset": ' + "9" * 5000 + "}"],
)
def test_what_is_no_scenario_is_refused(text):
    with pytest.raises(DirracError, match="A scenario must be"):
        Scenario.from_json(text)


@given(st.binary(max_size=100))
def test_any_bytes_as_a_scenario_file(content):
    with pytest.raises(DirracError, match="A scenario must be"):
        Scenario.from_json(content.decode("utf-8", "replace"))
