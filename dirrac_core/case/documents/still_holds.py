"""Does an exported plan still hold? The same plan, judged by newer people or a newer model."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.case.case import bundle_for, bundle_of, case_of
from dirrac_core.case.documents.file import recorded_answer
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import Dataset, load_dataset
from dirrac_core.data.dataset import Labels, make_sample
from dirrac_core.data.periods import Periods
from dirrac_core.data.schema.feature import YES_NO
from dirrac_core.data.upload.reading import USUAL_LIMITS, Limits, Source
from dirrac_core.data.upload.table import table_dataset
from dirrac_core.data.upload.table_file import TableFile
from dirrac_core.errors import InvalidInput, InvalidTable
from dirrac_core.models.futures.bootstrap import Bootstrap, bootstrapped_models, pooled_model
from dirrac_core.models.futures.shifts import present_pool
from dirrac_core.models.protected import without_protected
from dirrac_core.wording import in_100

# Two shares that are equal may differ in their last digits.
SAME = 1e-9
RE_TRAINED = "Newer people re-train the logistic model of a table"
GIVEN = "coefficients or a scorecard that were given"


@dataclass(frozen=True)
class Holding:
    """What became of a plan's promise.

    `accepted`: the newer model accepts the plan. `observed` is the share of 100 models trained on
    the newer people that declines it, None where only a model was given. `worst_case` is what the
    same settings would promise for the same plan on the newer people; None where they cannot, and
    `note` says why.
    """

    kept: bool
    promised: float
    accepted: bool
    observed: float | None
    worst_case: float | None
    note: str

    @property
    def sentence(self) -> str:
        """Kept or broken, with the numbers."""
        word = "The plan still holds" if self.kept else "The plan no longer holds"
        model = f"the newer model {'accepts' if self.accepted else 'declines'} it"
        promise = f"at most {in_100(self.promised)} of 100 were to decline"
        if self.observed is None:
            return f"{word}: {model} ({promise})."
        return (
            f"{word}: {model}, and {round(100 * self.observed)} of 100 models trained on the newer "
            f"people decline it ({promise})."
        )


def is_broken(observed: npt.ArrayLike, promised: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Whether more models declined, as a share, than the worst case that was promised."""
    broken: npt.NDArray[np.bool_] = np.asarray(observed) > np.asarray(promised) + SAME
    return broken


def holds_for_people(text: str, newer: Dataset) -> Holding:
    """The plan in a scenario file, judged by models trained on the present people of `newer`.

    They are as many, and trained on as many people, as those that judge a plan on its own dataset
    by bootstrap. The plan is kept when the model of all newer people accepts it and no larger share
    of the 100 declines than was promised.
    """
    scenario, x, promised = _recorded(text)
    if scenario.model != "logistic" or load_dataset(scenario.dataset).given_model is not None:
        got = GIVEN if scenario.model == "logistic" else scenario.model
        raise InvalidInput(f"{RE_TRAINED}, got {got}")
    if newer.schema.columns != load_dataset(scenario.dataset).schema.columns:
        message = "The newer people must have the columns of the scenario's dataset, got others"
        raise InvalidTable(message)
    if scenario.without_protected:
        newer = without_protected(newer)
    people = newer.for_training.present
    pool = present_pool(people, np.ones(len(people), dtype=bool))
    sizes = Bootstrap(scenario.training_size).sizes(
        len(load_dataset(scenario.dataset).for_training.present)
    )
    rng = np.random.default_rng(scenario.seed)
    models, _ = bootstrapped_models(pool, sizes, rng)
    threshold = _threshold(scenario)
    observed = float((models @ x < threshold).mean())
    accepted = bool(pooled_model(pool, len(people)) @ x >= threshold)
    try:
        case = case_of(replace(scenario, applicant=0), bundle_for(newer, scenario))
        worst_case, note = float(case.problem.objective.value(x)), ""
    except InvalidInput as problem:
        worst_case, note = None, f"No new worst case: {problem}"
    kept = accepted and not bool(is_broken(observed, promised))
    return Holding(kept, promised, accepted, observed, worst_case, note)


