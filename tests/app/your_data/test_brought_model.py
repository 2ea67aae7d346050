"""A model file on Your data: read, compared, asked, or refused in words."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dirrac_core import load_dataset
from pages.your_data.own_model import files
from tests.brought_files import lightgbm_file, onnx_bytes, stump, ubjson, xgboost_model


def script():
    from dirrac_core import load_dataset
    from pages.your_data.own_model.files import show_brought

    show_brought(load_dataset("german"))


@pytest.fixture
def page():
    return AppTest.from_function(script, default_timeout=120).run()


def told(at):
    return " ".join(str(each.value) for each in (*at.markdown, *at.caption, *at.error))


def upload(at, content, columns):
    at.text_area[0].set_value(columns)
    given = ("model.json", content, "application/json")
    return at.file_uploader(key="brought model").set_value(given).run()


def test_a_file_is_read_and_asked_for_a_plan(page):
    at = upload(page, stump(20.0, 1.0, -1.0), "Duration\nAge")
    people = load_dataset("german").present.people
    assert f"It declines **{int(np.sum(people['Duration'] >= 20)):,}**" in told(at)
    assert "Not compared with its library" in told(at)
    at = next(each for each in at.button if each.label == "Find a plan").click().run()
    assert "proved" in told(at) and "only today's model is checked" in told(at)


def test_a_file_of_another_kind_is_refused_in_words(page):
    at = upload(page, b"{}", "Duration\nAge")
    assert not at.exception and "must be a model of the format" in told(at)


def test_a_file_that_tells_its_settings_is_trained_again_as_a_stand_in(page, monkeypatch):
    def here(function, arguments, progress, cancel):
        return function(*arguments, progress=progress)

    monkeypatch.setattr(files, "run_apart", here)
    german = load_dataset("german")
    page.selectbox[0].set_value("lightgbm")
    at = upload(page, lightgbm_file(german, german.present.y), "")
    at = next(each for each in at.button if each.label == "Find a plan").click().run()
    assert not at.exception and "stand-ins decline this plan" in told(at)


def predictions(probability):
    """What the stump's library says of thirty people, as a file."""
    people = load_dataset("german").present.people.head(30)
    said = people.assign(probability=probability(people)).to_csv(index=False)
    return ("predictions.csv", said.encode(), "text/csv")


def test_its_own_predictions_are_compared_where_they_are_uploaded(page):
    page.selectbox[0].set_value("xgboost-ubjson")
    content = ubjson(xgboost_model(threshold=20.0, below=1.0, above=-1.0))
    at = upload(page, content, "Duration\nAge")

    def right(people):
        return 1.0 / (1.0 + np.exp(np.where(people["Duration"] < 20, -1.0, 1.0)))

    at = at.file_uploader(key="brought reference").set_value(predictions(right)).run()
    assert "Reproduces its own predictions for 30 people" in at.success[0].value
    wrong = predictions(lambda people: 1.0 - right(people))
    at = at.file_uploader(key="brought reference").set_value(wrong).run()
    assert not at.exception and "must reproduce its reference predictions" in told(at)
    assert not [each for each in at.button if each.label == "Find a plan"]


def test_an_onnx_file_gets_a_plan_that_is_called_not_proved(page):
    pytest.importorskip("onnxruntime")
    page.selectbox[0].set_value("onnx")
    at = upload(page, onnx_bytes(), "Duration\nCredit amount\nAge")
    at = next(each for each in at.button if each.label == "Find a plan").click().run()
    assert not at.exception and "Nothing is proved" in told(at)
