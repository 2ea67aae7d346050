"""A scenario: one applicant and every setting, as a file that gives the same plan anywhere."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import Any, Literal

from dirrac_core.actionability import FeatureRule, edited_actions
from dirrac_core.arrays import Array, brief, checked_choice, checked_number, frozen_array
from dirrac_core.data import Dataset, checked_dataset_name, load_dataset, with_constant
from dirrac_core.declared_shifts import DeclaredShift, declared_mixture, read_shift
from dirrac_core.errors import InvalidInput, UnknownName
from dirrac_core.models.bundle import MODELS, ModelBundle, prepare
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.estimate import MAX_COMPONENTS
from dirrac_core.models.future import Progress
from dirrac_core.models.scenarios import ScenarioMixture
from dirrac_core.models.surrogate import Surrogate
from dirrac_core.real_units import RealPlan, plan_in_real_units
from dirrac_core.recourse import SOLVERS, RecourseProblem, find_recourse
from dirrac_core.robustness import DIVERGENCES, LINKS, WeightBall, Weighting

VERSION = 1
BALL = "ball"
WEIGHTINGS = ("nominal", BALL, "worst-component")
COSTS = ("l1", "l2")
CATEGORIES = ("whole", "relaxed")
MAX_SEED = 2**31 - 1
MAX_SURROGATES = 64


@dataclass(frozen=True)
class Scenario:
    """Everything that decides a plan; equal scenarios give equal plans.

    `applicant` is the row among the present people. `components` is K or "auto" (the elbow; one
    for a non-linear model, whose surrogate has a single component). `radii` is one ρ or a tuple
    ρ_1 … ρ_K. `weighting` is "nominal", "worst-component" or "ball", the latter with `divergence`
    and `weight_radius`. `edits` replace the preset's rules of single features. `shifts`, when
    there are any, declare the mixture and its radii: one component a shift, in the place of
    `components` and `radii`.
    """

    dataset: str
    applicant: int
    model: str = "logistic"
    components: int | Literal["auto"] = "auto"
    link: str = "chebyshev"
    radii: float | tuple[float, ...] = 0.1
    delta_add: float = 0.3
    cost: str = "l1"
    weighting: str = "nominal"
    divergence: str = "kl"
    weight_radius: float = 0.1
    categories: str = "whole"
    preset: str = "sensible"
    edits: tuple[FeatureRule, ...] = ()
    solver: str = "certified"
    gap: float = 1e-3
    seed: int = 0
    shifts: tuple[DeclaredShift, ...] = ()

    def __post_init__(self) -> None:
        checked_dataset_name(self.dataset)
        _whole_number("applicant", self.applicant, 0, MAX_SEED)
        checked_choice("The model", self.model, MODELS)
        if self.components != "auto":
            _whole_number("components", self.components, 1, MAX_COMPONENTS)
            if self.model != "logistic" and self.components != 1:
                message = f"A non-linear model has 1 component, got {self.components}"
                raise InvalidInput(message)
        checked_choice("The link", self.link, LINKS)
        several = isinstance(self.radii, tuple | list)
        listed = tuple(self.radii) if isinstance(self.radii, tuple | list) else (self.radii,)
        if not listed:
            message = "radii must be a number or a list of numbers, got an empty list"
            raise InvalidInput(message)
        rho = tuple(_number("The radius 'rho'", radius) for radius in listed)
        object.__setattr__(self, "radii", rho if several else rho[0])
        checked_choice("The cost", self.cost, COSTS)
        checked_choice("The weighting", self.weighting, WEIGHTINGS)
        checked_choice("The divergence", self.divergence, DIVERGENCES)
        checked_choice("The categories", self.categories, CATEGORIES)
        if not isinstance(self.preset, str):
            message = f"The preset must be a name, got {brief(self.preset)}"
            raise InvalidInput(message)
        checked_choice("The solver", self.solver, SOLVERS)
        for name in ("delta_add", "weight_radius"):
            object.__setattr__(self, name, _number(name, getattr(self, name)))
        object.__setattr__(self, "gap", _number("gap", self.gap, strict=True))
        _whole_number("seed", self.seed, 0, MAX_SEED)
        named = [edit.feature for edit in self.edits]
        if len(set(named)) != len(named):
            message = f"Each feature may be edited once, got {', '.join(named)}"
            raise InvalidInput(message)
        object.__setattr__(self, "edits", tuple(sorted(self.edits, key=lambda e: e.feature)))
        if len(self.shifts) > MAX_COMPONENTS:
            message = f"At most {MAX_COMPONENTS} shifts may be declared, got {len(self.shifts)}"
            raise InvalidInput(message)
        if self.shifts and self.model != "logistic":
            message = f"Declared shifts re-train the logistic model, got the model {self.model!r}"
            raise InvalidInput(message)

    def to_json(self) -> str:
        """The scenario as JSON text; `from_json` gives back an equal scenario."""
        return json.dumps({"version": VERSION, **asdict(self)}, indent=2, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Scenario":
        """The scenario in JSON text; what is missing takes its default, the rest is checked."""
        content = read_json(text)
        version = content.pop("version", VERSION)
        if version != VERSION:
            message = f"The version of a scenario must be {VERSION}, got {brief(version)}"
            raise InvalidInput(message)
        content.pop("answer", None)
        _check_keys("A scenario", content, [field.name for field in fields(cls)])
        missing = [name for name in ("dataset", "applicant") if name not in content]
        if missing:
            message = f"A scenario needs {' and '.join(missing)}, got {', '.join(content)}"
            raise InvalidInput(message)
        if isinstance(content.get("radii"), list):
            content["radii"] = tuple(content["radii"])
        content["edits"] = _edits(content.get("edits", []))
        shifts = content.get("shifts", [])
        if not isinstance(shifts, list):
            message = f"shifts must be a list, got {type(shifts).__name__}"
            raise InvalidInput(message)
        content["shifts"] = tuple(read_shift(shift) for shift in shifts)
        return cls(**content)

    @property
    def weighting_choice(self) -> str | Weighting:
        """The weighting as the core takes it."""
        if self.weighting == BALL:
            return WeightBall(self.divergence, self.weight_radius)
        return self.weighting


@dataclass(frozen=True, eq=False)
class Case:
    """A scenario made ready: its data, models, applicant x0 and problem.

    `declared` holds the components of the declared shifts, None when there are none.
    """

    scenario: Scenario
    dataset: Dataset
    bundle: ModelBundle
    x0: Array
    surrogate: Surrogate | None
    problem: RecourseProblem
    declared: ScenarioMixture | None = None

    @property
    def component_names(self) -> tuple[str, ...] | None:
        """The declared shifts by name; None for components that have only a number."""
        return tuple(shift.title for shift in self.scenario.shifts) or None

    def accepted_today(self, x: Array) -> bool:
        """Whether today's own model accepts x (D,), not only its linear surrogate."""
        return bool(self.bundle.current.decision(x[None, :-1])[0])


