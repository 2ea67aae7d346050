"""The solutions of the exercises, by a second route: the notebook, which is run whole."""

import json
from pathlib import Path

import pytest

from dirrac_core.studies.exercises import EXERCISES

NOTEBOOK = Path(__file__).parents[3] / "docs" / "examples" / "exercises.ipynb"


@pytest.fixture(scope="module")
def answers():
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    names = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), NOTEBOOK.name, "exec"), names)
    return names["answers"]


@pytest.fixture(scope="module")
def numbers():
    return {place: each.numbers() for place, each in enumerate(EXERCISES, start=1)}


def test_there_are_ten_and_the_notebook_has_them_all(answers):
    assert len(EXERCISES) == 10
    assert sorted(answers) == list(range(1, 11))


@pytest.mark.parametrize("place", range(1, 11))
def test_page_and_notebook_agree(answers, numbers, place):
    assert numbers[place].keys() == answers[place].keys()
    for name, value in numbers[place].items():
        assert answers[place][name] == pytest.approx(value, rel=1e-3, abs=1e-3), name


def test_every_number_of_a_solution_is_in_its_sentence(numbers):
    for place, exercise in enumerate(EXERCISES, start=1):
        assert all("{" + name in exercise.solution for name in numbers[place])
        assert "{" not in exercise.solution.format(**numbers[place])
