"""Every setting of one question, without the applicant."""

from dataclasses import KW_ONLY, dataclass
from typing import Any

from dirrac_core.arrays import brief, checked_choice, checked_number, checked_whole_number
from dirrac_core.data import checked_dataset_name
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.data.plausibility import checked_share
from dirrac_core.data.schema.plan_rules import PlanRule
from dirrac_core.errors import InvalidInput
from dirrac_core.models.bundle import MODELS
from dirrac_core.models.cut_off import PROBABILITY, CutOff
from dirrac_core.models.estimate import MAX_COMPONENTS, Components
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.models.futures.history import History
from dirrac_core.models.futures.shift import Shift
from dirrac_core.recourse import SOLVERS
from dirrac_core.recourse.kinds.alternatives import PLAN_KINDS, SAFEST
from dirrac_core.robustness import DIVERGENCES, LINKS, METRICS, WeightBall, Weighting

BALL = "ball"
WEIGHTINGS = ("nominal", BALL, "worst-component")
COSTS = ("l1", "l2")
CATEGORIES = ("whole", "relaxed")
FUTURES = ("paper", "sampling", "history", "stress")
STORIED = ("history", "stress")
MAX_SEED = 2**31 - 1


@dataclass(frozen=True)
class Settings:
    """Everything that decides plans but the applicant; equal settings give equal plans.

    `components` is K, "auto" (the elbow) or "bic"; one for a non-linear model, whose surrogate has
    a single component. `radii` is one ρ or a tuple ρ_1 … ρ_K, in the unit `radius_unit`, which is
    also that of declared shifts: model "weights", the paper's ball, or "deviations" of a
    re-training. `weighting` is "nominal", "worst-component" or "ball", the latter with `divergence`
    and `weight_radius`. `edits` replace the preset's rules of single features. `shifts`, when there
    are any, declare the mixture and its radii: one component per shift, in the place of
    `components` and `radii`.

    `futures` says which models may come. "paper": other 80 % draws of the present people, judged by
    models of 20 % of the shifted people. "sampling": luck at a declared `training_size` (None:
    today's). "history": the same luck, and each past change once more, by `history_windows`,
    `history_base`, `history_weighting` and `history_strength` (see `History`). "stress": the same
    luck and the standard stress set. `shifts` come in addition to the last two.

    With `domain_rules` the preset's rules of the domain are in force; `rules` replace those of the
    same name or are added to them. `plausibility` is the share of real people who may be more
    unusual than a plan (None: no such limit); with `widen` that limit and the rules that yield give
    way, all by the least factor, where no plan within them has a worst case of at most 1 in 20
    (see `widening`). `plan_kind` is which plan of the menu to take,
    `level` the worst case a plan other than the safest may have at most (None: a little above the
    safest). With the kind "at most" that level is the question and no budget limits the effort
    (None: 1 in 10).

    `cut_off` is what a person needs to be accepted, now and by later models: a probability, a
    score in log-odds or today's share of approvals, by `cut_off_kind` (see `CutOff`). With
    `without_protected` no model sees a protected attribute.
    """

    dataset: str
    _: KW_ONLY
    model: str = "logistic"
    components: Components = "auto"
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
    shifts: tuple[Shift, ...] = ()
    radius_unit: str = "weights"
    futures: str = "paper"
    training_size: int | None = None
    history_windows: int = History.windows
    history_base: str = History.base
    history_weighting: str = History.weighting
    history_strength: float = History.strength
    plausibility: float | None = None
    domain_rules: bool = False
    rules: tuple[PlanRule, ...] = ()
    plan_kind: str = SAFEST
    level: float | None = None
    cut_off: float = 0.5
    cut_off_kind: str = PROBABILITY
    without_protected: bool = False
    widen: bool = False

    def __post_init__(self) -> None:
        checked_dataset_name(self.dataset)
        checked_choice("The model", self.model, MODELS)
        if not isinstance(self.components, str) or self.components not in ("auto", "bic"):
            checked_whole_number("components", self.components, 1, MAX_COMPONENTS)
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
        checked_choice("The unit of the radius", self.radius_unit, METRICS)
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
        checked_whole_number("seed", self.seed, 0, MAX_SEED)
        for name, kind in (("edits", FeatureRule), ("shifts", Shift)):
            listed = getattr(self, name)
            if not isinstance(listed, tuple | list) or not all(
                isinstance(entry, kind) for entry in listed
            ):
                message = f"{name} must be a tuple of {kind.__name__}, got {brief(listed)}"
                raise InvalidInput(message)
        named = [edit.feature for edit in self.edits]
        if len(set(named)) != len(named):
            message = f"Each feature may be edited once, got {', '.join(named)}"
            raise InvalidInput(message)
        object.__setattr__(self, "edits", tuple(sorted(self.edits, key=lambda e: e.feature)))
        if len(self.shifts) > MAX_COMPONENTS:
            message = f"At most {MAX_COMPONENTS} shifts may be declared, got {len(self.shifts)}"
            raise InvalidInput(message)
        if self.shifts and self.model == "mlp":
            message = f"Declared shifts re-train the logistic model, got the model {self.model!r}"
            raise InvalidInput(message)
        checked_choice("The futures", self.futures, FUTURES)
        moved = {"logistic": STORIED, "trees": ("stress",), "mlp": ()}[self.model]
        if self.futures in STORIED and self.futures not in moved:
            message = (
                f"The futures {self.futures!r} re-train the logistic model, "
                f"got the model {self.model!r}"
            )
            raise InvalidInput(message)
        Bootstrap(self.training_size)
        object.__setattr__(self, "history_strength", self.history.strength)
        if self.plausibility is not None:
            number = _number("plausibility", self.plausibility, strict=True)
            object.__setattr__(self, "plausibility", checked_share(number))
        if not isinstance(self.domain_rules, bool):
            message = f"domain_rules must be true or false, got {brief(self.domain_rules)}"
            raise InvalidInput(message)
        if not isinstance(self.rules, tuple | list) or not all(
            isinstance(rule, PlanRule) for rule in self.rules
        ):
            raise InvalidInput(f"rules must be a list of rules, got {brief(self.rules)}")
        called = [rule.name for rule in self.rules]
        if len(set(called)) != len(called):
            message = f"Each rule needs a name of its own, got {', '.join(called)}"
            raise InvalidInput(message)
        checked_choice("The kind of plan", self.plan_kind, PLAN_KINDS)
        if self.level is not None:
            level = _number("level", self.level, strict=True)
            if level > 1.0:
                message = f"The level must be a probability of at most 1, got {level:g}"
                raise InvalidInput(message)
            object.__setattr__(self, "level", level)
        object.__setattr__(self, "cut_off", self.decision.value)
        for name in ("without_protected", "widen"):
            if not isinstance(getattr(self, name), bool):
                message = f"{name} must be true or false, got {brief(getattr(self, name))}"
                raise InvalidInput(message)
        if self.widen and self.model != "logistic":
            message = (
                "Limits are widened for the logistic model, whose futures are known before the "
                f"applicant, got the model {self.model!r}"
            )
            raise InvalidInput(message)
        if self.without_protected and self.model != "logistic":
            message = (
                "Without protected attributes the logistic model is trained, "
                f"got the model {self.model!r}"
            )
            raise InvalidInput(message)

    @property
    def decision(self) -> CutOff:
        """Where decisions are cut, today and later."""
        return CutOff(self.cut_off, self.cut_off_kind)

    @property
    def history(self) -> History:
        """How the past is replayed when the futures are "history"."""
        return History(
            self.history_windows,
            self.history_base,
            self.history_weighting,
            self.history_strength,
        )

    @property
    def weighting_choice(self) -> str | Weighting:
        """The weighting as the core takes it."""
        if self.weighting == BALL:
            return WeightBall(self.divergence, self.weight_radius)
        return self.weighting


def _number(name: str, value: Any, strict: bool = False) -> float:
    if isinstance(value, bool | str):
        message = f"{name} must be a number, got {brief(value)}"
        raise InvalidInput(message)
    return checked_number(name, value, low=0.0, strict=strict)
