"""What was promised and what happened: plans made in the past, judged by models that came later.

A promise is the worst case of one applicant's plan in whole units, made with exactly the pipeline
of the settings by what was known then. It is judged by 100 logistic models, each trained on people
drawn with replacement from the later ones, as many as the settings say (by default as many as the
model of that time saw); boosted trees by as many boosted models, whose promise is that of one next
sample; a network by its own ten later models. A promise is *broken* when the share of these models
that declines the plan is larger than was promised. That share is itself a count of a hundred: a
promise of exactly what comes true is broken about every second time.

The later people are a sample too, so their models scatter by more than a promise about models of
that many new people has to cover: the count errs on the side of "broken". Applicants of one past
are judged by the same models, and intervals over applicants do not know that (see `calibration`).
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.case.case import Case, bundle_for, case_of
from dirrac_core.case.documents.still_holds import is_broken
from dirrac_core.case.nonlinear.trees import TREES, TreeCase
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.data.dataset import Dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.models.cut_off import moved_future
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.models.futures.future import logistic_future
from dirrac_core.models.training import ModelBundle
from dirrac_core.parallel import ALL_CORES, mapped
from dirrac_core.progress import Cancel, Progress, never, no_progress, step_of
from dirrac_core.studies.evidence.pasts import Past, default_kind, pasts_of
from dirrac_core.studies.evidence.tree_pasts import as_promises, tree_past_case
from dirrac_core.studies.intervals import Interval, exact_interval, mean_interval
from dirrac_core.studies.people.equity import groups_by
from dirrac_core.studies.people.portfolio import case_portfolio
from dirrac_core.studies.people.tree_portfolio import PER_PERSON, tree_portfolio

APPLICANTS = 40
# Edges of the bins of promised worst cases in a reliability diagram.
EDGES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 1.0)
# Stories that take their people from after the shift: with them a past would know its future.
PEEKING = ("economic-period", "another-site")
COLUMNS = ("date", "row", "group", "plan", "promised", "observed", "broken", "cost")


@dataclass(frozen=True)
class Tally:
    """How some promises fared: those `asked` for a plan, the `promises` made, those `broken`.

    `share` is broken of promises with its Clopper–Pearson interval, `promised` the mean worst case
    and `observed` the mean share of later models that decline.
    """

    asked: int
    promises: int
    broken: int
    share: Interval
    promised: float
    observed: float

    @property
    def sentence(self) -> str:
        """Such as “4 of 83 past promises were broken”."""
        if not self.promises:
            return f"No promise could be made to any of {self.asked} past applicants"
        was = "was" if self.broken == 1 else "were"
        return f"{self.broken} of {self.promises} past promises {was} broken"


@dataclass(frozen=True, eq=False)
class Record:
    """The promises of the settings in all pasts of a kind; one row per applicant and date.

    `rows` has the columns of `COLUMNS`; `row` is the applicant's among all present people.
    `skipped` says which pasts could not be tried, and why. `complete` is False after a cancel.
    """

    settings: Settings
    kind: str
    rows: pd.DataFrame
    skipped: tuple[str, ...]
    complete: bool

    @cached_property
    def tally(self) -> Tally:
        """All promises together; a page asks for it several times at every change."""
        return tally(self.rows)


def backtest(
    dataset: Dataset,
    settings: Settings,
    kind: str | None = None,
    applicants: int | None = APPLICANTS,
    group_by: str | None = None,
    jobs: int | None = ALL_CORES,
    progress: Progress = no_progress,
    cancel: Cancel = never,
) -> Record:
    """The record of the settings on a dataset, by the evidence of `kind` (see `pasts`).

    At each past at most `applicants` declined people are asked, drawn by the seed of the settings;
    None asks everybody. `group_by` names a feature whose groups are counted separately.
    """
    check_no_peeking(settings)
    if applicants is not None and applicants < 1:
        message = f"The number of applicants at each date must be ≥ 1, got {applicants}"
        raise InvalidInput(message)
    chosen = default_kind(dataset) if kind is None else kind
    pasts = pasts_of(dataset, chosen, settings.seed)
    frames: list[pd.DataFrame] = []
    skipped: list[str] = []
    progress(0.0, "Training the models known then and those that came later")
    # By the workers too: training in this process could not be stopped.
    trained = mapped(_Training(settings, applicants), pasts, jobs, cancel=cancel)
    complete = trained.complete
    for place, (past, ready) in enumerate(zip(pasts, trained.results, strict=False)):
        if not complete:
            break
        if isinstance(ready, str):
            skipped.append(f"{past.name}: {ready}")
            continue
        tell = step_of(progress, place, len(pasts), f"{past.name}: ")
        found, complete = _planned(*ready, jobs, tell, cancel)
        if len(found):
            frames.append(promises(found, past))
    if complete and not frames:
        message = f"A record needs a past in which plans can be made, got none: {skipped[0]}"
        raise InvalidInput(message)
    record = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=[*COLUMNS])
    if group_by is not None and frames:
        groups, _ = groups_by(dataset, group_by, record["row"].to_numpy())
        record = record.assign(group=groups.to_numpy())
    return Record(settings, chosen, record, tuple(skipped), complete)


@dataclass(frozen=True)
class _Training:
    """What a worker needs to train the models of a past: its `past_case`, or why it has none."""

    settings: Settings
    applicants: int | None

    def __call__(self, past: Past) -> tuple[Case | TreeCase, npt.NDArray[np.intp]] | str:
        try:
            if self.settings.model != TREES:
                return past_case(past, self.settings, self.applicants)
            asked = asked_of(bundle_for(past.dataset, self.settings), self.applicants)
            return tree_past_case(past, self.settings, asked), asked
        except InvalidInput as problem:
            return str(problem)


def _planned(
    case: Case | TreeCase,
    rows: npt.NDArray[np.intp],
    jobs: int | None,
    progress: Progress,
    cancel: Cancel,
) -> tuple[pd.DataFrame, bool]:
    """A plan for each of these people, and whether all were asked."""
    if isinstance(case, TreeCase):
        plans = tree_portfolio(case, rows, PER_PERSON, jobs, progress, cancel)
        return as_promises(plans), bool(plans.attrs["complete"])
    found = case_portfolio(case, rows, jobs, progress, cancel)
    return found, bool(found.attrs["complete"])


def past_case(
    past: Past, settings: Settings, applicants: int | None
) -> tuple[Case, npt.NDArray[np.intp]]:
    """The case of a past, judged at equal training size, and who is asked (rows of the past)."""
    asked = asked_of(bundle_for(past.dataset, settings), applicants)
    return judged_case(past, settings, int(asked[0])), asked


def asked_of(bundle: ModelBundle, applicants: int | None) -> npt.NDArray[np.intp]:
    """At most so many of the declined people of a past, drawn by its seed; None asks all."""
    declined = bundle.declined
    if not declined.size:
        message = f"A past needs declined applicants, got none among {len(bundle.dataset.present)}"
        raise InvalidInput(message)
    if applicants is None or applicants >= declined.size:
        return declined
    rng = np.random.default_rng([bundle.seed, 1])
    return np.sort(rng.choice(declined, applicants, replace=False))


def judged_case(past: Past, settings: Settings, applicant: int = 0) -> Case:
    """The case of one person of a past, its later models trained at equal size."""
    bundle = bundle_for(past.dataset, settings)
    if settings.model == "logistic" and settings.futures == "paper":
        future = logistic_future(
            past.dataset, settings.seed, bootstrap=Bootstrap(settings.training_size)
        )
        bundle = replace(bundle, future=moved_future(future, bundle.threshold))
    return case_of(Scenario.of(settings, applicant), bundle)


def promises(found: pd.DataFrame, past: Past) -> pd.DataFrame:
    """The rows of a portfolio as rows of a record."""
    plan = found["found"].to_numpy(dtype=bool)
    promised = found["worst_case"].to_numpy(dtype=np.float64)
    observed = 1.0 - found["m2"].to_numpy(dtype=np.float64)
    return pd.DataFrame(
        {
            "date": past.name,
            "row": past.rows[found["row"].to_numpy()],
            "group": "",
            "plan": plan,
            "promised": np.where(plan, promised, np.nan),
            "observed": observed,
            "broken": plan & is_broken(observed, promised),
            "cost": np.where(plan, found["cost"].to_numpy(dtype=np.float64), np.nan),
        }
    )


def check_no_peeking(settings: Settings) -> None:
    """Refuse settings that know the shifted people: nothing they promise can be checked."""
    seen = [shift.story for shift in settings.shifts if shift.story in PEEKING]
    if seen:
        message = (
            "Past promises may use only what was known then, "
            f"got the shift {seen[0]!r}, which takes its people from after the shift"
        )
        raise InvalidInput(message)


def tally(rows: pd.DataFrame) -> Tally:
    """The count over some rows of a record."""
    made = rows[rows["plan"].astype(bool)]
    broken = int(made["broken"].sum())
    return Tally(
        len(rows),
        len(made),
        broken,
        exact_interval(broken, len(made)),
        float(made["promised"].mean()) if len(made) else np.nan,
        float(made["observed"].mean()) if len(made) else np.nan,
    )


def tally_by(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """One row for each value of `column` ("date" or "group"), in the order they appear."""
    table = []
    for value in dict.fromkeys(rows[column]):
        found = tally(rows[rows[column] == value])
        table.append(
            {
                column: value,
                "asked": found.asked,
                "promises": found.promises,
                "broken": found.broken,
                "share": found.share.value,
                "share_low": found.share.low,
                "share_high": found.share.high,
                "promised": found.promised,
                "observed": found.observed,
            }
        )
    return pd.DataFrame(table)


def reliability(rows: pd.DataFrame) -> pd.DataFrame:
    """Promised against realised: promises in bins, each with what became of them.

    `promised` is the mean worst case in the bin; `observed` the mean share of later models that
    decline, with Student's t interval over the n promises.
    """
    made = rows[rows["plan"].astype(bool)]
    place = np.clip(np.digitize(made["promised"], EDGES) - 1, 0, len(EDGES) - 2)
    table = []
    for bin_ in np.unique(place):
        inside = made[place == bin_]
        seen = mean_interval(inside["observed"].to_numpy(dtype=np.float64), shares=True)
        table.append(
            {
                "from": EDGES[bin_],
                "to": EDGES[bin_ + 1],
                "n": len(inside),
                "promised": float(inside["promised"].mean()),
                "observed": seen.value,
                "observed_low": seen.low,
                "observed_high": seen.high,
                "broken": int(inside["broken"].sum()),
            }
        )
    return pd.DataFrame(table)
