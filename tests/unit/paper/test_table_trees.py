"""The table of boosted trees: everybody is asked, and models that no plan has seen judge too."""

from functools import partial

import numpy as np
import pytest

from dirrac_core.data import load_dataset
from dirrac_core.methods import Cepm, Wachter
from dirrac_core.methods.protocol import Answer
from dirrac_core.models.bundle import prepare
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.paper import experiment
from dirrac_core.paper.catalogue import EXPERIMENTS as TABLES
from dirrac_core.paper.comparison import COLUMNS
from dirrac_core.paper.experiment import Run, Settings
from dirrac_core.paper.store import RESULTS, stored
from dirrac_core.paper.tables import nonlinear as tables_nonlinear
from dirrac_core.studies import declined_applicants
from dirrac_core.trees.retrainings import retrained

FEW = Settings(applicants=2, jobs=1)
PLANNED, FRESH = 3, 10


@pytest.fixture(autouse=True)
def _few_models(monkeypatch):
    """One dataset and a few re-trainings."""
    few = partial(retrained, planned=PLANNED, fresh=FRESH)
    monkeypatch.setattr(tables_nonlinear, "retrained", few)
    monkeypatch.setattr(experiment, "REAL", ("student",))


def test_everybody_is_asked_and_fresh_models_judge():
    told = []
    rows = TABLES["trees"].compute(Run(FEW, lambda part, words: told.append(part)))
    assert list(rows.columns) == [*COLUMNS, "fresh", "fresh_low", "fresh_high"]
    assert rows.attrs["complete"] and (rows["source"] == "ours").all()
    assert rows["method"].tolist() == [
        "Exact on trees (δ_add = 0.2)",
        "Exact on trees (δ_add = 1)",
        "LIME-DiRRAc (δ_add = 0.2)",
        "LIME-DiRRAc (δ_add = 1)",
        "RBR (δ_plus = 0.2)",
        "RBR (δ_plus = 1)",
        "LIME-ROAR (exact)",
        "CEPM",
        "Wachter",
    ]
    found = rows.set_index("method")
    assert (found["n"] == 2).all() and (found["dataset"] == "student").all()
    exact = found.loc["Exact on trees (δ_add = 1)"]
    assert exact["success"] == 1.0 and exact["keeps_rules"] == 1.0
    assert exact["cost_l1"] >= found.loc["Exact on trees (δ_add = 0.2)", "cost_l1"]
    assert told == sorted(told) and told[-1] == 1.0
    # The same by hand for a method whose plans do not all last.
    dataset = load_dataset("student")
    bundle = prepare(dataset, "trees")
    models = retrained(dataset, (), Bootstrap(), 0, PLANNED, FRESH)
    people = declined_applicants(bundle, "free", bundle.declined[:2])
    plans = [Wachter(bundle.current).recourse(each.x0, each.actions).x for each in people]
    shares = [[model.decision(x[None, :-1])[0] for model in models.fresh] for x in plans]
    wachter = found.loc["Wachter"]
    assert wachter["fresh"] == pytest.approx(np.mean(shares)) and 0.0 < wachter["fresh"] < 1.0
    assert wachter["m2"] == pytest.approx(np.mean([bundle.future.accepts(x) for x in plans]))


def test_a_method_without_any_plan_has_no_share(monkeypatch):
    def only_cepm(model):
        return {"CEPM": model.cepm()}

    monkeypatch.setattr(Cepm, "search", lambda self, x0, actions: Answer(None, "Nothing."))
    row = tables_nonlinear.rows_of(only_cepm, "trees", "student", Run(FEW)).iloc[0]
    assert row["plans"] == 0 and row["success"] == 0.0 and np.isnan(row["fresh"])


def test_cancelled_while_it_trains_it_has_no_rows():
    rows = TABLES["trees"].compute(Run(FEW, cancel=lambda: True))
    assert not rows.attrs["complete"] and rows.empty


def test_the_page_says_what_the_stored_rows_say():
    rows, _ = stored("trees", RESULTS)
    found = rows.assign(fresh=100 * rows["fresh"]).set_index(["dataset", "method"])
    wide, small = "Exact on trees (δ_add = 1)", "Exact on trees (δ_add = 0.2)"
    german, student, sba = (found.loc[name] for name in ("german", "student", "sba"))
    said = TABLES["trees"].difference
    for words, row in (
        ("{fresh:.1f} of 100 fresh re-trainings accept its plans", german.loc[wide]),
        ("for an effort of {cost_l1:.2f}; next", german.loc[wide]),
        ("({fresh:.1f} of 100), for {cost_l1:.2f}", german.loc["LIME-DiRRAc (δ_add = 1)"]),
        ("cheapest ({cost_l1:.2f}), but only {fresh:.1f}", german.loc[small]),
        ("Wachter ({fresh:.1f})", german.loc["Wachter"]),
        ("CEPM ({fresh:.1f})", german.loc["CEPM"]),
        ("accepted by {fresh:.1f} of 100 for {cost_l1:.2f}", student.loc["CEPM"]),
        ("δ_add = 1 ({cost_l1:.2f})", student.loc[wide]),
        ("cheapest ({cost_l1:.2f} against", sba.loc["LIME-ROAR (exact)"]),
        ("against {cost_l1:.2f})", sba.loc[wide]),
        ("CEPM one for {plans:.0f} of {n:.0f} people", sba.loc["CEPM"]),
    ):
        assert words.format(**row) in said, words
    assert (found.xs(wide, level="method")[["success", "keeps_rules", "m2"]] == 1.0).all(axis=None)
    assert german["fresh"].drop(wide).idxmax() == "LIME-DiRRAc (δ_add = 1)"
    assert german.loc[["CEPM", "Wachter"], "fresh"].max() < german.loc[small, "fresh"]
    assert german["cost_l1"].idxmin() == small
    assert student.loc["CEPM", "m2"] == 1.0 and student["fresh"].drop("Wachter").min() > 98.0
    lasting = sba[["m2", "fresh"]].dropna().drop_duplicates().to_numpy().tolist()
    assert lasting == [[1.0, 100.0]] and sba["cost_l1"].idxmin() == "LIME-ROAR (exact)"
    assert (sba.filter(like="LIME-DiRRAc", axis=0)["plans"] == 0).all()
    assert (sba.filter(like="RBR", axis=0)["keeps_rules"] == 0.0).all()
    assert sba.loc["Wachter", "keeps_rules"] == pytest.approx(0.4)
    assert german.index[german["success"] < 1.0].tolist() == [
        "RBR (δ_plus = 0.2)",
        "RBR (δ_plus = 1)",
        "LIME-ROAR (exact)",
    ]
