"""What a frontier says in plain sentences, computed from its rows."""

import pandas as pd

from dirrac_core.evaluation.case_frontier import Comparison, Reach, compare
from dirrac_core.figures.wording import out_of
from pages.shared import wording
from pages.shared.frontier_view import OBSERVED

EXACT_ROAR = "ROAR (exact)"
# A fall of the observed share that is worth a sentence.
NOTABLE = 0.05


def sentences(
    rows: pd.DataFrame, dirrac: str, cost: str, value: str, subject: str
) -> tuple[str, ...]:
    """The headline, and the honest part: where DiRRAc is beaten or more effort did not help."""
    alone = compare(rows, dirrac, dirrac, cost, value)
    if alone is None:
        return (f"{subject}, {dirrac} has no plan under these conditions.",)
    found = compare(rows, dirrac, EXACT_ROAR, cost, value)
    if found is None:
        reach = alone.first
        effort = wording.amount(reach.best_cost)
        headline = f"{dirrac}'s best is {_plan(reach.best, value)}, at an effort of {effort}"
        told = [f"{subject}, {headline}."]
    else:
        told = [f"{subject}, {_headline(found, dirrac, value)}.", _beaten(found, dirrac)]
    return (*told, *_downside(alone.first, dirrac, value))


def _headline(found: Comparison, dirrac: str, value: str) -> str:
    first, second = found.first, found.second
    ours, theirs = wording.amount(first.level_cost), wording.amount(second.level_cost)
    words = f"{_plan(found.level, value)} costs an effort of {ours} with {dirrac} "
    words += "and as much" if ours == theirs else f"and {theirs}"
    words += " with an exact ROAR"
    if _plan(first.best, value) != _plan(found.level, value):
        words += f"; only {dirrac} goes further, {_further(first, value)}"
    elif _plan(second.best, value) != _plan(found.level, value):
        words += f"; only ROAR goes further, {_further(second, value)}"
    return words


def _beaten(found: Comparison, dirrac: str) -> str:
    """An exact ROAR is a fair rival, and the sentence says how often it wins."""
    return (
        f"{dirrac}'s frontier does not always lie above that of an exact ROAR under the same "
        f"rules: {dirrac} makes the worst case small, neither the effort nor this count. Here "
        f"{_count(found.first)} of {dirrac} are beaten by a ROAR plan that costs no more and "
        f"reaches at least as much, and {_count(found.second)} of ROAR are beaten by one of "
        f"{dirrac}."
    )


def _count(reach: Reach) -> str:
    """ "2 of the 9 plans", ready for "of DiRRAc"."""
    if reach.beaten == reach.plans:
        return f"all {reach.plans} plans"
    return f"{reach.beaten or 'none'} of the {reach.plans} plans"


def _downside(reach: Reach, dirrac: str, value: str) -> tuple[str, ...]:
    if value != OBSERVED or reach.best - reach.dearest < NOTABLE:
        return ()
    return (
        f"More effort is not always better against real models: only {100 * reach.dearest:.3g} of "
        f"100 accept {dirrac}'s most expensive plan. It guards against the futures set on the "
        "left, and the shift that came was another one.",
    )


def _further(reach: Reach, value: str) -> str:
    if value == OBSERVED:
        return f"up to {100 * reach.best:.3g} of 100 at {wording.amount(reach.best_cost)}"
    return f"down to {out_of(1 - reach.best, at_most=True)} at {wording.amount(reach.best_cost)}"


def _plan(share: float, value: str) -> str:
    """A plan that reaches a share; a guarantee is rounded to the safe side."""
    if value == OBSERVED:
        return f"a plan that {100 * share:.3g} of 100 future models accept"
    return f"a plan guaranteed to fail for at most {out_of(1.0 - share, at_most=True)}"
