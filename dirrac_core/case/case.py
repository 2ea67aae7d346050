"""A scenario made ready and answered: data, models, applicant, problem, plan."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, cast

from dirrac_core.arrays import Array, checked_instance, frozen_array
from dirrac_core.case.futures import bootstrap_of, composition_of
from dirrac_core.case.nonlinear.linearised import Linearised, linearised_at_plan
from dirrac_core.case.promise_kind import promise_kind
from dirrac_core.case.realism import allowed_actions
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.data import Dataset, load_dataset, with_constant
from dirrac_core.data.schema.actions import Actions
from dirrac_core.errors import InvalidInput
from dirrac_core.methods.dirrac import Dirrac
from dirrac_core.models.bundle import prepare
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.cut_off import at_cut_off, moved_composition
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.models.futures.compose import Composition
from dirrac_core.models.protected import without_protected
from dirrac_core.models.surrogate import Surrogate
from dirrac_core.models.training import ModelBundle
from dirrac_core.progress import Progress, no_progress
from dirrac_core.recourse import RecourseProblem, find_recourse
from dirrac_core.recourse.kinds.alternatives import AT_MOST, SAFEST
from dirrac_core.recourse.kinds.at_most import LevelAnswer, cheapest_at_most
from dirrac_core.recourse.kinds.chosen import chosen_in_real_units, chosen_plan
from dirrac_core.recourse.result import Recourse
from dirrac_core.recourse.whole_units import plan_in_real_units

MAX_SURROGATES = 64


@dataclass(frozen=True, eq=False)
class Case:
    """A scenario made ready: its data, models, applicant x0 and problem.

    `actions` say what this applicant may change; `dirrac` is DiRRAc with the scenario's settings,
    for anyone. `declared` holds the components that have a story: past changes, a stress set and
    declared shifts; None when the mixture is estimated from re-trainings alone. `surrogate` is
    that of a non-linear model around the applicant; unless the futures are the paper's, the problem
    is that of the surrogate in `linearised`, around the plan. `at_most` is the answer where the
    question is the cheapest plan at a level: the problem then has the budget it takes.
    """

    scenario: Scenario
    dataset: Dataset
    bundle: ModelBundle
    x0: Array
    actions: Actions
    surrogate: Surrogate | None
    dirrac: Dirrac
    problem: RecourseProblem
    declared: Composition | None
    linearised: Linearised | None = None
    at_most: LevelAnswer | None = None

    @property
    def component_names(self) -> tuple[str, ...] | None:
        """The components by name; None for those that have only a number."""
        return None if self.declared is None else self.declared.labels

    @property
    def widened(self) -> float:
        """How many times as wide as usual the limits are, for the sake of the promise."""
        return 1.0 if self.actions.plausible is None else self.actions.plausible.widened

    def accepted_today(self, x: Array) -> bool:
        """Whether today's own model accepts x (D,), not only its linear surrogate."""
        return bool(self.bundle.current.decision(x[None, :-1])[0])

    def promise_of(self, x: Array) -> str | None:
        """What the worst case of x may be called (see `promise_kind`); None: no number at all."""
        return promise_kind(self.surrogate is not None, self.accepted_today(x))


@dataclass(frozen=True, eq=False)
class Solution:
    """The answer to a scenario: the plan in real units (or none, with its explanation)."""

    case: Case
    plan: Recourse


def bundle_of(settings: Settings, progress: Progress = no_progress) -> ModelBundle:
    """The trained models behind the settings, from the shared cache where possible."""
    checked_instance("settings", settings, Settings)
    return bundle_for(load_dataset(settings.dataset), settings, progress)


def bundle_for(
    dataset: Dataset, settings: Settings, progress: Progress = no_progress
) -> ModelBundle:
    """`bundle_of` for a dataset that has no name, such as half of another one."""
    if settings.without_protected:
        dataset = without_protected(dataset)
    kind = cast(Literal["logistic", "mlp", "trees"], settings.model)
    trained = prepare(
        dataset,
        kind,
        settings.components if settings.model == "logistic" else 1,
        settings.seed,
        progress=progress,
        bootstrap=bootstrap_of(settings),
    )
    return at_cut_off(trained, settings.decision)


