"""Promises of boosted trees in a past: made with what was known, judged by later models."""

from dataclasses import replace

import numpy as np
import pytest

from dirrac_core.case.nonlinear.trees import solve_trees
from dirrac_core.case.recommended import recommended
from dirrac_core.data import load_dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.studies.evidence import tree_pasts
from dirrac_core.studies.evidence.backtest import COLUMNS, backtest
from dirrac_core.studies.evidence.calibration import choose_radius
from dirrac_core.studies.evidence.pasts import placebo
from dirrac_core.studies.evidence.tree_pasts import JUDGES, later_models, tree_past_case
from dirrac_core.trees.retrainings import retrained

SETTINGS = recommended("synthetic", "trees")


@pytest.fixture
def few(monkeypatch):
    """A few re-trainings and judges."""
    monkeypatch.setattr(tree_pasts, "retrained", lambda *given: retrained(*given[:4], 3, 8))
    monkeypatch.setattr(tree_pasts, "JUDGES", 6)


def test_plans_of_one_half_are_judged_by_models_of_the_other(few):
    dataset = load_dataset("synthetic")
    record = backtest(dataset, SETTINGS, "placebo", applicants=2, jobs=1)
    assert record.complete and tuple(record.rows.columns) == COLUMNS
    assert record.rows["date"].unique().tolist() == [f"split {n}" for n in (1, 2, 3, 4)]
    # The first promise by hand.
    past = placebo(dataset, SETTINGS.seed, 0)
    asked = past.rows.searchsorted(record.rows["row"][:1].to_numpy())
    case = tree_past_case(past, SETTINGS, asked)
    solution = solve_trees(case)
    judges = later_models(past, Bootstrap(), SETTINGS.seed).models
    declined = [not model.decision(solution.plan.x[None, :-1])[0] for model in judges]
    first = record.rows.iloc[0]
    assert len(judges) == 6 and first["observed"] == np.mean(declined)
    assert first["promised"] == solution.promise.at_most and first["cost"] == solution.plan.cost
    assert first["broken"] == (first["observed"] > first["promised"])


def test_later_models_have_seen_later_people_only(few):
    past = placebo(load_dataset("synthetic"), 0, 0)
    later = past.dataset.shifted
    turned = type(later)(later.X, 1 - later.y, later.people)
    other = replace(past, dataset=replace(past.dataset, shifted=turned))
    X = past.dataset.present.X
    first = (later_models(each, Bootstrap(), 0).models[0] for each in (past, other))
    shares = [model.decision(X).mean() for model in first]
    assert shares[0] == pytest.approx(past.dataset.present.y.mean(), abs=0.15)
    assert shares[1] == pytest.approx(1.0 - past.dataset.present.y.mean(), abs=0.15)
    assert JUDGES == 100


def test_a_radius_is_not_chosen_for_boosted_trees():
    with pytest.raises(InvalidInput, match="got boosted trees"):
        choose_radius(load_dataset("synthetic"), SETTINGS)
