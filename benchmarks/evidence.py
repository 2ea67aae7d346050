"""Promises and what became of them: dataset × futures × ρ, and the placebo.

    python -m benchmarks.evidence [--applicants N] [--datasets german,sba] [--jobs 1]

For each setting: how many declined applicants get a plan in whole units, what it promises (mean
worst case), how many models of the shifted people decline it, at the training size of today's
model and at 20 % of the shifted people (the paper's M2), and how often more of them decline than
was promised ("broken"). No number in a setting is computed from shifted people, but δ_add and the
stories of the futures were compared on this very table, so it is no fresh test of them. The
placebo splits the present people in two: plans are made with the one half and judged by models of
the other.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dirrac_core.case.case import bundle_for, formulate
from dirrac_core.case.realism import Allowed
from dirrac_core.case.recommended import recommended
from dirrac_core.case.settings import Settings
from dirrac_core.data import Dataset, load_dataset, with_constant
from dirrac_core.data.dataset import Sample
from dirrac_core.methods.dirrac import Dirrac
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.models.futures.future import logistic_future
from dirrac_core.parallel import mapped
from dirrac_core.studies.people.applicants import Applicant
from dirrac_core.studies.people.portfolio import planned, without_people

DATASETS = ("german", "sba", "sba-no-leak", "student")
RADII = (0.0, 0.5)
PLACEBOS = 3
HEADER = (
    f"{'dataset':12} {'futures':26} {'ρ':>5} {'plans':>9} {'worst':>6} {'equal':>6} {'broken':>6} "
    f"{'20 %':>6} {'broken':>6} {'effort':>6} {'ready':>6} {'each':>6}"
)


@dataclass(frozen=True)
class Row:
    """What a setting promised to some applicants of a dataset, and what became of it."""

    dataset: str
    name: str
    radius: float
    asked: int
    promised: np.ndarray
    equal: np.ndarray
    small: np.ndarray
    effort: np.ndarray
    ready: float
    each: float

    def line(self) -> str:
        """The row as text; effort is the cost of the plan."""

        def mean(values: np.ndarray) -> str:
            return f"{values.mean():6.3f}" if values.size else "     –"

        return (
            f"{self.dataset:12} {self.name:26} {self.radius:5g} "
            f"{self.promised.size:4d}/{self.asked:4d} {mean(self.promised)} {mean(self.equal)} "
            f"{mean(self.equal > self.promised)} {mean(self.small)} "
            f"{mean(self.small > self.promised)} {mean(self.effort)} {self.ready:6.2f} "
            f"{self.each:6.3f}"
        )


@dataclass(frozen=True, eq=False)
class Ask:
    """What a worker needs for one applicant."""

    dirrac: Dirrac
    units: Dataset

    def __call__(self, applicant: Applicant) -> tuple[np.ndarray | None, float, float]:
        plan = planned(applicant, self.dirrac, self.units)
        return plan.x, plan.worst_case_probability, plan.cost


def measured(
    dataset: Dataset, settings: Settings, name: str, applicants: int | None, jobs: int
) -> Row:
    """Plans for the declined applicants of a dataset, judged by models of its shifted people."""
    begin = time.perf_counter()
    bundle = bundle_for(dataset, settings)
    dirrac, _ = formulate(settings, bundle)
    ready = time.perf_counter() - begin
    rows = bundle.declined
    if applicants is not None and applicants < rows.size:
        rows = np.sort(np.random.default_rng(0).choice(rows, applicants, replace=False))
    allowed = Allowed.of(dataset, settings, dirrac)
    people = [with_constant(dataset.present.X[row]) for row in rows]
    asked = [
        Applicant(int(row), x0, allowed.actions(x0)) for row, x0 in zip(rows, people, strict=True)
    ]
    begin = time.perf_counter()
    done = mapped(Ask(dirrac, without_people(dataset)), asked, jobs).results
    each = (time.perf_counter() - begin) / len(asked)
    plans = [(x, promise, cost) for x, promise, cost in done if x is not None]
    points = np.array([x for x, _, _ in plans]).reshape(len(plans), dirrac.mixture.dimension)
    equal = logistic_future(dataset, settings.seed, bootstrap=Bootstrap(settings.training_size))
    small = logistic_future(dataset, settings.seed)
    return Row(
        dataset.name,
        name,
        float(np.max(settings.radii)),
        len(asked),
        np.array([promise for _, promise, _ in plans]),
        *(
            1.0 - future.accept_all(points).mean(axis=0) if plans else np.zeros(0)
            for future in (equal, small)
        ),
        np.array([cost for _, _, cost in plans]),
        ready,
        each,
    )


def settings_to_compare(dataset: Dataset) -> Iterator[tuple[str, Settings]]:
    """1.0.0's defaults, the paper's preset, and ours at several radii."""
    yield "1.0.0 defaults", Settings(dataset.name)
    # The paper's tables: one component, ρ = 0.1, δ_add = 1.
    yield "as in the paper", Settings(dataset.name, components=1, delta_add=1.0)
    ours = recommended(dataset)
    for futures in dict.fromkeys(("sampling", ours.futures)):
        for radius in dict.fromkeys((*RADII, ours.radii)):
            settings = replace(ours, futures=futures, radii=radius)
            yield f"{futures} (recommended)" if settings == ours else futures, settings


def halves(dataset: Dataset, seed: int) -> Dataset:
    """A placebo: a random half of the present people is present, the other half is shifted."""
    present = dataset.present
    order = np.random.default_rng(seed).permutation(len(present))
    first, second = (np.sort(part) for part in np.array_split(order, 2))

    def part(rows: np.ndarray) -> Sample:
        return Sample(present.X[rows], present.y[rows], present.people.iloc[rows])

    periods = None if dataset.periods is None else dataset.periods.of(first)
    return replace(dataset, present=part(first), shifted=part(second), periods=periods)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, then the placebo."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--applicants", type=int, help="at most this many of each dataset")
    parser.add_argument("--datasets", default=",".join(DATASETS))
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args(arguments)
    names = asked.datasets.split(",")
    print(HEADER)
    for name in names:
        dataset = load_dataset(name)
        for label, settings in settings_to_compare(dataset):
            print(measured(dataset, settings, label, asked.applicants, asked.jobs).line())
    print("\nPlacebo: present people split in two, ours (recommended)\n" + HEADER)
    for name in names:
        for seed in range(PLACEBOS):
            dataset = halves(load_dataset(name), seed)
            label = f"placebo {seed + 1}"
            ours = recommended(dataset)
            print(measured(dataset, ours, label, asked.applicants, asked.jobs).line())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
