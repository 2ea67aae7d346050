"""Why a case has no plan, in terms of what the visitor set, and the ways out worth offering."""

from dataclasses import dataclass, replace

import numpy as np

from dirrac_core.case.case import Case
from dirrac_core.case.facts import problem_with_rule
from dirrac_core.case.realism import allowed_actions
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.schema.plausible_set import LIKE_REAL_PEOPLE
from dirrac_core.feasible import Explanation, Unlock, explain
from dirrac_core.wording import joined

# Positions of the dial to try, strict to loose: 1 in 20, 1 in 50, 1 in 100, 1 in 200.
DIAL = (0.05, 0.02, 0.01, 0.005)


@dataclass(frozen=True)
class OwnRange:
    """A range the visitor set whose widening alone opens a plan.

    `rule` is the edit without the end, or ends, to blame; `words` name them: "your minimum of 40
    months (Duration)". The cheapest plan then costs `delta_min`.
    """

    rule: FeatureRule
    words: str
    delta_min: float


def why_no_plan(case: Case) -> Explanation | None:
    """Why no plan exists at any budget, with the ways out; None when there is one.

    The budget of a scenario follows δ_min, so the budget itself is never to blame: the ways out
    are searched with the largest cost a plan inside the present ranges can have. What the
    dataset's own table calls no plan is not offered as a way out.
    """
    return explain(case.problem.unbounded.with_delta(_largest_cost(case)))


def own_ranges_to_blame(case: Case) -> tuple[OwnRange, ...]:
    """The visitor's own ranges of which any one, widened alone, opens a plan; cheapest first."""
    found = []
    for edit in case.scenario.edits:
        for ends in (("low",), ("high",), ("low", "high")):
            if any(getattr(edit, end) is None for end in ends):
                continue
            wider = replace(
                edit,
                low=None if "low" in ends else edit.low,
                high=None if "high" in ends else edit.high,
            )
            problem = problem_with_rule(case, wider, _largest_cost(case))
            if np.isfinite(problem.delta_min):
                words = _own_words(case.dataset, edit, ends)
                found.append(OwnRange(wider, words, problem.delta_min))
                break
    return tuple(sorted(found, key=lambda own: own.delta_min))


def ways_out(case: Case) -> tuple[str, ...]:
    """What would open a plan, as sentences: any one of them is enough. Empty where there is one."""
    explanation = why_no_plan(case)
    if explanation is None:
        return ()

    def said(way: str, price: float) -> str:
        return f"{way} (cheapest plan then: {price:.3f})."

    ways = [said(f"Drop {own.words}", own.delta_min) for own in own_ranges_to_blame(case)]
    for unlock in explanation.unlocks:
        ways.append(said(f"Free {joined(features_of(case, unlock))}", unlock.delta_min))
    for drop in explanation.drops:
        way = f"Drop the rule “{drop.name}”"
        if drop.name == LIKE_REAL_PEOPLE:
            way = "Allow plans that are less like real people"
        ways.append(said(way, drop.delta_min))
    if explanation.radius_factor > 0.0:
        ways.append(f"Multiply ρ by at most {explanation.radius_factor:.3g}.")
    return tuple(ways)


def features_of(case: Case, unlock: Unlock) -> list[str]:
    """The names of the features to free."""
    schema = case.dataset.schema
    columns = {column for feature in unlock.features for column in feature}
    return [f.name for f in schema.features if columns & set(schema.columns_of(f.name))]


def looser_share(case: Case) -> float | None:
    """The next position of the dial with a plan; None when only switching it off gives one."""
    share = case.scenario.plausibility
    for looser in DIAL:
        if share is None or looser >= share:
            continue
        scenario = replace(case.scenario, plausibility=looser)
        actions = allowed_actions(case.dataset, scenario, case.x0, case.dirrac)
        if np.isfinite(case.dirrac.problem(case.x0, actions, _largest_cost(case)).delta_min):
            return looser
    return None


def _own_words(dataset: Dataset, edit: FeatureRule, ends: tuple[str, ...]) -> str:
    feature = dataset.schema.feature(edit.feature)
    limits = [
        f"{'minimum' if end == 'low' else 'maximum'} of {feature.format_value(getattr(edit, end))}"
        for end in ends
    ]
    return f"your {' and '.join(limits)} ({feature.name})"


def _largest_cost(case: Case) -> float:
    """The largest cost of a plan inside the present ranges."""
    return float(case.problem.unbounded.bounds.weights.sum())