def make_case(
    scenario: Scenario, progress: Progress = no_progress, time_limit: float | None = None
) -> Case:
    """The dataset, models and problem of a scenario.

    `time_limit` is for finding the budget of a plan at a level; nothing else is solved here.
    """
    checked_instance("scenario", scenario, Scenario)
    return case_of(scenario, bundle_of(scenario, progress), time_limit)


def case_of(scenario: Scenario, bundle: ModelBundle, time_limit: float | None = None) -> Case:
    """The problem of a scenario on its trained models; `time_limit` as in `make_case`."""
    dataset = bundle.dataset
    people = len(dataset.present)
    if scenario.applicant >= people:
        message = f"The applicant must be from 0 to {people - 1}, got {scenario.applicant}"
        raise InvalidInput(message)
    x0 = frozen_array("x0", with_constant(dataset.present.X[scenario.applicant]), (None,))
    bootstrap = bootstrap_of(scenario)
    surrogate = linearised = None
    if bundle.estimate is None:
        surrogate = _surrogate(bundle, scenario.applicant, bootstrap)
    dirrac, declared = formulate(scenario, bundle, surrogate)
    actions = allowed_actions(dataset, scenario, x0, dirrac)
    if surrogate is not None and bootstrap is not None:
        stand_in = bundle.stand_in(bootstrap)
        linearised = linearised_at_plan(dirrac, x0, actions, stand_in, surrogate)
        dirrac = replace(dirrac, mixture=linearised.surrogate.mixture)
    problem, asked = dirrac.problem(x0, actions), None
    if scenario.plan_kind == AT_MOST:
        asked = cheapest_at_most(problem, scenario.level, scenario.gap, scenario.solver, time_limit)
        problem = asked.problem
    return Case(
        scenario,
        dataset,
        bundle,
        x0,
        actions,
        surrogate,
        dirrac,
        problem,
        declared,
        linearised,
        asked,
    )


def formulate(
    settings: Settings, bundle: ModelBundle, surrogate: Surrogate | None = None
) -> tuple[Dirrac, Composition | None]:
    """DiRRAc as the settings state it, for anyone, and its components that have a story.

    The mixture is that of the stories, or else of the re-trained linear models, where a plan must
    also be accepted today, or else of the `surrogate` of a non-linear model.
    """
    current = bundle.current
    radii: float | tuple[float, ...] | Array = settings.radii
    estimate = surrogate or bundle.estimate
    if estimate is None:
        message = "A non-linear model needs its surrogate around an applicant, got none"
        raise InvalidInput(message)
    mixture = estimate.mixture
    declared = composition_of(settings, bundle.dataset)
    if declared is not None:
        declared = moved_composition(declared, bundle.threshold)
        mixture, radii = declared.mixture, declared.radii
    dirrac = Dirrac(
        current,
        mixture,
        radii,
        settings.delta_add,
        settings.cost,
        settings.link,
        settings.weighting_choice,
        settings.categories,
        current_model=current.theta if isinstance(current, LinearModel) else None,
        metric=settings.radius_unit,
        gap=settings.gap,
        solver=settings.solver,
    )
    return dirrac, declared


def solve_scenario(
    scenario: Scenario, time_limit: float | None = None, progress: Progress = no_progress
) -> Solution:
    """The plan of a scenario in real units. Without a time limit it is the same on every run."""
    return solve(make_case(scenario, progress, time_limit), time_limit)


def solve(case: Case, time_limit: float | None = None) -> Solution:
    """The plan of a case in real units."""
    scenario = case.scenario
    if scenario.plan_kind == SAFEST:
        plan = find_recourse(case.problem, scenario.solver, scenario.gap, time_limit)
        return Solution(case, plan_in_real_units(case.dataset, case.problem, plan))
    if case.at_most is not None:
        chosen = case.at_most.as_alternative()
    else:
        chosen = chosen_plan(
            case.problem,
            scenario.plan_kind,
            scenario.level,
            scenario.gap,
            scenario.solver,
            time_limit,
        )
    return Solution(case, chosen_in_real_units(case.dataset, chosen, scenario.gap))


@lru_cache(maxsize=MAX_SURROGATES)
def _surrogate(bundle: ModelBundle, applicant: int, bootstrap: Bootstrap | None) -> Surrogate:
    return bundle.stand_in(bootstrap).around(bundle.dataset.present.X[applicant])
