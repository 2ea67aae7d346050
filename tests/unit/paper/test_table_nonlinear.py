"""The tables of perceptrons: everybody is asked, and plans are judged by the perceptron itself."""

from functools import partial

import pytest

from dirrac_core.models.bundle import prepare
from dirrac_core.models.classifiers import MLPSettings
from dirrac_core.paper import experiment
from dirrac_core.paper.catalogue import EXPERIMENTS as TABLES
from dirrac_core.paper.comparison import COLUMNS
from dirrac_core.paper.experiment import Run, Settings
from dirrac_core.paper.tables import nonlinear as tables_nonlinear

FEW = Settings(applicants=2, jobs=1)


@pytest.fixture(autouse=True)
def _small_networks(monkeypatch):
    """One dataset and a network that is trained in a moment."""
    small = MLPSettings(hidden_layers=(32,), passes=80)
    monkeypatch.setattr(tables_nonlinear, "prepare", partial(prepare, mlp=small))
    monkeypatch.setattr(experiment, "REAL", ("student",))


def test_table_2_asks_everybody():
    told = []
    rows = TABLES["nonlinear"].compute(Run(FEW, lambda part, words: told.append(part)))
    assert list(rows.columns) == list(COLUMNS) and rows.attrs["complete"]
    assert (rows["source"] == "published").sum() == 18
    ours = rows[rows["source"] == "ours"].set_index("method")
    assert ours.index.tolist() == [
        "LIME-AR",
        "Wachter",
        "CEPM",
        "LIME-ROAR (as published)",
        "LIME-ROAR (exact)",
        "LIME-DiRRAc",
        "LIME-Gaussian DiRRAc",
    ]
    assert (ours["n"] == 2).all() and (ours["dataset"] == "student").all()
    # These two search until the perceptron itself accepts.
    assert (ours.loc[["Wachter", "CEPM"], "m1"] == 1.0).all()
    assert told == sorted(told) and told[-1] == 1.0


def test_rbr_is_asked_with_three_settings():
    rows = TABLES["rbr"].compute(Run(FEW))
    ours = rows[rows["source"] == "ours"]
    assert ours["method"].tolist() == [
        "RBR (ε = 0, δ_plus = 0.2)",
        "RBR (ε = 0, δ_plus = 1)",
        "RBR (ε = 0.5, δ_plus = 1)",
        "LIME-DiRRAc",
        "LIME-Gaussian DiRRAc",
    ]
    assert ours["parameter"].tolist() == [0.2, 1.0, 1.0, 1.0, 1.0]
    # Without ambiguity the whole budget is spent, so the plans cost 0.8 more.
    tight, wide = ours["cost_l1"].iloc[:2]
    assert wide - tight == pytest.approx(0.8, abs=0.05)
    assert (ours["plans"] == 2).all() and (ours["m1"] > 0.0).all()


def test_a_cancelled_table_keeps_what_was_done():
    told = []
    rows = TABLES["rbr"].compute(
        Run(FEW, lambda part, words: told.append(part), lambda: bool(told) and told[-1] > 0.5)
    )
    ours = rows[rows["source"] == "ours"]
    assert not rows.attrs["complete"] and (ours["n"] == 1).all()
