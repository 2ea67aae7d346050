"""ρ with evidence: the smallest radius whose promises were kept often enough, by an exact test.

Learn then test (Angelopoulos, Bates, Candès, Jordan and Lei): for every radius of a grid the
hypothesis "more than a share α of its promises are broken" gets an exact binomial p-value, and a
radius passes when its p-value is at most level / (number of radii). By Bonferroni the probability
that any radius passes wrongly is then at most the level, whatever the order of the grid. That a
larger radius keeps more promises is not assumed, because it is not so.

Applicants judged by the same models share their luck: forty of them are not forty trials. So each
trial here is one applicant in a past of its own: a placebo split of its own, or a date or group
whose people, known and later ones, are drawn again with replacement. Given the present people, the
trials are independent, and what is tested is the average share over these pasts (`more_often_than`
says why differing pasts do no harm). A future unlike all of them is covered by no test. All radii
are tried on the same trials; an applicant without a plan at some radius is no promise there.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dirrac_core.arrays import checked_number
from dirrac_core.case.case import bundle_for
from dirrac_core.case.documents.still_holds import is_broken
from dirrac_core.case.nonlinear.trees import TREES
from dirrac_core.case.settings import MAX_SEED, Settings
from dirrac_core.data.dataset import Dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.parallel import ALL_CORES, mapped
from dirrac_core.progress import Cancel, Progress, never, no_progress
from dirrac_core.studies.evidence.backtest import check_no_peeking, past_case
from dirrac_core.studies.evidence.pasts import (
    DATES,
    GROUPS,
    PAST,
    PLACEBO,
    Past,
    pasts_of,
    placebo,
)
from dirrac_core.studies.intervals import Interval, exact_interval, more_often_than
from dirrac_core.studies.people.portfolio import case_portfolio
from dirrac_core.wording import joined

TOLERATED = 0.1
LEVEL = 0.1
TRIALS = 60
GRIDS = {"weights": (0.0, 0.05, 0.1, 0.25, 0.5), "deviations": (0.0, 0.05, 0.25, 0.5, 1.0)}
COVERS = {
    DATES: "what happened at past dates",
    GROUPS: "groups of today's people as if they were other sites, not what time may bring",
    PLACEBO: "luck alone, not what time may bring",
}


@dataclass(frozen=True)
class Tested:
    """One radius: `promises` made in all trials, those `broken`, and the p-value of its test."""

    radius: float
    promises: int
    broken: int
    share: Interval
    p_value: float
    passes: bool
    promised: float
    observed: float


@dataclass(frozen=True)
class Calibration:
    """The radius chosen (None: nothing passed) with its `reason` and the counts behind it.

    `pasts` are the dates or groups tried in turn (none for a placebo, whose splits are all
    different). Of the `trials`, `failed` could not be made, the first because of `problem`.
    """

    kind: str
    pasts: tuple[str, ...]
    tolerated: float
    level: float
    trials: int
    failed: int
    problem: str
    tests: tuple[Tested, ...]
    chosen: float | None
    reason: str
    complete: bool


@dataclass(frozen=True, eq=False)
class _Trial:
    """One applicant in one past, at every radius: (promised, observed), or why it cannot be."""

    dataset: Dataset
    settings: Settings
    kind: str
    pasts: tuple[Past, ...]
    radii: tuple[float, ...]

    def __call__(self, number: int) -> str | list[tuple[float, float] | None]:
        seed = (self.settings.seed + number) % MAX_SEED
        settings = replace(self.settings, seed=seed)
        try:
            if self.kind == PLACEBO:
                past = placebo(self.dataset, self.settings.seed, number)
            else:
                rng = np.random.default_rng([self.settings.seed, 2, number])
                past = self.pasts[number % len(self.pasts)].resampled(rng)
            answers = []
            for radius in self.radii:
                case, rows = past_case(past, replace(settings, radii=radius), applicants=1)
                found = case_portfolio(case, rows, jobs=1).iloc[0]
                promise = (float(found["worst_case"]), 1.0 - float(found["m2"]))
                answers.append(promise if found["found"] else None)
        except InvalidInput as problem:
            return str(problem)
        return answers


def calibration_kind(dataset: Dataset, settings: Settings) -> str:
    """What can be learnt from without shifted people: dates, else groups for stress, else luck."""
    if dataset.periods is not None:
        return DATES
    return GROUPS if settings.futures == "stress" else PLACEBO


def choose_radius(
    dataset: Dataset,
    settings: Settings,
    kind: str | None = None,
    radii: Sequence[float] | None = None,
    tolerated: float = TOLERATED,
    level: float = LEVEL,
    trials: int = TRIALS,
    jobs: int | None = ALL_CORES,
    progress: Progress = no_progress,
    cancel: Cancel = never,
) -> Calibration:
    """The smallest radius of the grid for which at most `tolerated` of promises are broken.

    Tested at `level` on `trials` trials of one applicant each; the shifted people are never
    looked at.
    """
    check_no_peeking(settings)
    if settings.model == TREES:
        raise InvalidInput("A radius is chosen for models that have one, got boosted trees")
    chosen_kind = calibration_kind(dataset, settings) if kind is None else kind
    if chosen_kind == PAST:
        message = f"A radius is chosen without the shifted people, got the evidence {PAST!r}"
        raise InvalidInput(message)
    grid = tuple(sorted(GRIDS[settings.radius_unit] if radii is None else radii))
    if not grid or len(set(grid)) != len(grid):
        message = f"The radii to try must be different numbers, got {grid}"
        raise InvalidInput(message)
    for name, value in (("tolerated share", tolerated), ("level", level)):
        if not 0.0 < checked_number(f"The {name}", value) < 1.0:
            message = f"The {name} must lie between 0 and 1, got {value:g}"
            raise InvalidInput(message)
    if trials < 1:
        message = f"The number of trials must be ≥ 1, got {trials}"
        raise InvalidInput(message)
    pasts = () if chosen_kind == PLACEBO else _usable(dataset, chosen_kind, settings)
    trial = _Trial(replace(dataset.for_training, shifted=None), settings, chosen_kind, pasts, grid)
    done = mapped(trial, range(trials), jobs, progress, cancel)
    answers = [answer for answer in done.results if not isinstance(answer, str)]
    problems = [answer for answer in done.results if isinstance(answer, str)]
    if done.complete and not answers:
        message = f"Choosing a radius needs trials that can be made, got none: {problems[0]}"
        raise InvalidInput(message)
    names = tuple(past.name for past in pasts)
    tests = tuple(
        _tested(radius, [answer[place] for answer in answers], tolerated, level / len(grid))
        for place, radius in enumerate(grid)
    )
    passed = [test for test in tests if test.passes] if done.complete else []
    reason = (
        _reason(tests, chosen_kind, names, tolerated, level)
        if done.complete
        else f"Stopped after {len(done.results)} of {trials} trials; nothing was chosen."
    )
    return Calibration(
        chosen_kind,
        names,
        tolerated,
        level,
        len(done.results),
        len(problems),
        problems[0] if problems else "",
        tests,
        passed[0].radius if passed else None,
        reason,
        done.complete,
    )


def _usable(dataset: Dataset, kind: str, settings: Settings) -> tuple[Past, ...]:
    """The pasts in which somebody is declined."""
    pasts = pasts_of(dataset, kind, settings.seed)
    usable = tuple(past for past in pasts if bundle_for(past.dataset, settings).declined.size)
    if not usable:
        message = (
            f"Choosing a radius needs declined applicants in at least one past, got none in "
            f"{joined([past.name for past in pasts])}"
        )
        raise InvalidInput(message)
    return usable


def _tested(
    radius: float, answers: list[tuple[float, float] | None], tolerated: float, threshold: float
) -> Tested:
    made = np.array([answer for answer in answers if answer is not None]).reshape(-1, 2)
    broken = int(is_broken(made[:, 1], made[:, 0]).sum())
    p_value = more_often_than(broken, len(made), tolerated)
    promised, observed = made.mean(axis=0) if len(made) else (np.nan, np.nan)
    return Tested(
        radius,
        len(made),
        broken,
        exact_interval(broken, len(made)),
        p_value,
        p_value <= threshold,
        float(promised),
        float(observed),
    )


def _reason(
    tests: tuple[Tested, ...], kind: str, pasts: tuple[str, ...], tolerated: float, level: float
) -> str:
    """Why the smallest radius that passes, or none, in two sentences."""
    named = f" ({joined(list(pasts))})" if pasts else ""
    covers = f"The evidence is {COVERS[kind]}{named}."
    rule = (
        f"that at most {tolerated:.0%} are broken (exact test at level {level:.0%} over "
        f"{len(tests)} radii)"
    )
    passed = [test for test in tests if test.passes]
    if passed:
        best = passed[0]
        return (
            f"ρ = {best.radius:g} is the smallest radius that passes: "
            f"{_broken(best)}, enough to say {rule}. {covers}"
        )
    best = min(tests, key=lambda test: (test.p_value, test.radius))
    if not best.promises:
        return f"No radius passes: no promise could be made in any trial. {covers}"
    needed = math.ceil(math.log(level / len(tests)) / math.log(1.0 - tolerated))
    few = best.promises < needed
    why = f"too few promises (none broken of {needed} would do)" if few else "too many"
    return (
        f"No radius passes: with the best, ρ = {best.radius:g}, {_broken(best)}, {why} to say "
        f"{rule}. {covers}"
    )


def _broken(test: Tested) -> str:
    was = "was" if test.broken == 1 else "were"
    return f"{test.broken} of {test.promises} promises {was} broken"
