"""MINT against DiRRAc on German credit with the four features of the causal model."""

from functools import partial

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data import Actions, Dataset, load_dataset
from dirrac_core.data.dataset import Sample
from dirrac_core.data.schema.schema import with_constant
from dirrac_core.errors import InvalidInput
from dirrac_core.methods import CausalModel, Mint
from dirrac_core.models.classifiers import LinearModel, train_logistic
from dirrac_core.models.futures.future import FutureModels
from dirrac_core.models.futures.retraining import (
    PRESENT_FRACTION,
    RETRAININGS,
    SHIFTED_FRACTION,
    random_draws,
)
from dirrac_core.models.logistic import fit_logistic
from dirrac_core.paper.bench import Bench, Variants
from dirrac_core.paper.comparison import bench_part
from dirrac_core.paper.experiment import OURS, Part, Settings
from dirrac_core.paper.tables.linear import dirrac
from dirrac_core.studies import Applicant, Judge

# The variables in order; sex is 1 for the personal status "female".
SEX, AGE, AMOUNT, DURATION = range(4)
NUMBERS = ("Age", "Credit amount", "Duration")
# Credit amount = f(Sex, Age) + U₁, Duration = g(Credit amount) + U₂; Sex and Age are roots.
CAUSES = {AMOUNT: (SEX, AGE), DURATION: (AMOUNT,)}
FUTURE = f"{RETRAININGS} models, each trained on a random {SHIFTED_FRACTION:.0%} of shifted people."
RULES = Actions(lower=np.zeros(4), upper=np.ones(4), locked=(SEX,), only_up=(AGE,))


def four_features(dataset: Dataset, sample: Sample) -> Array:
    """Sex, age, amount and duration (n, 4) of German credit; numbers scaled as in the dataset."""
    people = sample.people
    columns: list[Array] = [np.asarray(people["Personal status"] == "female", dtype=np.float64)]
    for name in NUMBERS:
        feature = dataset.schema.feature(name)
        low, span = feature.low, feature.high - feature.low
        columns.append((people[name].to_numpy(dtype=np.float64) - low) / span)
    return np.column_stack(columns)


def four_feature_bench(settings: Settings) -> Bench:
    """The linear bench of our tables on four features, with MINT's rules of what may change."""
    dataset = load_dataset("german")
    present, shifted = dataset.present, dataset.shifted
    if shifted is None:
        raise InvalidInput("MINT is compared on a dataset with shifted people, got none")
    X, rng = four_features(dataset, present), np.random.default_rng(settings.seed)
    training = random_draws(present.y, 1, PRESENT_FRACTION, rng)[0]
    current = train_logistic(X[training], present.y[training])
    resplits = random_draws(present.y, RETRAININGS, PRESENT_FRACTION, rng)
    later = four_features(dataset, shifted)
    future = fit_logistic(
        later, shifted.y, random_draws(shifted.y, RETRAININGS, SHIFTED_FRACTION, rng)
    )
    judges = FutureModels(
        tuple(LinearModel(theta) for theta in future), future, FUTURE, False, None
    )
    declined = np.flatnonzero(~current.decision(X))
    return Bench(
        OURS,
        dataset.name,
        dataset.favourable,
        None,
        settings.seed,
        current,
        X[training],
        fit_logistic(X, present.y, resplits),
        (),
        Judge(judges, X[present.y == 1]),
        tuple(
            Applicant(int(row), with_constant(X[row]), RULES)
            for row in declined[: settings.applicants]
        ),
    )


def competitors(bench: Bench) -> list[Variants]:
    """MINT with linear equations fitted to the training data, and DiRRAc without a causal model."""
    mint = Mint(bench.current, CausalModel.fit(bench.people, CAUSES))
    return [(mint,), *dirrac(bench, bench.mixture())]


def mint_parts(settings: Settings) -> dict[str, Part]:
    """The comparison on the bench of four features."""
    make = partial(four_feature_bench, settings)
    return {"german": partial(bench_part, make, competitors, settings)}