@dataclass(frozen=True, eq=False)
class Solution:
    """The answer to a scenario: the plan in real units (or none, with its explanation)."""

    case: Case
    real: RealPlan


def bundle_of(scenario: Scenario, progress: Progress | None = None) -> ModelBundle:
    """The trained models of a scenario, from the shared cache where possible."""
    dataset = load_dataset(scenario.dataset)
    if scenario.model == "logistic":
        return prepare(dataset, "logistic", scenario.components, scenario.seed, progress=progress)
    return prepare(dataset, "mlp", 1, scenario.seed, progress=progress)


def make_case(scenario: Scenario, progress: Progress | None = None) -> Case:
    """The dataset, models and problem of a scenario."""
    bundle = bundle_of(scenario, progress)
    dataset = bundle.dataset
    people = len(dataset.present)
    if scenario.applicant >= people:
        message = f"The applicant must be from 0 to {people - 1}, got {scenario.applicant}"
        raise InvalidInput(message)
    x0 = frozen_array("x0", with_constant(dataset.present.X[scenario.applicant]), (None,))
    surrogate, today, declared = None, None, None
    radii: float | tuple[float, ...] | Array = scenario.radii
    if isinstance(bundle.current, LinearModel) and bundle.estimate is not None:
        mixture, today = bundle.estimate.mixture, bundle.current.theta
    else:
        surrogate = _surrogate(bundle, scenario.applicant)
        mixture = surrogate.mixture
    if scenario.shifts:
        declared = declared_mixture(dataset, scenario.shifts, scenario.seed)
        mixture, radii = declared.mixture, declared.radii
    problem = RecourseProblem(
        x0,
        mixture,
        radii=radii,
        delta_add=scenario.delta_add,
        cost=scenario.cost,
        link=scenario.link,
        weighting=scenario.weighting_choice,
        actions=edited_actions(dataset, scenario.preset, scenario.edits, x0),
        categories=scenario.categories,
        current_model=today,
    )
    return Case(scenario, dataset, bundle, x0, surrogate, problem, declared)


