"""The table of ROAR's variants."""

import numpy as np
import pytest

from dirrac_core.paper import experiment as paper_experiment
from dirrac_core.paper.bench import our_bench
from dirrac_core.paper.catalogue import experiment
from dirrac_core.paper.experiment import Run, Settings
from dirrac_core.paper.tables import linear as table

FEW = Settings(applicants=1, jobs=1)


@pytest.fixture(autouse=True)
def _one_dataset(monkeypatch):
    monkeypatch.setattr(paper_experiment, "REAL", ("student",))


def test_every_variant_has_a_row_beside_the_published_ones():
    rows = experiment("roar_ensembles").compute(Run(FEW))
    assert (rows["source"] == "published").sum() == 15 and rows.attrs["complete"]
    ours = rows[rows["source"] == "ours"]
    assert ours["method"].tolist() == [
        "ROAR (as published)",
        "ROAR (exact)",
        "ROAR-Ensemble",
        "ROAR-Avg",
        "DiRRAc",
        "Gaussian DiRRAc",
    ]
    assert (ours["n"] == 1).all()
    stopped = experiment("roar_ensembles").compute(Run(FEW, cancel=lambda: True))
    assert not stopped.attrs["complete"] and (stopped["source"] == "published").all()


def test_the_ensemble_withstands_the_worst_of_all_models_best():
    bench = our_bench("student", FEW)
    _, exact, ensemble, _, *_ = table.competitors("roar_ensembles", bench)
    (applicant,) = bench.applicants
    chosen = table.ROAR_SETTINGS[0]
    weights = np.ones(applicant.x0.size - 1)

    def worst(method):
        x = method.recourse(applicant.x0, applicant.actions).x
        return chosen.objective(bench.parameters, x, applicant.x0, weights)

    assert worst(ensemble[0]) <= worst(exact[0]) + 1e-6
