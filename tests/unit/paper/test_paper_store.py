"""Results on disk: what is written is read back, and a stamp tells whether it is still good."""

import json

import numpy as np
import pandas as pd
import pytest

from dirrac_core.errors import InvalidTable, UnknownName
from dirrac_core.paper import store
from dirrac_core.paper.experiment import Settings

ROWS = pd.DataFrame(
    {
        "source": ["published", "published protocol", "published protocol", "ours"],
        "method": ["A|B", "B", "B", "C"],
        "draw": [np.nan, np.nan, 0.0, np.nan],
        "n": [np.nan, 10.0, 5.0, 7.0],
        "m2": [0.94, 1.0 / 3.0, 0.5, 1.0],
        "m2_spread": [0.15, 0.05, 0.1, 0.0],
        "m2_low": [np.nan, 0.3, 0.4, 0.9],
        "m2_high": [np.nan, 0.4, 0.6, 1.0],
        "m2_draws": [np.nan, 0.002, np.nan, np.nan],
        "empty": [np.nan] * 4,
    }
)
SETTINGS = Settings(seed=3, applicants=None, draws=2)


@pytest.fixture
def folder(tmp_path):
    store.keep("linear", ROWS, SETTINGS, 12.345, tmp_path)
    return tmp_path


def test_rows_come_back(folder):
    rows, stamp = store.stored("linear", folder)
    pd.testing.assert_frame_equal(rows, store.rounded(ROWS))
    assert rows["m2"][1] == pytest.approx(1.0 / 3.0, rel=1e-5)
    assert rows["m2"][1] != 1.0 / 3.0
    assert (stamp.name, stamp.seconds, stamp.complete) == ("linear", 12.3, True)
    assert stamp.version == store.version()
    assert stamp.settings == SETTINGS


def test_rows_given_are_not_changed(folder):
    assert ROWS["m2"][1] == 1.0 / 3.0


def test_done_only_with_the_same_settings_and_version(folder, monkeypatch):
    assert store.is_done("linear", SETTINGS, folder)
    assert not store.is_done("prior", SETTINGS, folder)
    assert not store.is_done("linear", Settings(seed=4, draws=2), folder)
    assert not store.is_done("linear", Settings(seed=3, applicants=5, draws=2), folder)
    assert not store.is_done("linear", Settings(seed=3, draws=3), folder)
    monkeypatch.setattr(store, "version", lambda: "another")
    assert not store.is_done("linear", SETTINGS, folder)


def test_a_stopped_run_is_not_done(tmp_path):
    half = ROWS.copy()
    half.attrs["complete"] = False
    store.keep("linear", half, SETTINGS, 1.0, tmp_path)
    assert not store.is_done("linear", SETTINGS, tmp_path)
    assert store.stored("linear", tmp_path)[0].attrs["complete"] is False


def test_strange_stamps_are_refused(folder):
    path = folder / "linear.json"
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | {"colour": "green"}))
    with pytest.raises(InvalidTable, match="colour"):
        store.stored("linear", folder)
    path.write_text("[]")
    with pytest.raises(InvalidTable, match="stamp"):
        store.stored("linear", folder)


def test_formats():
    assert store.as_text(ROWS, "csv").splitlines()[2] == (
        "published protocol,B,,10.0,0.333333,0.05,0.3,0.4,0.002,"
    )
    records = json.loads(store.as_text(ROWS, "json"))
    assert records[0]["m2"] == 0.94 and records[0]["n"] is None
    with pytest.raises(UnknownName, match="format"):
        store.as_text(ROWS, "pdf")


def test_markdown_is_for_reading():
    lines = store.as_text(ROWS, "markdown").splitlines()
    assert lines == [
        "| source | method | n | m2 |",
        "| --- | --- | --- | --- |",
        "| published | A\\|B | – | 0.94 ± 0.15 |",
        "| published protocol | B | 10 | 0.33 ± 0.05 [0.30, 0.40], draws ± 0.002 |",
        "| ours | C | 7 | 1.00 ± 0.00 [0.90, 1.00] |",
    ]
