"""The protocol that reproduces the paper's linear tables, as a preset.

Balanced classes, 80/20 split, applicants are the test rows today's model declines, the bias is
regularised like every other parameter, and the shifted data are scaled by their own range. The
solver is `published_solver`. Only the class-balancing draw is ours, hence the spread over draws.

How AR, Wachter and ROAR treated one-hot entries is not written down. Here AR and Wachter leave
them alone and ROAR moves them like numbers, which is what the ratios of their published ℓ1 to ℓ2
costs allow. The paper's thirteenth SBA feature, "Selected", is a random flag and is left out.
"""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from dirrac_core.data import Actions, Dataset, load_dataset
from dirrac_core.data.dataset import Sample, make_sample
from dirrac_core.data.schema.feature import ranged
from dirrac_core.data.schema.schema import Schema
from dirrac_core.methods import Plan
from dirrac_core.methods.protocol import AskedOtherwise
from dirrac_core.models.classifiers import LinearModel, train_logistic
from dirrac_core.models.futures.future import logistic_future
from dirrac_core.models.futures.retraining import (
    PRESENT_FRACTION,
    random_draws,
    retrained_parameters,
)
from dirrac_core.models.logistic import LogisticSettings
from dirrac_core.paper.bench import Bench
from dirrac_core.paper.experiment import PRESET, PROTOCOL, Settings
from dirrac_core.studies import Judge, applicants_of

# The one exception the tables make: DiRRAc on Student, not its Gaussian version.
STUDENT_DELTA_ADD = 1.5
LOGISTIC = LogisticSettings(penalise_bias=True)
# AR's grid ends this far beyond the data on either side, because there was no box on x.
REACH = 1.0
AR_GRID = 150
# The published code takes a loan that defaults for the favourable outcome.
INVERTED = ("sba",)


def balanced_dataset(name: str, rng: np.random.Generator) -> Dataset:
    """Both classes cut to the size of the smaller one, by a random draw; labels as published."""
    dataset = load_dataset(name)
    inverted = name in INVERTED
    present = _balanced(dataset.schema, dataset.present, inverted, rng)
    shifted = dataset.shifted
    return replace(
        dataset,
        schema=present[0],
        present=present[1],
        shifted=None if shifted is None else _balanced(dataset.schema, shifted, inverted, rng)[1],
        favourable=published_favourable(name),
        unfavourable=dataset.favourable if inverted else dataset.unfavourable,
        # The draw keeps no order in time, and the protocol asks for none.
        periods=None,
    )


def published_favourable(name: str) -> str:
    """The outcome that the published code takes for the favourable one, as text."""
    dataset = load_dataset(name)
    return dataset.unfavourable if name in INVERTED else dataset.favourable


def protocol_bench(name: str, draw: int, settings: Settings, preset: str = PRESET) -> Bench:
    """One class-balancing draw of the published protocol; plans are judged by our rules."""
    rng = np.random.default_rng([settings.seed, draw])
    dataset = balanced_dataset(name, rng)
    present = dataset.present
    training = random_draws(present.y, 1, PRESENT_FRACTION, rng)[0]
    learnt = present.some(np.flatnonzero(training))
    current = train_logistic(learnt.X, learnt.y, LOGISTIC)
    parameters = retrained_parameters(learnt, seed=rng, settings=LOGISTIC)
    future = logistic_future(dataset, int(rng.integers(2**31)), LOGISTIC)
    judge = Judge(future, present.X[present.y == 1])
    declined = np.flatnonzero(~training & ~current.decision(present.X))[: settings.applicants]
    people = applicants_of(declined, present.X, partial(dataset.actions, preset))
    return Bench(
        PROTOCOL, dataset, draw, settings.seed, current, learnt.X, parameters, judge, people
    )


@dataclass(frozen=True, eq=False)
class Unruled(AskedOtherwise):
    """A method asked without the box, the groups and the coherence rules; judged with them.

    `held` are columns it leaves alone. Numbers may lie as far as `reach` beyond the data.
    """

    current: LinearModel
    held: tuple[int, ...] = ()
    reach: float = np.inf

    def recourse(self, x0: npt.ArrayLike, actions: Actions) -> Plan:
        """The method's plan under locks and directions only."""
        columns = np.size(x0) - 1
        asked = Actions(
            lower=np.full(columns, -self.reach),
            upper=np.full(columns, 1.0 + self.reach),
            locked=(*actions.locked, *self.held),
            only_up=actions.only_up,
            only_down=actions.only_down,
        )
        return self.method.recourse(x0, asked).judged_by(x0, actions, self.current)


def _balanced(
    schema: Schema, sample: Sample, inverted: bool, rng: np.random.Generator
) -> tuple[Schema, Sample]:
    """Equally many people of both labels, scaled by their own ranges, and that scaling."""
    y = 1 - sample.y if inverted else sample.y
    size = int(min(y.sum(), (1 - y).sum()))
    rows = np.concatenate([rng.choice(np.flatnonzero(y == label), size, False) for label in (0, 1)])
    people = sample.people.iloc[np.sort(rows)]
    own = replace(schema, features=ranged(schema.features, people))
    return own, make_sample(own, people, y[np.sort(rows)])
