"""The parameters of a link, one by one: how a setting is written in the address and read back."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import quote, unquote

from dirrac_core.arrays import checked_choice
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.data.schema.plan_rules import PlanRule, read_plan_rule
from dirrac_core.errors import InvalidInput

# A training size that is today's, whatever that is.
TODAY = "today"
# A limit that does not apply, and the two ends of a switch.
ON, OFF = "on", "off"


@dataclass(frozen=True)
class Parameter:
    """One parameter of a link: its name there, the scenario's field, and how it is read."""

    name: str
    field: str
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str


def _read_radii(text: str) -> float | tuple[float, ...]:
    parts = [float(part) for part in text.split("_")]
    return parts[0] if len(parts) == 1 else tuple(parts)


def _write_radii(radii: float | tuple[float, ...]) -> str:
    listed = radii if isinstance(radii, tuple) else (radii,)
    return "_".join(short_number(radius) for radius in listed)


def _read_components(text: str) -> int | str:
    return text if text in ("auto", "bic") else int(text)


def _read_size(text: str) -> int | None:
    return None if text == TODAY else int(text)


def _write_size(size: int | None) -> str:
    return TODAY if size is None else str(size)


def _read_limit(text: str) -> float | None:
    return None if text == OFF else float(text)


def _write_limit(limit: float | None) -> str:
    return OFF if limit is None else short_number(limit)


def _read_switch(text: str) -> bool:
    return checked_choice("A switch", text, (ON, OFF)) == ON


def _write_switch(on: bool) -> str:
    return ON if on else OFF


def _read_rules(text: str) -> tuple[PlanRule, ...]:
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError):
        listed = None
    if not isinstance(listed, list):
        message = "a list of rules in JSON is needed"
        raise InvalidInput(message)
    return tuple(read_plan_rule(each) for each in listed)


def _write_rules(rules: tuple[PlanRule, ...]) -> str:
    # What is left out takes its default: no limit, no reason.
    said = [{k: v for k, v in asdict(rule).items() if v not in (None, "", ())} for rule in rules]
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def short_number(number: float) -> str:
    """The shortest text that reads back as the same number."""
    text = repr(float(number))
    return text.removesuffix(".0")


# In the order they are read: ρ comes after what decides its unit and the number of components.
PARAMETERS = (
    Parameter("model", "model", str),
    Parameter("futures", "futures", str),
    Parameter("people", "training_size", _read_size, _write_size),
    Parameter("windows", "history_windows", int),
    Parameter("base", "history_base", str),
    Parameter("recency", "history_weighting", str),
    Parameter("strength", "history_strength", float, short_number),
    Parameter("k", "components", _read_components),
    Parameter("assume", "link", str),
    Parameter("unit", "radius_unit", str),
    Parameter("rho", "radii", _read_radii, _write_radii),
    Parameter("add", "delta_add", float, short_number),
    Parameter("norm", "cost", str),
    Parameter("weights", "weighting", str),
    Parameter("divergence", "divergence", str),
    Parameter("eps", "weight_radius", float, short_number),
    Parameter("categories", "categories", str),
    Parameter("preset", "preset", str),
    Parameter("solver", "solver", str),
    Parameter("gap", "gap", float, short_number),
    Parameter("seed", "seed", int),
    Parameter("unusual", "plausibility", _read_limit, _write_limit),
    Parameter("widen", "widen", _read_switch, _write_switch),
    Parameter("rules", "domain_rules", _read_switch, _write_switch),
    Parameter("edited", "rules", _read_rules, _write_rules),
    Parameter("plan", "plan_kind", str),
    Parameter("level", "level", _read_limit, _write_limit),
    Parameter("cut_by", "cut_off_kind", str),
    Parameter("cut", "cut_off", float, short_number),
    Parameter("blind", "without_protected", _read_switch, _write_switch),
)
NAMES = ("v", "dataset", "applicant", *(p.name for p in PARAMETERS), "may", "shifts")


def write_edit(rule: FeatureRule) -> str:
    """feature:move:least:most:effort, with trailing parts left out when they say nothing."""
    parts = [
        quote(rule.feature, safe=" "),
        rule.move,
        "" if rule.low is None else short_number(rule.low),
        "" if rule.high is None else short_number(rule.high),
        "" if rule.effort == 1.0 else short_number(rule.effort),
    ]
    return ":".join(parts).rstrip(":")


def read_edit(text: str) -> FeatureRule:
    name, move, low, high, effort = (text.split(":") + [""] * 3)[:5]
    return FeatureRule(
        unquote(name),
        move,
        float(low) if low else None,
        float(high) if high else None,
        float(effort) if effort else 1.0,
    )