def solve_scenario(
    scenario: Scenario, time_limit: float | None = None, progress: Progress | None = None
) -> Solution:
    """The plan of a scenario in real units. Without a time limit it is the same on every run."""
    case = make_case(scenario, progress)
    plan = find_recourse(case.problem, scenario.solver, scenario.gap, time_limit)
    return Solution(case, plan_in_real_units(case.dataset, case.problem, plan))


def answer_of(solution: Solution) -> dict[str, Any]:
    """The numbers of an answer that a second run must reproduce to the last digit."""
    plan = solution.real.plan
    return {
        "status": plan.status,
        "x": None if plan.x is None else plan.x.tolist(),
        "cost": None if plan.x is None else plan.cost,
        "worst_case_probability": plan.worst_case_probability,
        "lower_bound": plan.lower_bound,
    }


def scenario_file(solution: Solution) -> str:
    """The scenario with its answer, as `python -m dirrac_core plan` reads and re-computes it."""
    content = json.loads(solution.case.scenario.to_json())
    return json.dumps({**content, "answer": answer_of(solution)}, indent=2, ensure_ascii=False)


def recorded_answer(text: str) -> dict[str, Any] | None:
    """The answer stored in a scenario file, if it holds one."""
    answer = read_json(text).get("answer")
    if answer is not None and not isinstance(answer, dict):
        message = f"The answer in a scenario must be a JSON object, got {type(answer).__name__}"
        raise InvalidInput(message)
    return answer


def read_json(text: str) -> dict[str, Any]:
    """A JSON object from text; anything else is refused with the place of the problem."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError as problem:
        message = f"A scenario must be JSON, got a problem at line {problem.lineno}: {problem.msg}"
        raise InvalidInput(message) from None
    except (ValueError, RecursionError) as problem:
        # Numbers of thousands of digits, and brackets within brackets without end.
        message = f"A scenario must be JSON of a sensible size, got a problem: {problem}"
        raise InvalidInput(message) from None
    if not isinstance(content, dict):
        message = f"A scenario must be a JSON object, got {type(content).__name__}"
        raise InvalidInput(message)
    return content


@lru_cache(maxsize=MAX_SURROGATES)
def _surrogate(bundle: ModelBundle, applicant: int) -> Surrogate:
    return bundle.surrogate(bundle.dataset.present.X[applicant])


def _edits(content: object) -> tuple[FeatureRule, ...]:
    if not isinstance(content, list):
        message = f"edits must be a list, got {type(content).__name__}"
        raise InvalidInput(message)
    rules = []
    for entry in content:
        if not isinstance(entry, dict) or not isinstance(entry.get("feature"), str):
            message = f"Each edit must be an object that names a feature, got {brief(entry)}"
            raise InvalidInput(message)
        _check_keys("An edit", entry, [field.name for field in fields(FeatureRule)])
        rules.append(FeatureRule(**{"move": "both", **entry}))
    return tuple(rules)


def _check_keys(what: str, content: Mapping[str, object], allowed: list[str]) -> None:
    unknown = [key for key in content if key not in allowed]
    if unknown:
        message = f"{what} may hold {', '.join(allowed)}, got {', '.join(map(brief, unknown[:5]))}"
        raise UnknownName(message)


def _number(name: str, value: Any, strict: bool = False) -> float:
    if isinstance(value, bool | str):
        message = f"{name} must be a number, got {brief(value)}"
        raise InvalidInput(message)
    return checked_number(name, value, low=0.0, strict=strict)


def _whole_number(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        message = f"{name} must be a whole number from {low} to {high}, got {brief(value)}"
        raise InvalidInput(message)