def holds_for_model(text: str, theta: npt.ArrayLike) -> Holding:
    """The plan in a scenario file, judged by one newer linear model θ (D,), bias last."""
    scenario, x, promised = _recorded(text)
    newer = frozen_array("The newer model", theta, (x.size,))
    accepted = bool(newer @ x >= _threshold(scenario))
    return Holding(accepted, promised, accepted, None, None, "")


def _threshold(scenario: Scenario) -> float:
    """The score that the plan was made for; only a share of approvals needs the old model."""
    fixed = scenario.decision.fixed_threshold
    return bundle_of(scenario).threshold if fixed is None else fixed


def with_newer_people(
    dataset: Dataset, people: pd.DataFrame, label: str, favourable: str, period: Periods | None
) -> Dataset:
    """The dataset with newer people, in real units, in the place of all others.

    `label` names their outcome and `favourable` its good value. Nobody may lack a feature.
    """
    wanted = [feature.name for feature in dataset.schema.features]
    missing = [name for name in (*wanted, label) if name not in people.columns]
    if missing:
        message = f"Column {missing[0]!r} is needed, got {', '.join(map(str, people.columns))}"
        raise InvalidTable(message)
    outcome = people[label].astype(str).str.strip()
    good = outcome == favourable
    if not good.any() or good.all():
        message = (
            f"The column {label!r} must hold {favourable!r} and another outcome, got "
            f"{int(good.sum())} of {len(people)} with {favourable!r}"
        )
        raise InvalidTable(message)
    return _of(dataset, people, good.to_numpy().astype(np.int64), period, None)


def with_newer_table(
    dataset: Dataset, source: Source, table: TableFile, limits: Limits = USUAL_LIMITS
) -> Dataset:
    """The dataset of an own table with the people of a newer file in the place of all others.

    `table` is the whole description of the old file (`TableReport.table`); the newer one is read
    the same way. Where it has no gap, its indicator says "no".
    """
    if dataset.given_model is not None:
        raise InvalidInput(f"{RE_TRAINED}, got {GIVEN}")
    try:
        made, _ = table_dataset(source, replace(table, shifted_from=None, rules=()), limits=limits)
    except InvalidInput as problem:
        message = (
            f"The newer table must be one like the table of the plan, got a problem: {problem}"
        )
        raise InvalidTable(message) from None
    people, schema = made.present.people, dataset.schema
    numbers = {feature.source for feature in schema.features if not feature.is_categorical}
    for feature in schema.features:
        if feature.name in people.columns:
            continue
        if not (feature.is_categorical and feature.source in numbers):
            message = f"Column {feature.name!r} must vary in the newer table, got one value or none"
            raise InvalidTable(message)
        people[feature.name] = YES_NO[0]
    names = [feature.name for feature in schema.features]
    for feature in made.schema.features:
        if feature.name not in names and feature.source in numbers:
            message = f"The models of the plan know no gaps in {feature.source!r}, got some"
            raise InvalidTable(message)
    return _of(dataset, people, made.present.y, made.periods, made.training_rows)


def _of(
    dataset: Dataset,
    people: pd.DataFrame,
    y: Labels,
    periods: Periods | None,
    training_rows: npt.NDArray[np.intp] | None,
) -> Dataset:
    return replace(
        dataset,
        present=make_sample(dataset.schema, people, y),
        shifted=None,
        periods=periods,
        given_model=None,
        training_rows=training_rows,
        shifted_training_rows=None,
    )


def _recorded(text: str) -> tuple[Scenario, Array, float]:
    """The scenario, its plan x (D,) and the promised worst case."""
    scenario, answer = Scenario.from_json(text), recorded_answer(text)
    if answer is None or answer.get("x") is None:
        got = "no answer" if answer is None else "an answer without a plan"
        message = f"A re-check needs a scenario file with its plan, got {got}"
        raise InvalidInput(message)
    size = len(load_dataset(scenario.dataset).schema.columns) + 1
    x = frozen_array("The plan in the scenario file", answer["x"], (size,))
    promised = answer.get("worst_case_probability")
    if isinstance(promised, bool) or not isinstance(promised, int | float):
        message = f"The answer must hold a worst-case probability, got {promised!r}"
        raise InvalidInput(message)
    return scenario, x, float(promised)
