"""What methods compete on: the models, applicants and judge of one source, dataset and draw."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data import load_dataset
from dirrac_core.methods import Dirrac, Method
from dirrac_core.models.bundle import prepare
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.estimate import estimate_mixture
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.paper.experiment import OURS, Settings
from dirrac_core.progress import Cancel, Progress
from dirrac_core.studies import Applicant, Judge, Measures, declined_applicants, measure_all

# ρ and δ_add of the paper's tables.
RADIUS, DELTA_ADD = 0.1, 1.0
# One competitor: the same method with other settings, in the order they are tried.
Variants = Sequence[Method]


@dataclass(frozen=True, eq=False)
class Bench:
    """Linear models and the people they decline.

    `current` is today's model, `people` (n, D − 1) its training data, `parameters` (m, D) those
    of its re-trainings. `applicants` carry the rules their plans are judged by. `favourable` is
    the outcome that label 1 stands for, `draw` the number of the class-balancing draw, if any.
    """

    source: str
    dataset: str
    favourable: str
    draw: int | None
    seed: int
    current: LinearModel
    people: Array
    parameters: Array
    groups: tuple[tuple[int, ...], ...]
    judge: Judge
    applicants: tuple[Applicant, ...]

    @property
    def binary(self) -> tuple[int, ...]:
        """The one-hot columns."""
        return tuple(column for group in self.groups for column in group)

    def mixture(self, components: int = 1) -> ParameterMixture:
        """(p̂, θ̂, Σ̂) of the re-trained parameters."""
        return estimate_mixture(self.parameters, components, self.seed).mixture

    def dirrac(self, mixture: ParameterMixture | None = None) -> Dirrac:
        """DiRRAc with the paper's ρ and δ_add, one component by default; today must accept."""
        known = self.mixture() if mixture is None else mixture
        return Dirrac(self.current, known, RADIUS, DELTA_ADD, current_model=self.current.theta)


def our_bench(name: str, settings: Settings, preset: str) -> Bench:
    """The dataset as it is: right labels, all its people, everybody today's model declines."""
    dataset = load_dataset(name)
    bundle = prepare(dataset, seed=settings.seed)
    rows = bundle.declined[: settings.applicants]
    return Bench(
        OURS,
        name,
        dataset.favourable,
        None,
        settings.seed,
        # A logistic bundle has both.
        cast(LinearModel, bundle.current),
        dataset.present.X[bundle.training],
        cast(Array, bundle.parameters),
        dataset.schema.groups,
        Judge.of(bundle),
        tuple(declined_applicants(bundle, preset, rows)),
    )


def compete(
    bench: Bench,
    competitors: Sequence[Variants],
    settings: Settings,
    progress: Progress,
    cancel: Cancel,
) -> list[tuple[Method, list[Measures]]] | None:
    """The plans of every competitor, measured; None when cancelled.

    Of the variants of one competitor the first that today's model accepts everywhere is kept, or
    else the one it accepts most often (the paper chooses parameters by M1).
    """
    best: dict[int, tuple[Method, list[Measures]]] = {}
    waiting = list(range(len(competitors)))
    turn = 0
    while waiting:
        methods = [competitors[index][turn] for index in waiting]
        done = measure_all(bench.applicants, methods, bench.judge, settings.jobs, progress, cancel)
        if not done.complete:
            return None
        for place, index in enumerate(waiting):
            measured = [result[place] for result in done.results]
            if index not in best or _accepted(measured) > _accepted(best[index][1]):
                best[index] = methods[place], measured
        turn += 1
        waiting = [
            index
            for index in waiting
            if turn < len(competitors[index]) and _accepted(best[index][1]) < 1.0
        ]
    return [best[index] for index in range(len(competitors))]


def _accepted(measured: Sequence[Measures]) -> float:
    return float(np.mean([m.m1 for m in measured]))
