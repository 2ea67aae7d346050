"""The plan as a letter: greeting, decision, reasons, plan, promise, next steps, and an annex.

Every sentence stands in `letter.html.j2`; this module only prepares the values it shows.
"""

import datetime
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case, Solution
from dirrac_core.case.facts import Facts
from dirrac_core.case.likeness import widened_words
from dirrac_core.case.realism import rules_in_force
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.data import Dataset
from dirrac_core.data.nearest import nearest_people
from dirrac_core.data.schema.plan_rules import SumRule, without_limits
from dirrac_core.data.schema.schema import Schema
from dirrac_core.errors import InvalidInput
from dirrac_core.models.reasons import main_reasons
from dirrac_core.models.training import ModelBundle
from dirrac_core.recourse.room import Room
from dirrac_core.wording import at_most, joined, no_fewer, out_of

TEMPLATE = "letter.html.j2"


@dataclass(frozen=True)
class LetterRow:
    """One changed feature: what it is now, in the plan, and how far it may move."""

    feature: str
    now: str
    plan: str
    room: str = ""


def letter(
    solution: Solution,
    facts: Facts,
    link: str,
    today: datetime.date,
    room: Room | None = None,
    horizon: str = "",
    promise_word: str = "Worst case",
    record: str = "",
) -> str:
    """A one-page letter in HTML without any outside resource; every text is escaped.

    `room` is the room around the plan and `horizon` a sentence on how far the evidence reaches.
    `promise_word` is what the promise may be called after its record, `record` the sentence on
    that. Where today's model declines the plan, no number of a promise is printed.
    """
    if solution.plan.x is None:
        message = "A letter needs a plan, got a solution without one"
        raise InvalidInput(message)
    values = {**_plan_values(solution, room), **_promise_values(solution, facts)}
    case = solution.case
    return template().render(
        **values,
        **heading(case.scenario, case.bundle, case.x0, today),
        reasons=[reason.sentence for reason in _reasons(case)],
        link=link,
        horizon=horizon,
        promise_word=promise_word,
        record=record,
    )


@cache
def template(name: str = TEMPLATE) -> jinja2.Template:
    """A letter's template; every value it is given is escaped."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=False,
    )
    return environment.get_template(name)


def heading(
    scenario: Scenario, bundle: ModelBundle, x0: Array, today: datetime.date
) -> dict[str, Any]:
    """Who is written to, what was decided, and the models that judge later."""
    dataset, current, person = bundle.dataset, bundle.current, x0[None, :-1]
    return {
        "title": "What would change the decision",
        "applicant": f"Applicant {scenario.applicant}",
        "dataset": dataset.title,
        "day": f"{today:%d %B %Y}",
        "accepted": bool(current.decision(person)[0]),
        "favourable": dataset.favourable,
        "chance": out_of(float(current.probability(person)[0])),
        "needed": out_of(bundle.needed),
        "source": bundle.future.source,
        "simulated": bundle.future.simulated,
    }


def shown_changes(schema: Schema, x0: Array, x: Array, room: Room | None) -> dict[str, Any]:
    """The plan in one sentence and feature by feature, with what follows from it."""
    intervals = {} if room is None else {each.feature: each for each in room.intervals}
    rows = []
    for change in schema.describe_change(x0, x):
        now, then = (schema.format_value(change.feature, v) for v in (change.before, change.after))
        interval = intervals.get(change.feature)
        said = "" if interval is None else interval.sentence.removeprefix(f"{change.feature}: ")
        rows.append(LetterRow(change.feature, now, then, said))
    derived = [
        LetterRow(value.name, _shown(value.before, value.unit), _shown(value.after, value.unit))
        for value in schema.describe_derived(x0, x)
    ]
    return {
        "sentence": schema.sentence(x0, x),
        "rows": rows,
        "derived": [{"name": row.feature, "now": row.now, "plan": row.plan} for row in derived],
        "room": bool(intervals),
        "room_promise": "" if room is None or room.is_point else at_most(room.level),
    }


def _plan_values(solution: Solution, room: Room | None) -> dict[str, Any]:
    case, plan = solution.case, solution.plan
    assert plan.x is not None
    return {
        **shown_changes(case.dataset.schema, case.x0, plan.x, room),
        "neighbours": joined([str(each.row) for each in nearest_people(case.dataset, plan.x)]),
        "effort": amount(plan.cost),
        "budget": amount(plan.delta),
        "delta_min": amount(plan.delta_min),
        "lower_bound": no_fewer(plan.lower_bound),
    }


def _promise_values(solution: Solution, facts: Facts) -> dict[str, Any]:
    case, scenario = solution.case, solution.case.scenario
    radii = sorted({float(radius) for radius in case.problem.radii})
    share, plan = scenario.plausibility, solution.plan
    assert plan.x is not None
    widened = widened_words(case, plan.x)
    return {
        "guarantee": at_most(facts.guarantee),
        "gaussian": at_most(facts.if_gaussian),
        "no_useful_promise": facts.guarantee > 0.5,
        "declined": facts.declined,
        "observed": len(facts.observed),
        "cut_off": scenario.decision.words(case.bundle.threshold),
        "beyond": facts.declined > facts.guarantee * len(facts.observed),
        "promised": facts.accepted_today,
        "rho": f"{radii[0]:g}" if len(radii) == 1 else f"{radii[0]:g} to {radii[-1]:g}",
        "in_deviations": case.problem.doubt.in_deviations,
        "components": case.problem.mixture.components,
        "shifts": "" if case.declared is None else joined(list(case.declared.labels)),
        "weighting": scenario.weighting,
        "weight_radius": f"{scenario.weight_radius:g}",
        "divergence": scenario.divergence,
        "surrogate": case.surrogate is not None,
        "gaussian_link": scenario.link == "gaussian",
        "plausibility": "" if share is None or widened else f"1 in {1 / share:g}",
        "widened": widened,
        "rules": reasons_of_rules(case.dataset, scenario, bool(widened)),
    }


def reasons_of_rules(
    dataset: Dataset, settings: Settings, widened: bool = False
) -> tuple[str, ...]:
    """Why the rules in force are there, each reason once; `widened` limits leave out those that
    gave way."""
    return tuple(
        dict.fromkeys(
            rule.reason
            for rule in rules_in_force(dataset, settings)
            if rule.reason and rule != without_limits(rule)
            if not (widened and isinstance(rule, SumRule) and rule.yields)
        )
    )


def _reasons(case: Case) -> tuple[Any, ...]:
    today = case.problem.current_model
    theta = case.problem.mixture.means[0] if today is None else today
    return main_reasons(theta, case.x0, case.dataset.present, case.dataset.schema, limit=3)


def amount(cost: float) -> str:
    """An effort with at most three decimals."""
    return f"{cost:.3f}".rstrip("0").rstrip(".")


def _shown(value: float | None, unit: str) -> str:
    return "–" if value is None else f"{value:,.0f} {unit}".strip()
