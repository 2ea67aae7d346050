"""Promises of boosted trees in a past: made with what was known, judged by later models."""

from dataclasses import replace

import numpy as np
import pytest

from dirrac_core.case.nonlinear.trees import solve_trees
from dirrac_core.case.recommended import recommended
from dirrac_core.data import load_dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.models import training
from dirrac_core.models.boosted.training import BoostingSettings, boosted_trainer
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.studies.evidence import backtest as backtests
from dirrac_core.studies.evidence import tree_pasts
from dirrac_core.studies.evidence.backtest import COLUMNS, backtest
from dirrac_core.studies.evidence.calibration import choose_radius
from dirrac_core.studies.evidence.pasts import placebo
from dirrac_core.studies.evidence.tree_pasts import later_models, tree_past_case
from dirrac_core.trees.retrainings import retrained

SETTINGS = recommended("synthetic", "trees")
SMALL = BoostingSettings(trees=8, learning_rate=0.4)
JUDGES = 6


@pytest.fixture
def turned(monkeypatch):
    """One split whose later people have the opposite outcome; a few small models of everything."""

    def small(dataset):
        return boosted_trainer(dataset, SMALL)

    half = placebo(load_dataset("synthetic"), SETTINGS.seed, 0)
    later = half.dataset.shifted
    opposite = type(later)(later.X, 1 - later.y, later.people)
    past = replace(half, dataset=replace(half.dataset, shifted=opposite))
    few = {"planned": 3, "fresh": 8, "settings": SMALL}
    monkeypatch.setattr(backtests, "pasts_of", lambda *given: (past,))
    monkeypatch.setattr(tree_pasts, "retrained", lambda *given: retrained(*given[:4], **few))
    monkeypatch.setattr(tree_pasts, "JUDGES", JUDGES)
    monkeypatch.setattr(tree_pasts, "boosted_trainer", small)
    monkeypatch.setattr(training, "boosted_trainer", small)
    return past


def test_plans_of_one_half_are_judged_by_models_of_the_other(turned):
    record = backtest(load_dataset("synthetic"), SETTINGS, "placebo", applicants=2, jobs=1)
    assert record.complete and tuple(record.rows.columns) == COLUMNS
    assert record.rows["date"].tolist() == ["split 1", "split 1"]
    # What was good is bad for them.
    assert (record.rows["observed"] == 1.0).all() and record.tally.broken == 2
    # The first promise by hand.
    asked = turned.rows.searchsorted(record.rows["row"][:1].to_numpy())
    solution = solve_trees(tree_past_case(turned, SETTINGS, asked))
    first = record.rows.iloc[0]
    assert first["promised"] == solution.promise.at_most < 1.0
    assert first["cost"] == solution.plan.cost and len(solution.observed) == JUDGES


def test_later_models_have_seen_later_people_only(turned):
    known = turned.dataset.present
    for model in later_models(turned, Bootstrap(), 0).models:
        assert np.mean(model.decision(known.X) == known.y) < 0.2


def test_a_radius_is_not_chosen_for_boosted_trees():
    with pytest.raises(InvalidInput, match="got boosted trees"):
        choose_radius(load_dataset("synthetic"), SETTINGS)
