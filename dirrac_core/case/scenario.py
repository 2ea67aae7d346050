"""A scenario: settings and one applicant, as a file that gives the same plan anywhere."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from dirrac_core.arrays import brief, checked_instance, checked_whole_number
from dirrac_core.case.settings import MAX_SEED, Settings
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.data.schema.plan_rules import read_plan_rule
from dirrac_core.errors import InvalidInput, UnknownName
from dirrac_core.models.futures.shift import read_shift

VERSION = 1


@dataclass(frozen=True)
class Scenario(Settings):
    """Settings and the applicant, a row among the present people: all that decides one plan."""

    applicant: int

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_whole_number("applicant", self.applicant, 0, MAX_SEED)

    @classmethod
    def of(cls, settings: Settings, applicant: int) -> "Scenario":
        """These settings, for this applicant."""
        return cls(**_settings_in(settings), applicant=applicant)

    @property
    def settings(self) -> Settings:
        """The same settings, for anyone."""
        return Settings(**_settings_in(self))

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
        # What an export says about the scenario decides nothing.
        for result in ("answer", "horizon"):
            content.pop(result, None)
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
        rules = content.get("rules", [])
        if not isinstance(rules, list):
            message = f"rules must be a list, got {type(rules).__name__}"
            raise InvalidInput(message)
        content["rules"] = tuple(read_plan_rule(rule) for rule in rules)
        return cls(**content)


def _settings_in(settings: Settings) -> dict[str, Any]:
    return {field.name: getattr(settings, field.name) for field in fields(Settings)}


# Settings of the futures and of what a plan promises; each goes back to its default.
_OF_FUTURES = (
    *("components", "link", "radii", "radius_unit", "shifts"),
    *("weighting", "divergence", "weight_radius"),
    *("history_windows", "history_base", "history_weighting", "history_strength"),
)
_OF_THE_QUESTION = ("delta_add", "cost", "solver", "gap", "plan_kind", "level")


def without_futures(scenario: Scenario) -> Scenario:
    """The settings a plan depends on that is made without knowing any future model.

    What may be changed and what today's model decides stay; so does how later models are trained,
    because they judge the plan. Where limits give way (`widen`) they do so for the sake of the
    promise, so there the futures stay as well.
    """
    forgotten = _OF_THE_QUESTION if scenario.widen else (*_OF_THE_QUESTION, *_OF_FUTURES)
    usual: dict[str, Any] = {field.name: field.default for field in fields(Settings)}
    futures = scenario.futures
    if not scenario.widen and futures != "paper":
        futures = "sampling"
    return replace(scenario, futures=futures, **{name: usual[name] for name in forgotten})


def read_json(text: str) -> dict[str, Any]:
    """A JSON object from text; anything else is refused with the place of the problem."""
    checked_instance("A scenario", text, str)
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
