"""A few golden answers on any machine, and that a difference between answers is found."""

import ast
from pathlib import Path

import numpy as np
import pytest

from dirrac_core.case.case import solve_scenario
from dirrac_core.case.documents.file import answer_of
from tests.golden import differences, figures, fuzz, links, store
from tests.golden.scenarios import grid, special

ROOT = Path(__file__).resolve().parents[3]
FUZZED = 40
# Other processors may differ in the last digits.
NEAR = {"rel": 1e-9, "abs": 1e-12}
NAMES = (
    "german 1 defaults",
    "german 1 no plan",
    "german 1 two radii",
    "german 1 chebyshev nominal l1 whole sensible",
    "german 3 gaussian ball l2 relaxed sensible",
    "synthetic 0 chebyshev worst-component l1 whole free",
    "synthetic 1 gaussian nominal l2 whole sensible",
)


@pytest.fixture(scope="module")
def kept():
    return store.read("scenarios")


@pytest.fixture(scope="module")
def asked():
    return special() | grid("german") | grid("synthetic")


@pytest.mark.parametrize("name", NAMES)
def test_the_answer_is_the_golden_one(kept, asked, name):
    answer, golden = answer_of(solve_scenario(asked[name])), kept[name]
    assert answer.keys() == golden.keys()
    assert answer["status"] == golden["status"]
    for number in ("x", "cost", "worst_case_probability", "lower_bound"):
        if golden[number] is None:
            assert answer[number] is None
        else:
            assert answer[number] == pytest.approx(golden[number], **NEAR)


def test_addresses_mean_what_they_meant():
    assert differences.between(store.read("links"), links.answers()) == {}


def test_figures_show_and_say_what_they_did():
    def said(answers):
        return {name: (each.get("alt"), each.get("traces")) for name, each in answers.items()}

    # Coordinates may differ in the last digit from one processor to the next.
    assert said(figures.answers()) == said(store.read("figures"))


def test_every_figure_has_a_golden_answer():
    drawn = {
        node.name
        for path in (ROOT / "dirrac_core" / "figures").rglob("*.py")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and node.name not in ("described", "enlarged")
        and ast.unparse(node.returns or ast.Constant(None)) == "go.Figure"
    }
    named = {name.split()[0] for name in store.read("figures")}
    assert len(drawn) > 25 and drawn - named == set()


def test_fuzzed_problems_end_as_they_did():
    golden = store.read("fuzz")["problems 0 to 249"][:FUZZED]
    for index, kept in enumerate(golden):
        status, _, value = kept.partition(" ")
        found, _, now = fuzz.answer(index).partition(" ")
        assert found == status, index
        if status in ("optimal", "infeasible"):
            assert float(now.split()[0]) == pytest.approx(float(value.split()[0]), abs=1e-5), index


def test_every_kind_of_difference_is_found():
    old = {"a": {"x": [0.1, 0.3], "y": 1.0}, "b": ["one", "two", "three"], "c": np.nan, "d": 0}
    assert differences.between(old, old) == {}
    new = {"a": {"x": [0.1, 0.1 + 0.2], "y": 1}, "b": ["one", "three", "4"], "c": None, "e": 0}
    assert differences.between(old, new) == {
        "a": ["x: [1] 0.3 → 0.30000000000000004", "y: 1.0 → 1"],
        "b": ['[1] "two" → nothing', '[3] nothing → "4"'],
        "c": ["NaN → null"],
        "d": ["is missing now"],
        "e": ["is new"],
    }


def test_answers_are_read_as_they_were_written(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "FOLDER", tmp_path)
    numbers = {"a": [1 / 3, 1e-300], "b": None}
    texts = {"one": ["same", "ρ\n"], "two": ["same", "same"], "empty": []}
    store.write("scenarios", numbers)
    store.write("pages", texts)
    assert store.read("scenarios") == numbers and store.read("pages") == texts


def test_no_golden_page_is_a_failure():
    pages = store.read("pages")
    kinds = {name: {text.split()[1] for text in texts} for name, texts in pages.items()}
    assert len(kinds) > 20
    assert not [name for name, shown in kinds.items() if shown & {"exception", "error"}]
