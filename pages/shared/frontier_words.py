"""What a frontier says in plain sentences, computed from its rows."""

from dataclasses import dataclass

import pandas as pd

from dirrac_core.evaluation.case_frontier import Comparison, Reach, compare
from dirrac_core.figures.wording import out_of
from pages.shared import wording
from pages.shared.frontier_view import OBSERVED

EXACT_ROAR = "ROAR (exact)"
# A fall of the observed share that is worth a sentence.
NOTABLE = 0.05


@dataclass(frozen=True)
class Said:
    """How a value is spoken of: counted among `models`, or promised under the link's assumption."""

    value: str
    models: int = 100
    gaussian: bool = False

    def plan(self, share: float) -> str:
        """A plan that reaches a share; a promise is rounded to the safe side."""
        if self.value == OBSERVED:
            return f"a plan that {self.count(share)} future models accept"
        promise = "that fails, if Gaussian," if self.gaussian else "guaranteed to fail"
        return f"a plan {promise} for at most {out_of(1.0 - share, at_most=True)}"

    def further(self, reach: Reach) -> str:
        """Where a method goes beyond the common level."""
        effort = wording.amount(reach.best_cost)
        if self.value == OBSERVED:
            return f"up to {self.count(reach.best)} at an effort of {effort}"
        return f"down to {out_of(1.0 - reach.best, at_most=True)} at an effort of {effort}"

    def count(self, share: float) -> str:
        """So many of the models."""
        return f"{self.models * share:.3g} of {self.models}"


def sentences(
    rows: pd.DataFrame, dirrac: str, cost: str, said: Said, subject: str
) -> tuple[str, ...]:
    """The headline, and the honest part: where DiRRAc is beaten or more effort did not help."""
    alone = compare(rows, dirrac, dirrac, cost, said.value)
    if alone is None:
        return (f"{subject}, {dirrac} has no plan under these conditions.",)
    found = compare(rows, dirrac, EXACT_ROAR, cost, said.value)
    if found is None:
        best, effort = said.plan(alone.first.best), wording.amount(alone.first.best_cost)
        told = [f"{subject}, {dirrac}'s best is {best}, at an effort of {effort}."]
    else:
        told = [f"{subject}, {_headline(found, dirrac, said)}.", _beaten(found, dirrac, said)]
    return (*told, *_downside(alone.first, dirrac, said))


def _headline(found: Comparison, dirrac: str, said: Said) -> str:
    first, second = found.first, found.second
    ours, theirs = wording.amount(first.level_cost), wording.amount(second.level_cost)
    words = f"{said.plan(found.level)} costs an effort of {ours} with {dirrac} "
    words += "and as much" if ours == theirs else f"and {theirs}"
    words += " with an exact ROAR"
    if said.plan(first.best) != said.plan(found.level):
        words += f"; only {dirrac} goes further, {said.further(first)}"
    elif said.plan(second.best) != said.plan(found.level):
        words += f"; only ROAR goes further, {said.further(second)}"
    return words


def _beaten(found: Comparison, dirrac: str, said: Said) -> str:
    """An exact ROAR is a fair rival, and the sentence says how often it wins."""
    if said.value == OBSERVED:
        honest = (
            f"{dirrac}'s frontier does not always lie above that of an exact ROAR under the same "
            f"rules: {dirrac} makes the worst case small, neither the effort nor this count."
        )
    else:
        honest = (
            f"The worst case is what {dirrac} makes as small as its budget allows; in observed "
            "counts its frontier does not always lie above that of an exact ROAR under the same "
            "rules."
        )
    return (
        f"{honest} Here {_count(found.first)} of {dirrac} are beaten by a ROAR plan that costs no "
        f"more and reaches at least as much, and {_count(found.second)} of ROAR are beaten by one "
        f"of {dirrac}."
    )


def _count(reach: Reach) -> str:
    """ "2 of the 9 plans", ready for "of DiRRAc"."""
    if reach.beaten == reach.plans:
        return f"all {reach.plans} plans"
    return f"{reach.beaten or 'none'} of the {reach.plans} plans"


def _downside(reach: Reach, dirrac: str, said: Said) -> tuple[str, ...]:
    if said.value != OBSERVED or reach.best - reach.dearest < NOTABLE:
        return ()
    return (
        "More effort is not always better against real models: only "
        f"{said.count(reach.dearest)} accept {dirrac}'s most expensive plan. It guards against "
        "the futures set on the left, and the shift that came was another one.",
    )
