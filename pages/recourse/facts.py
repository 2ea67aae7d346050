"""The facts of what is on the screen, in one unit, beside their baselines and their change."""

import math
from dataclasses import dataclass
from html import escape

import streamlit as st

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.case.facts import Facts
from dirrac_core.case.promise_kind import ASSUMPTION, NO_PROMISE
from dirrac_core.case.scenario import Scenario
from dirrac_core.feasible.checks import TOLERANCE
from dirrac_core.wording import in_100, joined
from pages.recourse.shown import Shown
from pages.shared import computing, wording
from pages.shared.plan_tables import broken_checks
from pages.shared.promise import is_useful, record_of, word_for


@dataclass(frozen=True)
class Fact:
    """One cell of the strip: its label, its number, a line on it, and how it looks."""

    label: str
    number: str
    words: str = ""
    look: str = ""


def show_facts(shown: Shown) -> None:
    """The sentence of what is on the screen, the strip, and what has to be said beside it.

    One element: each of Streamlit's takes the browser one to four milliseconds.
    """
    sentence = shown.case.dataset.schema.sentence(shown.case.x0, shown.x)
    title = f"Your version: {sentence}" if shown.is_own else sentence
    cells = "".join(
        f"<div class='{each.look}'><p class='label'>{escape(each.label)}</p>"
        f"<p>{escape(each.number)}</p><p class='words'>{escape(each.words)}</p></div>"
        for each in strip(shown)
    )
    lines = "".join(f"<p class='note'>{escape(line)}</p>" for line in notes(shown))
    st.html(f"<h3 class='plan'>{escape(title)}</h3><div class='facts'>{cells}</div>{lines}")


def strip(shown: Shown) -> list[Fact]:
    """Worst case, assumption, observation; doing nothing, the plan for today; the record."""
    facts, case = shown.facts, shown.case
    total = len(facts.observed)
    observed = wording.counted_word(case.bundle.future)
    cells = [
        _worst_case(shown),
        _gaussian(facts),
        Fact(observed, f"{facts.declined} of {total}", "decline it"),
        Fact("Do nothing", f"{_declined(case, case.x0)} of {total}", "decline"),
    ]
    today = computing.plan_for_today(shown.scenario)
    if today is not None:
        count = _declined(case, today)
        cells.append(Fact("Cheapest today", f"{count} of {total}", "decline it"))
    cells.append(_effort(shown))
    record = record_of(shown.scenario)
    if record is None:
        cells.append(Fact("Track record", "none", "no past promise checked"))
    else:
        tally = record.tally
        cells.append(Fact("Track record", f"{tally.broken} of {tally.promises}", "promises broken"))
    return cells


def _declined(case: Case, x: Array) -> int:
    """How many of the future models decline x."""
    return int((~case.bundle.future.accepts(x)).sum())


def _worst_case(shown: Shown) -> Fact:
    facts = shown.facts
    look = "promise warn" if is_surprised(facts) else "promise"
    if facts.promise is None:
        return Fact("No promise", "–", "today's own model declines it", "promise warn")
    if not facts.accepted_today:
        return Fact("No promise", "declined today", "today's model declines it", "promise warn")
    label = ASSUMPTION if facts.promise == ASSUMPTION else word_for(shown.scenario)
    now = in_100(facts.guarantee)
    number = f"at most {now} of 100 decline"
    before = shown.before
    was = None
    if before is not None and before.facts.promise is not None and before.facts.accepted_today:
        was = in_100(before.facts.guarantee)
    if is_surprised(facts) and is_useful(facts.guarantee):
        words = f"yet {facts.declined} of {len(facts.observed)} did"
        return Fact("Worst case exceeded", number, _change(words, was, now), look)
    if not is_useful(facts.guarantee):
        words = f"in the worst case {now} of 100 decline"
        return Fact(label, "No useful promise", _change(words, was, now), "promise warn")
    plan = shown.solution.plan
    if shown.is_own and plan.x is not None:
        planned = computing.facts(shown.scenario, tuple(plan.x)).guarantee
        return Fact(label, number, _change(f"the plan: {in_100(planned)}", was, now), look)
    return Fact(label, number, _change("future models within ρ", was, now), look)


def _change(words: str, was: int | None, now: int) -> str:
    return words if was is None or was == now else f"{was} → {now} · {words}"


