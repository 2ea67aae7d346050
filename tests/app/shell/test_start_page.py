"""The start page: the picture is computed, the cards are complete, the examples open."""

import json

import pytest
from screen import charts

from dirrac_core import DATASETS, load_dataset
from dirrac_core.models.bundle import prepare


def test_the_picture_shows_the_computed_teaching_example(open_app):
    at = open_app("start")
    assert not at.exception and not at.error
    spec = charts(at)[0].figure
    assert "decline it tomorrow" in json.dumps(spec)


def test_every_dataset_has_a_card(open_app):
    at = open_app("start")
    titles = [element.value for element in at.markdown]
    for name in DATASETS:
        assert f"### {load_dataset(name).title}" in titles


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
    assert at.header[0].value.startswith(f"Applicant {applicant} · declined today, ")


def test_a_card_tells_the_accuracy_on_request(open_app):
    at = open_app("start")
    assert not any("The paper reports" in text.value for text in at.markdown)
    at.session_state["more german"] = True
    told = [text.value for text in at.run().markdown if "The paper reports" in text.value]
    accuracy = prepare(load_dataset("german"), components="auto").accuracy
    assert len(told) == 1
    assert f"right for {round(100 * accuracy.now)} in 100 people it has not seen" in told[0]
    assert f"for {round(100 * accuracy.after)} in 100 after the shift" in told[0]
    assert "The paper reports 72 in 100 today and 70 in 100" in told[0]


def test_the_teaching_example_opens_its_geometry(open_app):
    at = open_app("start")
    at.button(key="open The teaching example").click().run()
    assert not at.exception
    assert at.session_state["scenario"].dataset == "synthetic"
    assert at.header[0].value.endswith("the geometry of the plan")
