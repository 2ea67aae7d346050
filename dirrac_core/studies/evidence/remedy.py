"""Which other setting would help one applicant: each is solved and judged before it is offered.

Nothing is taken for granted, above all not that a larger radius covers more. Every candidate plans
for this applicant in the pasts of the dataset and is judged there by the models that came later:
past dates where people are dated, else held-out groups and placebo splits. Shifted people are
never looked at.
"""

from dataclasses import dataclass, replace

import numpy as np

from dirrac_core.case.case import Case, bundle_for, case_of
from dirrac_core.case.documents.still_holds import is_broken
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.actionability import FeatureRule, edited_rules
from dirrac_core.data.dataset import Dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.parallel import ALL_CORES, mapped
from dirrac_core.progress import Cancel, Progress, never, no_progress
from dirrac_core.studies.evidence.backtest import check_no_peeking, judged_case
from dirrac_core.studies.evidence.pasts import DATES, GROUPS, PLACEBO, Past, pasts_of
from dirrac_core.studies.people.applicants import Applicant
from dirrac_core.studies.people.portfolio import PortfolioPlanner
from dirrac_core.wording import out_of

AS_SET = "as it is set"
MORE_BUDGET = 0.5
SMALLEST_RADIUS = 0.1
# A difference of one model in a hundred is no improvement.
NOTICEABLE = 0.01


@dataclass(frozen=True)
class Remedy:
    """One candidate, solved and judged for the applicant.

    `worst_case` and `cost` are of the plan it gives today (NaN: none). Over the pasts it made
    `promises`, of which `broken`; `promised` and `observed` are means.
    """

    name: str
    scenario: Scenario
    worst_case: float
    cost: float
    promises: int
    broken: int
    promised: float
    observed: float

    @property
    def share(self) -> float:
        """Broken of promises; 1 when none could be made."""
        return self.broken / self.promises if self.promises else 1.0

    def better_than(self, other: "Remedy") -> bool:
        """Fewer broken promises, or as few and noticeably fewer failures."""
        if np.isnan(self.worst_case) or not self.promises:
            return False
        if not other.promises or self.share != other.share:
            return self.share < other.share
        return self.observed < other.observed - NOTICEABLE


@dataclass(frozen=True)
class Advice:
    """All candidates as measured, the settings as they are first, and the `best` that helps: the
    fewest broken promises, then the least effort. `refused` says what could not be tried."""

    tried: tuple[Remedy, ...]
    pasts: tuple[str, ...]
    best: Remedy | None
    refused: tuple[str, ...]
    complete: bool

    @property
    def sentence(self) -> str:
        """What helps, with its numbers."""
        if not self.complete:
            return "Stopped before every remedy was tried."
        now, count = self.tried[0], len(self.pasts)
        start = f"Over {count} past situation{'' if count == 1 else 's'}, {_counted(now)}"
        if self.best is None:
            return f"{start}; none of {len(self.tried) - 1} other settings did better."
        best = self.best
        return (
            f"{start}; {best.name}: {_counted(best)}. Today it gives a plan with a worst case of "
            f"{out_of(best.worst_case, at_most=True)} at an effort of {best.cost:.2f}, "
            f"instead of {_today(now)}."
        )


@dataclass(frozen=True, eq=False)
class _Measure:
    """What a worker needs to measure one candidate."""

    dataset: Dataset
    pasts: tuple[Past, ...]

    def __call__(self, candidate: tuple[str, Scenario]) -> Remedy | str:
        name, scenario = candidate
        dataset = self.dataset
        row = scenario.applicant
        x0 = np.append(dataset.present.X[row], 1.0)
        try:
            case = case_of(scenario, bundle_for(dataset, scenario))
            applicant = Applicant(row, x0, case.actions)
            today = PortfolioPlanner.of(case)(applicant)
            answers = [
                PortfolioPlanner.of(judged_case(past, scenario.settings))(applicant)
                for past in self.pasts
            ]
        except InvalidInput as problem:
            # Not every setting can be prepared in every past, such as history in a short one.
            return f"{name}: {problem}"
        made = [answer for answer in answers if answer["found"]]
        promised = np.array([answer["worst_case"] for answer in made], dtype=np.float64)
        observed = 1.0 - np.array([answer["m2"] for answer in made], dtype=np.float64)
        found = bool(today["found"])
        return Remedy(
            name,
            scenario,
            float(str(today["worst_case"])) if found else np.nan,
            float(str(today["cost"])) if found else np.nan,
            len(made),
            int(is_broken(observed, promised).sum()),
            float(promised.mean()) if made else np.nan,
            float(observed.mean()) if made else np.nan,
        )


