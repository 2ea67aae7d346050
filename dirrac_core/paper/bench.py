"""What methods compete on: the models, applicants and judge of one source, dataset and draw."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data import Dataset, load_dataset
from dirrac_core.methods import Dirrac, Method
from dirrac_core.models.bundle import prepare
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.estimate import estimate_mixture
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.paper.experiment import OURS, PRESET, Run, Settings
from dirrac_core.studies import Applicant, Judge, Measures, declined_applicants, measure_all

# ρ and δ_add of the paper's tables.
RADIUS, DELTA_ADD = 0.1, 1.0
# One competitor: the same method with other settings, in the order they are tried.
Variants = Sequence[Method]


@dataclass(frozen=True, eq=False)
class Bench:
    """Linear models and the people they decline.

    `source` says whose numbers these are, `draw` is the number of the class-balancing draw, if any.
    `current` is today's model, `people` (n, D − 1) its training data, `parameters` (m, D) those
    of its re-trainings. `applicants` carry the rules their plans are judged by.
    """

    source: str
    dataset: Dataset
    draw: int | None
    seed: int
    current: LinearModel
    people: Array
    parameters: Array
    judge: Judge
    applicants: Sequence[Applicant]

    @property
    def binary(self) -> tuple[int, ...]:
        """The one-hot columns."""
        return tuple(column for group in self.dataset.schema.groups for column in group)

    def mixture(self, components: int = 1) -> ParameterMixture:
        """(p̂, θ̂, Σ̂) of the re-trained parameters."""
        return estimate_mixture(self.parameters, components, self.seed).mixture

    def dirrac(self, mixture: ParameterMixture | None = None) -> Dirrac:
        """DiRRAc with the paper's ρ and δ_add, one component by default; today must accept."""
        known = self.mixture() if mixture is None else mixture
        return Dirrac(self.current, known, RADIUS, DELTA_ADD, current_model=self.current.theta)


def our_bench(name: str, settings: Settings, preset: str = PRESET) -> Bench:
    """The dataset as it is: right labels, all its people, everybody today's model declines."""
    dataset, seed = load_dataset(name), settings.seed
    bundle = prepare(dataset, seed=seed)
    # A logistic bundle has both.
    current, parameters = cast(LinearModel, bundle.current), cast(Array, bundle.parameters)
    judge = Judge.of(bundle)
    people = declined_applicants(bundle, preset, bundle.declined[: settings.applicants])
    return Bench(OURS, dataset, None, seed, current, bundle.people, parameters, judge, people)


def compete(
    bench: Bench, competitors: Sequence[Variants], run: Run
) -> list[tuple[Method, list[Measures]]] | None:
    """The plans of every competitor, measured; None when cancelled.

    Of the variants of one competitor the first that today's model accepts everywhere is kept, or
    else the one it accepts most often (the paper chooses parameters by M1).
    """
    best: dict[int, tuple[Method, list[Measures]]] = {}
    accepted = [0.0] * len(competitors)
    for turn in range(max(map(len, competitors))):
        waiting = [
            i for i, tried in enumerate(competitors) if turn < len(tried) and accepted[i] < 1.0
        ]
        if not waiting:
            break
        methods = [competitors[i][turn] for i in waiting]
        done = measure_all(bench.applicants, methods, bench.judge, *run.how)
        if not done.complete:
            return None
        for place, i in enumerate(waiting):
            measured = [result[place] for result in done.results]
            share = float(np.mean([each.m1 for each in measured]))
            if i not in best or share > accepted[i]:
                best[i], accepted[i] = (methods[place], measured), share
    return [best[i] for i in range(len(competitors))]
