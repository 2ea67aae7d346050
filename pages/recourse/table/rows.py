"""The rows of the table as plain data for the browser. Pure functions, no page."""

from typing import Any

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.data.actionability import FeatureRule, edited_rules, preset_rules
from dirrac_core.data.schema.feature import Feature, Value
from dirrac_core.recourse.room import Room
from pages.shared import wording

PROTECTED = "A protected attribute: never a reason to change anything."


def table_rows(
    case: Case, plan: Array | None, x: Array, tried: set[str], room: Room | None
) -> list[dict[str, Any]]:
    """One row per feature: where it is, where the plan puts it, what is tried, and its rule.

    `x` is the version on the screen. What the preset leaves open comes first, so that a row keeps
    its place while it is edited.
    """
    scenario, schema = case.scenario, case.dataset.schema
    usual = preset_rules(case.dataset, scenario.preset)
    rules = edited_rules(case.dataset, scenario.preset, scenario.edits)
    reasons = case.dataset.reasons(scenario.preset)
    now, shown = schema.decode(case.x0), schema.decode(x)
    planned = now if plan is None else schema.decode(plan)
    moved = {change.feature for change in schema.describe_change(case.x0, x)}
    space = {} if room is None else {each.feature: each for each in room.intervals}
    ordered = sorted(schema.features, key=lambda f: usual[f.name].move == "no")
    rows = []
    for feature in ordered:
        name, rule = feature.name, rules[feature.name]
        said = PROTECTED if feature.protected else reasons.get(name, "")
        rows.append(
            {
                "name": name,
                "label": wording.feature_label(feature),
                "help": " ".join(part for part in (feature.explanation, said) if part),
                "protected": feature.protected,
                "now": feature.number(now[name]),
                "changed": name in moved,
                "tried": name in tried,
                "edited": rule != usual[name],
                "move": rule.move,
                "moves": _moves(feature),
                "effort": rule.effort,
                **_values(feature, rule, now[name], planned[name], shown[name]),
                "room": _room(feature, space.get(name)),
            }
        )
    return rows


def derived_rows(case: Case, x: Array) -> list[dict[str, str]]:
    """Quantities that follow from the features, such as an instalment, now and then."""
    rows = []
    for value in case.dataset.schema.describe_derived(case.x0, x):
        before, after = (
            "–" if number is None else f"{number:,.0f} {value.unit}".strip()
            for number in (value.before, value.after)
        )
        rows.append({"name": value.name, "now": before, "then": after})
    return rows


def _moves(feature: Feature) -> list[str]:
    """Up and down exist for what has an order."""
    return [m for m in wording.MOVES if feature.kind != "unordered" or m in ("no", "both")]


def _values(
    feature: Feature, rule: FeatureRule, now: Value, plan: Value, shown: Value
) -> dict[str, Any]:
    if feature.is_categorical:
        return {"categories": list(feature.categories), "value": shown, "plan": plan, "at": now}
    least = feature.low if rule.low is None else rule.low
    most = feature.high if rule.high is None else rule.high
    here = (float(now), float(plan), float(shown), least, most)
    far_low, far_high = feature.extremes
    return {
        # The usual range, stretched to whatever lies beyond it.
        "low": min(feature.low, *here),
        "high": max(feature.high, *here),
        "farthest": [far_low, far_high],
        # The finest unit shown, so that every plan can be reached by hand.
        "step": 10.0**-feature.decimals,
        "least": least,
        "most": most,
        "value": shown,
        "plan": plan,
        "at": now,
        "unit": feature.unit,
    }


def _room(feature: Feature, interval: Any) -> dict[str, Any] | None:
    """Where the promise stays much the same."""
    if interval is None:
        return None
    ends = " to ".join(feature.number(end) for end in (interval.low, interval.high))
    return {"low": interval.low, "high": interval.high, "words": f"{ends} {feature.unit}".strip()}
