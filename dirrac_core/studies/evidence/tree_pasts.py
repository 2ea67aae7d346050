"""Boosted trees in a past: the re-trainings known then, and boosted models of those who came later.

Where later models of the Portfolio are the paper's (today's people and some shifted ones), a past
is judged by models that have seen later people only, as it is for linear models.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.case.case import bundle_for
from dirrac_core.case.futures import bootstrap_of, shifts_of
from dirrac_core.case.nonlinear.trees import TreeCase, tree_case_of
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.models.boosted.training import boosted_trainer
from dirrac_core.models.cut_off import moved_future
from dirrac_core.models.futures.bootstrap import Bootstrap, bootstrap_counts
from dirrac_core.models.futures.future import FutureModels
from dirrac_core.studies.evidence.pasts import Past
from dirrac_core.trees.retrainings import PLANNED, retrained

JUDGES = 100


def tree_past_case(
    past: Past, settings: Settings, asked: npt.NDArray[np.intp], planned: int = PLANNED
) -> TreeCase:
    """The case of the first of those `asked`, planned on what was known, judged by later models."""
    bundle = bundle_for(past.dataset, settings)
    bootstrap = bootstrap_of(settings)
    later = later_models(past, bootstrap or Bootstrap(), settings.seed)
    judged = replace(bundle, future=moved_future(later, bundle.threshold))
    shifts = shifts_of(settings, past.dataset)
    models = retrained(past.dataset, shifts, bootstrap, settings.seed, planned)
    # Only a cancel leaves no models, and nothing cancels here.
    assert models is not None
    return tree_case_of(Scenario.of(settings, int(asked[0])), judged, models)


def later_models(past: Past, bootstrap: Bootstrap, seed: int) -> FutureModels:
    """Boosted models of the later people, each trained on as many drawn as the bootstrap says."""
    later = past.dataset.shifted
    assert later is not None
    _, size = bootstrap.sizes(len(past.dataset.present))
    trainer = boosted_trainer(past.dataset)
    counts = bootstrap_counts(later.y, JUDGES, size, np.random.default_rng([seed, 7]))
    draws = (np.repeat(np.arange(len(later)), drawn) for drawn in counts)
    models = tuple(trainer(later.X[rows], later.y[rows], 0) for rows in draws)
    source = f"{JUDGES} models, each trained on {size:,} people drawn from the later ones."
    return FutureModels(models, None, source, False, None)


def as_promises(found: pd.DataFrame) -> pd.DataFrame:
    """The rows of a portfolio of boosted trees, with the names of every other portfolio."""
    plan = found["found"].astype(bool)
    accepted = 1.0 - found["declined"] / found["models"].where(plan)
    return found.assign(worst_case=found["promised"], m2=accepted)