def remedies(
    case: Case,
    jobs: int | None = ALL_CORES,
    progress: Progress = no_progress,
    cancel: Cancel = never,
) -> Advice:
    """Every candidate for the applicant of a case with a linear model, and the one that helps."""
    scenario, dataset = case.scenario, case.dataset
    if scenario.model != "logistic":
        message = f"Remedies are tried with the logistic model, got the model {scenario.model!r}"
        raise InvalidInput(message)
    check_no_peeking(scenario)
    pasts = _pasts(dataset, scenario.seed)
    candidates = _candidates(scenario, dataset)
    done = mapped(_Measure(dataset, pasts), candidates, jobs, progress, cancel)
    tried = tuple(remedy for remedy in done.results if isinstance(remedy, Remedy))
    refused = tuple(problem for problem in done.results if isinstance(problem, str))
    if done.results and isinstance(done.results[0], str):
        message = f"Remedies need pasts for the present settings, got none: {done.results[0]}"
        raise InvalidInput(message)
    better = [remedy for remedy in tried[1:] if remedy.better_than(tried[0])]
    best = min(better, key=lambda r: (r.share, r.cost), default=None)
    names = tuple(past.name for past in pasts)
    return Advice(tried, names, best if done.complete else None, refused, done.complete)


def _pasts(dataset: Dataset, seed: int) -> tuple[Past, ...]:
    if dataset.periods is not None:
        return pasts_of(dataset, DATES, seed)
    try:
        groups = pasts_of(dataset, GROUPS, seed)
    except InvalidInput:
        # Not every table has groups that are large enough; luck can always be tried.
        groups = ()
    return (*groups, *pasts_of(dataset, PLACEBO, seed))


def _candidates(scenario: Scenario, dataset: Dataset) -> list[tuple[str, Scenario]]:
    """The present settings, then one change each."""
    found = [(AS_SET, scenario)]
    declared = {
        "sampling": "declare luck at today's training size",
        "stress": "declare the standard stress set",
        "history": "declare the past changes",
    }
    for futures, words in declared.items():
        known = futures != "history" or dataset.periods is not None
        if futures != scenario.futures and known and not isinstance(scenario.radii, tuple):
            found.append((words, replace(scenario, futures=futures)))
    if not isinstance(scenario.radii, tuple):
        radius = max(scenario.radii, SMALLEST_RADIUS)
        for other in (radius / 2.0, radius * 2.0):
            found.append((f"a radius of {other:g}", replace(scenario, radii=other)))
    rules = edited_rules(dataset, scenario.preset, scenario.edits)
    free = [
        feature.name
        for feature in dataset.schema.features
        if feature.is_categorical and rules[feature.name].move != "no"
    ]
    if free:
        kept = [edit for edit in scenario.edits if edit.feature not in free]
        locked = (*kept, *(FeatureRule(name, "no") for name in free))
        found.append(("keep every category", replace(scenario, edits=locked)))
    more = scenario.delta_add + MORE_BUDGET
    found.append((f"an extra effort δ_add of {more:g}", replace(scenario, delta_add=more)))
    return found


def _counted(remedy: Remedy) -> str:
    name = "the settings as they are" if remedy.name == AS_SET else "it"
    if not remedy.promises:
        return f"{name} made no promise"
    return (
        f"{name} broke {remedy.broken} of {remedy.promises} promises ({out_of(remedy.observed)} "
        f"models declined, {out_of(remedy.promised, at_most=True)} promised)"
    )


def _today(remedy: Remedy) -> str:
    if np.isnan(remedy.worst_case):
        return "none"
    return f"{out_of(remedy.worst_case, at_most=True)} at {remedy.cost:.2f}"
