"""Rules of the domain: what makes a plan sensible, as data in real units, each with its reason.

Every rule has a name. A rule of the same name takes its place, and a rule without limits
restricts nothing; so editing and dropping a rule are the same thing.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any

from dirrac_core.arrays import brief, checked_number
from dirrac_core.errors import InvalidActions, UnknownName


@dataclass(frozen=True)
class RatioRule:
    """least · bottom ≤ top ≤ most · bottom: a ratio of two features, such as an instalment."""

    name: str
    top: str
    bottom: str
    least: float | None = None
    most: float | None = None
    reason: str = ""
    kind: str = field(default="ratio", init=False)

    def __post_init__(self) -> None:
        _check_limits(self)

    @property
    def features(self) -> tuple[str, ...]:
        """The features it is about."""
        return (self.top, self.bottom)


@dataclass(frozen=True)
class SumRule:
    """least ≤ Σ coefficient · feature ≤ most; limits on one feature reach to the own value.

    A rule that `yields` describes what is usual: its `most` is widened with likeness to real
    people where no usual plan promises enough.
    """

    name: str
    terms: tuple[tuple[str, float], ...]
    least: float | None = None
    most: float | None = None
    reason: str = ""
    yields: bool = False
    kind: str = field(default="sum", init=False)

    def __post_init__(self) -> None:
        _check_limits(self)
        try:
            terms = tuple((str(name), float(number)) for name, number in self.terms)
        except (TypeError, ValueError):
            message = (
                f"The terms of {self.name!r} must be pairs (feature, number), got {self.terms!r}"
            )
            raise InvalidActions(message) from None
        if not terms:
            message = f"The rule {self.name!r} needs at least one term, got none"
            raise InvalidActions(message)
        for name, number in terms:
            checked_number(f"The coefficient of {name!r}", number, error=InvalidActions)
        object.__setattr__(self, "terms", terms)
        if not isinstance(self.yields, bool):
            message = f"Whether {self.name!r} yields must be true or false, got {self.yields!r}"
            raise InvalidActions(message)

    @property
    def features(self) -> tuple[str, ...]:
        """The features it is about."""
        return tuple(name for name, _ in self.terms)


@dataclass(frozen=True)
class ShareRule:
    """least · own ≤ feature ≤ most · own, where own is the applicant's value today."""

    name: str
    feature: str
    least: float | None = None
    most: float | None = None
    reason: str = ""
    kind: str = field(default="share", init=False)

    def __post_init__(self) -> None:
        _check_limits(self)
        if (self.least or 0.0) < 0.0 or (self.least or 0.0) > 1.0 or (self.most or 1.0) < 1.0:
            message = (
                f"The share {self.name!r} needs 0 ≤ least ≤ 1 ≤ most, "
                f"got {self.least} and {self.most}"
            )
            raise InvalidActions(message)

    @property
    def features(self) -> tuple[str, ...]:
        """The features it is about."""
        return (self.feature,)


@dataclass(frozen=True)
class StepRule:
    """own − least ≤ feature ≤ own + most: how far a number may move from today's value."""

    name: str
    feature: str
    least: float | None = None
    most: float | None = None
    reason: str = ""
    kind: str = field(default="step", init=False)

    def __post_init__(self) -> None:
        for end in ("least", "most"):
            value = getattr(self, end)
            if value is not None:
                name = f"The step of {self.name!r}"
                number = checked_number(name, value, low=0.0, error=InvalidActions)
                object.__setattr__(self, end, number)

    @property
    def features(self) -> tuple[str, ...]:
        """The features it is about."""
        return (self.feature,)


@dataclass(frozen=True)
class ClosedRule:
    """No move into these categories of a feature; who is in one may stay."""

    name: str
    feature: str
    categories: tuple[str, ...] = ()
    reason: str = ""
    kind: str = field(default="closed", init=False)

    def __post_init__(self) -> None:
        listed = self.categories
        fits = isinstance(listed, tuple | list) and all(isinstance(name, str) for name in listed)
        if not fits:
            message = f"The closed categories of {self.name!r} must be names, got {listed!r}"
            raise InvalidActions(message)
        object.__setattr__(self, "categories", tuple(listed))

    @property
    def features(self) -> tuple[str, ...]:
        """The features it is about."""
        return (self.feature,)


PlanRule = RatioRule | SumRule | ShareRule | StepRule | ClosedRule
KINDS: dict[str, type[PlanRule]] = {
    "ratio": RatioRule,
    "sum": SumRule,
    "share": ShareRule,
    "step": StepRule,
    "closed": ClosedRule,
}


def read_plan_rule(content: object) -> PlanRule:
    """A rule from a JSON object, as `dataclasses.asdict` writes it; the rest is checked."""
    if not isinstance(content, dict) or content.get("kind") not in KINDS:
        message = (
            f"Each rule must be an object with a kind of {', '.join(KINDS)}, got {brief(content)}"
        )
        raise InvalidActions(message)
    given: dict[str, Any] = dict(content)
    rule = KINDS[given.pop("kind")]
    known = [f.name for f in fields(rule) if f.init]
    unknown = [key for key in given if key not in known]
    if unknown:
        message = f"A rule may hold {', '.join(known)}, got {', '.join(map(brief, unknown[:5]))}"
        raise UnknownName(message)
    needed = [name for name in ("name", "feature", "top", "bottom", "terms") if name in known]
    missing = [name for name in needed if name not in given]
    if missing:
        message = f"A {content['kind']} rule needs {' and '.join(missing)}, got {brief(content)}"
        raise InvalidActions(message)
    texts = [name for name in ("name", "feature", "top", "bottom", "reason") if name in given]
    if not all(isinstance(given[name], str) for name in texts):
        message = f"The names in a rule must be texts, got {brief(content)}"
        raise InvalidActions(message)
    for name in ("terms", "categories"):
        if isinstance(given.get(name), list):
            given[name] = tuple(tuple(e) if isinstance(e, list) else e for e in given[name])
    return rule(**given)


def with_edits(rules: Iterable[PlanRule], edits: Iterable[PlanRule]) -> tuple[PlanRule, ...]:
    """The rules, each edit in the place of the rule of its name, or added at the end."""
    chosen = {rule.name: rule for rule in rules}
    chosen.update({edit.name: edit for edit in edits})
    return tuple(chosen.values())


def without_limits(rule: PlanRule) -> PlanRule:
    """The same rule, restricting nothing: what dropping it means."""
    if isinstance(rule, ClosedRule):
        return replace(rule, categories=())
    return replace(rule, least=None, most=None)


def _check_limits(rule: RatioRule | SumRule | ShareRule) -> None:
    for end in ("least", "most"):
        value = getattr(rule, end)
        if value is not None:
            number = checked_number(f"The {end} of {rule.name!r}", value, error=InvalidActions)
            object.__setattr__(rule, end, number)
    if rule.least is not None and rule.most is not None and rule.least > rule.most:
        message = f"{rule.name!r} needs least ≤ most, got {rule.least:g} and {rule.most:g}"
        raise InvalidActions(message)
