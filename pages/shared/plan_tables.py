"""A plan as tables: every feature before and after, who declines it, and its checklist."""

from collections.abc import Iterable

import pandas as pd

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.case.facts import Facts
from dirrac_core.data import Dataset
from dirrac_core.data.schema.derived import DerivedValue
from dirrac_core.data.schema.feature import Feature, Value
from dirrac_core.data.schema.plausible_set import LIKE_REAL_PEOPLE
from dirrac_core.figures.drawing.palette import component_name
from dirrac_core.recourse import Recourse, assess
from dirrac_core.wording import in_100
from pages.shared.promise import is_useful
from pages.shared.wording import counted_word

HOLDS = "✓ yes"
# Names of checks in the core → what they mean to a reader. The constant is an inner matter.
CHECKS = {
    "locked": "What may not change stays as it is",
    "only up": "What may only rise does not fall",
    "only down": "What may only fall does not rise",
    "range": "Every value stays in its range",
    "one category": "Each category is one of the known ones",
    "whole category": "No category is a mixture",
    "rule": "The rules between features hold",
    "today's model": "Today's model accepts it",
    "validity": "Every average future model within ρ accepts it",
    LIKE_REAL_PEOPLE: "It is like real people who were accepted",
    "budget": "The effort stays within the budget",
}
_INNER = "constant"


def before_after(dataset: Dataset, x0: Array, x: Array) -> pd.DataFrame:
    """Every feature now and in the plan, in real units; the changed ones first, then quantities
    that follow from them."""
    schema = dataset.schema
    now, then = schema.decode(x0), schema.decode(x)
    changed = {change.feature for change in schema.describe_change(x0, x)}
    rows = [
        {
            "Feature": feature.name,
            "Now": feature.format_value(now[feature.name]),
            "Plan": feature.format_value(then[feature.name]) if feature.name in changed else "same",
            "Change": _difference(feature, now[feature.name], then[feature.name])
            if feature.name in changed
            else "",
        }
        for feature in sorted(schema.features, key=lambda f: f.name not in changed)
    ]
    derived = [_derived_row(value) for value in schema.describe_derived(x0, x)]
    table = pd.DataFrame(rows[: len(changed)] + derived + rows[len(changed) :])
    return table.set_index("Feature")


def _derived_row(value: DerivedValue) -> dict[str, str]:
    """A quantity that follows from the features, such as an instalment."""
    before, after = value.before, value.after
    change = ""
    if before is not None and after is not None and round(before) != round(after):
        change = f"{'+' if after > before else '−'}{_whole(abs(after - before), value.unit)}"
    return {
        "Feature": value.name,
        "Now": _whole(before, value.unit),
        "Plan": _whole(after, value.unit),
        "Change": change,
    }


def _whole(value: float | None, unit: str) -> str:
    return "–" if value is None else f"{value:,.0f} {unit}".strip()


def beside_real_people(case: Case, x: Array, rows: Iterable[int]) -> pd.DataFrame:
    """A plan beside real people, feature by feature in real units."""
    schema, people = case.dataset.schema, case.dataset.present.X
    columns = {
        "Plan": schema.decode(x),
        **{f"Row {row}": schema.decode(people[row]) for row in rows},
    }
    shown = {
        title: {f.name: f.format_value(values[f.name]) for f in schema.features}
        for title, values in columns.items()
    }
    return pd.DataFrame(shown).rename_axis("Feature")


def _difference(feature: Feature, now: Value, then: Value) -> str:
    if isinstance(now, str) or isinstance(then, str):
        return "new category"
    sign = "+" if then > now else "−"
    return f"{sign}{feature.format_value(abs(then - now))}"


def declining_models(case: Case, facts: Facts, components: Array | None = None) -> pd.DataFrame:
    """The three kinds of facts about a point, and each component's part when there are several."""
    void = facts.promise is None or not facts.accepted_today
    bounds = {"Worst case": facts.guarantee, "Assumption: if Gaussian": facts.if_gaussian}
    counted = counted_word(case.bundle.future)
    rows = {
        **{name: "no promise" if void else _bound(value) for name, value in bounds.items()},
        f"{counted}: counted": f"{facts.declined} of {len(facts.observed)}",
    }
    if components is not None and len(components) > 1:
        for k, probability in enumerate(components):
            name = component_name(k, case.component_names)
            rows[f"{name} alone"] = f"at most {in_100(probability)} of 100"
    return pd.DataFrame({"Declining models": rows})


def _bound(probability: float) -> str:
    words = f"at most {in_100(probability)} of 100"
    return words if is_useful(probability) else f"{words}: no useful promise"


def checklist(case: Case, plan: Recourse) -> pd.DataFrame:
    """One row per kind of condition: whether it holds and how many checks stand behind it."""
    assert plan.checks is not None and plan.x is not None
    rows = []
    # Rules of the domain have names of their own.
    named = dict.fromkeys(check.name for check in plan.checks.checks if check.name != _INNER)
    rules = {name: f"The rule “{name}” holds" for name in named if name not in CHECKS}
    for name, words in (CHECKS | rules).items():
        checks = [check for check in plan.checks.checks if check.name == name]
        if checks:
            broken = [check for check in checks if not check.ok]
            rows.append(_row(words, not broken, f"{len(checks)} checked"))
    for rule in case.dataset.schema.check_rules(plan.x):
        rows.append(_row(rule.sentence.rstrip("."), rule.holds, ""))
    if case.problem.current_model is None:
        rows.append(_row("Today's model accepts it", case.accepted_today(plan.x), "1 checked"))
    return pd.DataFrame(rows).set_index("Condition")


def broken_checks(case: Case, x: Array) -> list[str]:
    """The conditions a point breaks, each as it reads in the middle of a sentence."""
    table = checklist(case, assess(case.problem, x))
    broken = [str(words) for words, holds in table["Holds"].items() if holds != HOLDS]
    return [f"“{words[:1].lower()}{words[1:]}”" for words in broken]


def _row(condition: str, holds: bool, checks: str) -> dict[str, str]:
    return {"Condition": condition, "Holds": HOLDS if holds else "✗ no", "": checks}
