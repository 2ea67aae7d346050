"""The start page: the picture is computed, the cards are complete, the examples open."""

import json

import pytest

from dirrac_core import DATASETS, load_dataset


def test_the_picture_shows_the_computed_teaching_example(open_app):
    at = open_app("start")
    assert not at.exception and not at.error
    spec = json.loads(at.get("plotly_chart")[0].spec)
    assert "decline it tomorrow" in json.dumps(spec)


def test_every_dataset_has_a_card(open_app):
    at = open_app("start")
    titles = [element.value for element in at.markdown]
    for name in DATASETS:
        assert f"#### {load_dataset(name).title}" in titles


@pytest.mark.parametrize(
    ("title", "dataset", "applicant"),
    [("A loan applicant", "german", 1), ("A student", "student", 0), ("sba", "sba", 31)],
)
def test_an_example_opens_the_workbench_in_its_state(open_app, title, dataset, applicant):
    at = open_app("start")
    at.button(key=f"open {title}").click().run()
    assert not at.exception
    scenario = at.session_state["scenario"]
    assert (scenario.dataset, scenario.applicant) == (dataset, applicant)
    assert at.header[0].value == f"Applicant {applicant} · declined today"
