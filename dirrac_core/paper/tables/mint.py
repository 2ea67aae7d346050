"""MINT against DiRRAc on German credit with the four features of the causal model."""

from dataclasses import replace
from functools import partial

import numpy as np

from dirrac_core.data import Actions, Dataset, load_dataset
from dirrac_core.data.dataset import Sample
from dirrac_core.errors import InvalidInput
from dirrac_core.methods import CausalModel, Mint
from dirrac_core.models.classifiers import train_logistic
from dirrac_core.models.futures.future import FutureModels, linear_models
from dirrac_core.models.futures.retraining import (
    PRESENT_FRACTION,
    RETRAININGS,
    SHIFTED_FRACTION,
    random_draws,
    retrained_parameters,
)
from dirrac_core.paper.bench import Bench, Variants
from dirrac_core.paper.comparison import bench_part, comparison
from dirrac_core.paper.experiment import OURS, Settings
from dirrac_core.paper.tables.linear import dirrac
from dirrac_core.studies import Judge, applicants_of

# The variables in order; sex is 1 for the personal status "female".
COLUMNS = ("Personal status: female", "Age", "Credit amount", "Duration")
SEX, AGE, AMOUNT, DURATION = range(4)
# Credit amount = f(Sex, Age) + U₁, Duration = g(Credit amount) + U₂; Sex and Age are roots.
CAUSES = {AMOUNT: (SEX, AGE), DURATION: (AMOUNT,)}
FUTURE = f"{RETRAININGS} models, each trained on a random {SHIFTED_FRACTION:.0%} of shifted people."
RULES = Actions(lower=np.zeros(4), upper=np.ones(4), locked=(SEX,), only_up=(AGE,))


def four_features(dataset: Dataset, sample: Sample) -> Sample:
    """The sample with sex, age, amount and duration alone, (n, 4)."""
    columns = [dataset.schema.columns.index(name) for name in COLUMNS]
    return replace(sample, X=sample.X[:, columns])


def four_feature_bench(settings: Settings) -> Bench:
    """The linear bench of our tables on four features, with MINT's rules of what may change."""
    dataset = load_dataset("german")
    if dataset.shifted is None:
        raise InvalidInput("MINT is compared on a dataset with shifted people, got none")
    present = four_features(dataset, dataset.present)
    rng = np.random.default_rng(settings.seed)
    training = random_draws(present.y, 1, PRESENT_FRACTION, rng)[0]
    current = train_logistic(present.X[training], present.y[training])
    parameters = retrained_parameters(present, seed=rng)
    shifted = four_features(dataset, dataset.shifted)
    later = retrained_parameters(shifted, fraction=SHIFTED_FRACTION, seed=rng)
    future = FutureModels(linear_models(later), later, FUTURE, False, None)
    judge = Judge(future, present.X[present.y == 1])
    declined = np.flatnonzero(~current.decision(present.X))[: settings.applicants]
    people = applicants_of(declined, present.X, lambda _: RULES)
    known = present.X[training]
    return Bench(OURS, dataset, None, settings.seed, current, known, parameters, judge, people)


def competitors(bench: Bench) -> list[Variants]:
    """MINT with linear equations fitted to the training data, and DiRRAc without a causal model."""
    mint = Mint(bench.current, CausalModel.fit(bench.people, CAUSES))
    return [(mint,), *dirrac(bench)]


mint_table = comparison(
    "mint", lambda _: {"german": partial(bench_part, four_feature_bench, competitors)}
)
