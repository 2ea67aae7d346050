"""MINT's table: four features, the causal model, and plans that follow it."""

import numpy as np
import pytest

from dirrac_core.data import load_dataset
from dirrac_core.paper.catalogue import experiment
from dirrac_core.paper.experiment import Run, Settings
from dirrac_core.paper.tables.mint import (
    AGE,
    AMOUNT,
    DURATION,
    SEX,
    competitors,
    four_feature_bench,
    four_features,
)


@pytest.fixture(scope="module")
def bench():
    return four_feature_bench(Settings(applicants=5))


def test_the_four_features_are_those_of_the_people():
    dataset = load_dataset("german")
    X = four_features(dataset, dataset.present).X
    people = dataset.present.people
    assert set(np.unique(X[:, SEX])) == {0.0, 1.0}
    assert X[:, SEX].sum() == (people["Personal status"] == "female").sum() == 310
    for column, name in ((AGE, "Age"), (AMOUNT, "Credit amount"), (DURATION, "Duration")):
        (own,) = dataset.schema.columns_of(name)
        np.testing.assert_allclose(X[:, column], dataset.present.X[:, own])


def test_everybody_asked_is_declined_by_a_model_of_four_features(bench):
    assert bench.current.theta.size == 5 and bench.parameters.shape == (100, 5)
    assert len(bench.applicants) == 5
    for applicant in bench.applicants:
        assert not bench.current.decision(applicant.x0[None, :-1])[0]


def test_amount_follows_sex_and_age_and_duration_follows_amount(bench):
    (mint,), *_ = competitors(bench)
    causes = np.zeros((4, 4), dtype=bool)
    causes[AMOUNT, [SEX, AGE]] = causes[DURATION, AMOUNT] = True
    np.testing.assert_array_equal(mint.causal.effects != 0.0, causes)
    slope, constant = np.polyfit(bench.people[:, AMOUNT], bench.people[:, DURATION], 1)
    assert mint.causal.effects[DURATION, AMOUNT] == pytest.approx(slope)
    assert mint.causal.intercepts[DURATION] == pytest.approx(constant)


def test_what_is_not_intervened_on_follows_its_causes(bench):
    (mint,), *_ = competitors(bench)
    causal = mint.causal
    for applicant in bench.applicants:
        plan = mint.recourse(applicant.x0, applicant.actions)
        assert plan.accepted and plan.keeps_rules
        x, x0 = plan.x[:-1], applicant.x0[:-1]
        assert x[SEX] == x0[SEX] and x[AGE] >= x0[AGE] - 1e-9
        moved = np.abs(causal.abduct(x) - causal.abduct(x0)) > 1e-6
        named = f"columns {np.flatnonzero(moved).tolist()} "
        assert named in plan.message


def test_the_table_has_published_and_our_rows():
    mint = experiment("mint")
    rows = mint.compute(Run(Settings(applicants=3, jobs=1)))
    assert rows["source"].tolist() == ["published"] * 3 + ["ours"] * 3
    assert rows["method"].tolist() == ["MINT", "DiRRAc", "Gaussian DiRRAc"] * 2
    ours = rows[rows["source"] == "ours"].set_index("method")
    assert (ours["n"] == 3).all() and rows.attrs["complete"]
    assert ours.loc["MINT", "cost_l1"] < ours.loc["DiRRAc", "cost_l1"]
    # One component: the best plan does not depend on the link.
    assert ours.loc["DiRRAc", "cost_l1"] == pytest.approx(
        ours.loc["Gaussian DiRRAc", "cost_l1"], abs=1e-4
    )
    stopped = mint.compute(Run(Settings(applicants=3, jobs=1), cancel=lambda: True))
    assert not stopped.attrs["complete"] and (stopped["source"] == "published").all()
