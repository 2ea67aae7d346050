"""The table of accuracies: the two kinds of models of the paper, draw by draw and on average."""

from functools import partial

import pytest

from dirrac_core.models.bundle import prepare
from dirrac_core.models.classifiers import MLPSettings
from dirrac_core.paper.catalogue import experiment
from dirrac_core.paper.experiment import OURS, PROTOCOL, PUBLISHED, Run, Settings
from dirrac_core.paper.store import published
from dirrac_core.paper.tables import accuracy


@pytest.fixture(autouse=True)
def _small_networks(monkeypatch):
    """One dataset and networks that are trained in a moment."""
    small = MLPSettings(hidden_layers=(8,), passes=5)
    monkeypatch.setattr(accuracy, "prepare", partial(prepare, mlp=small))
    printed = published("accuracy")
    student = printed[printed["dataset"] == "student"]
    monkeypatch.setattr(accuracy, "published", lambda name: student)


def test_published_rows_averages_ours_and_the_draws():
    rows = experiment("accuracy").compute(Run(Settings(draws=2, jobs=1)))
    assert list(rows.columns) == accuracy.COLUMNS and rows.attrs["complete"]
    sources = [PUBLISHED] * 4 + [PROTOCOL] * 4 + [OURS] * 4 + [PROTOCOL] * 8
    assert rows["source"].tolist() == sources
    assert rows["draw"].isna().tolist() == [True] * 12 + [False] * 8
    assert set(rows["model"]) == {"logistic", "mlp"} and set(rows["dataset"]) == {"student"}
    for source in (PUBLISHED, PROTOCOL, OURS):
        own = rows[(rows["source"] == source) & rows["draw"].isna()]
        assert own.groupby(["people", "model"]).size().eq(1).all()
    average = rows.iloc[4]
    kind = ["source", "people", "model"]
    drawn = rows[rows["draw"].notna() & (rows[kind] == average[kind]).all(axis=1)]["accuracy"]
    assert len(drawn) == 2 and average["accuracy"] == pytest.approx(drawn.mean())
    assert average["accuracy_draws"] == pytest.approx(drawn.std(ddof=0))