def _gaussian(facts: Facts) -> Fact:
    if facts.promise is None or not facts.accepted_today:
        return Fact("If Gaussian", "–", "no number here")
    return Fact("If Gaussian", f"{in_100(facts.if_gaussian)} of 100", "decline at most")


def is_surprised(facts: Facts) -> bool:
    """Whether reality was harder than what was declared possible."""
    return facts.promise is not None and facts.declined > facts.guarantee * len(facts.observed)


def _effort(shown: Shown) -> Fact:
    problem = shown.case.problem
    cost = wording.amount(problem.unbounded.cost_of(shown.x))
    if not math.isfinite(problem.feasible_set.delta):
        return Fact("Effort", cost)
    delta = shown.solution.plan.delta
    most = f"δ_min {wording.amount(problem.delta_min)}, at most {wording.amount(delta)}"
    return Fact("Effort", cost, most)


def notes(shown: Shown) -> list[str]:
    """What has to be said beside the numbers, each in a line."""
    case, real = shown.case, shown.solution.plan
    said = []
    if shown.is_own:
        broken = broken_checks(case, shown.x)
        said.append(f"It breaks: {joined(broken)}." if broken else "It keeps every rule.")
    elif not shown.facts.accepted_today:
        said.append(f"{NO_PROMISE} More extra effort (δ_add) may help.")
    if not shown.is_own and not real.rounded:
        said.append(real.rounding_note)
    return [*said, *why_the_same(shown)]


def show_reading(scenario: Scenario) -> None:
    """What the numbers and the marks mean; the cheapest part to draw, so it is the open one."""
    case = computing.case(scenario)
    doubt = ", whatever their distribution" if scenario.link == "chebyshev" else ""
    lines = [
        f"<b>{escape(word_for(scenario))}</b>: of 100 future models within ρ of what was "
        f"declared, at most so many decline{doubt}. Above 50 a coin would do better.",
        "<b>If Gaussian</b>: the same, if the models also scatter like a bell curve.",
        f"<b>{escape(wording.counted_word(case.bundle.future))}</b>: "
        f"{escape(case.bundle.future.source.rstrip('.'))}. A count, no promise.",
        "<b>Do nothing</b> and <b>Cheapest today</b> (the least effort that today's model accepts) "
        "are judged by the same models.",
        "In the table ▲ is where the applicant is, ★ where the plan is, the grey handles are "
        "the limits, and within the green part the promise stays much the same.",
        "The round handle tries a value: the facts and pictures follow, the plan stays.",
        f"{escape(wording.GLOSSARY['effort'])} “How hard” multiplies it.",
        "Dashed bars and “18 → 12” show the state before the last change.",
    ]
    room = computing.room(scenario)
    if room is not None and not room.is_point and is_useful(room.level):
        assumed = ", if Gaussian" if scenario.link == "gaussian" else ""
        lines.append(
            f"Anywhere within the room to move ({escape(room.sentence)}), at most "
            f"{in_100(room.level)} of 100 decline{assumed}."
        )
    st.html(f"<ul class='reading'>{''.join(f'<li>{line}</li>' for line in lines)}</ul>")


def why_the_same(shown: Shown) -> list[str]:
    """Why the last change left the plan as it was; nothing when it did not."""
    before = shown.before
    if before is None or before.scenario == shown.scenario or shown.is_own or before.is_own:
        return []
    if tuple(before.x) != tuple(shown.x):
        return []
    ended = features_at_limit(shown.case, shown.x)
    changed = [c.feature for c in shown.case.dataset.schema.describe_change(shown.case.x0, shown.x)]
    if changed and set(changed) <= set(ended):
        verb = "are both at their limit" if len(changed) == 2 else "are at their limits"
        verb = "is at its limit" if len(changed) == 1 else verb
        return [f"The plan stays the same: {joined(changed)} {verb}."]
    return ["The plan stays the same: nothing else within the budget is better."]


def features_at_limit(case: Case, x: Array) -> list[str]:
    """The changed numbers that can go no further the way they went, and changed categories."""
    schema, bounds = case.dataset.schema, case.problem.unbounded.bounds
    ended = []
    for change in schema.describe_change(case.x0, x):
        if schema.feature(change.feature).is_categorical:
            ended.append(change.feature)
            continue
        (column,) = schema.columns_of(change.feature)
        end = bounds.upper[column] if x[column] > case.x0[column] else bounds.lower[column]
        if abs(x[column] - end) <= TOLERANCE:
            ended.append(change.feature)
    return ended
