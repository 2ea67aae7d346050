"""What a frontier says in plain sentences, computed from its rows."""

from dataclasses import dataclass

import pandas as pd

from dirrac_core.studies.frontier_comparison import Comparison, Reach, compare
from dirrac_core.wording import in_100
from pages.frontier.view import OBSERVED, WORST
from pages.shared import wording

EXACT_ROAR = "ROAR (exact)"
# Methods are compared by acceptance, of which more is better.
_ACCEPTED = {OBSERVED: "m2", WORST: "guaranteed"}


@dataclass(frozen=True)
class Said:
    """How a value is spoken of: counted, or bounded by what `worst` calls the worst case.

    Models that are `simulated` have not come, and nothing of them was observed.
    """

    value: str
    worst: str = "worst case"
    simulated: bool = False

    @property
    def accepted(self) -> str:
        """The column by which methods are compared."""
        return _ACCEPTED[self.value]

    def level(self, share: float) -> str:
        """ "at most 18 of 100 future models in the worst case", of which `share` accept."""
        count = self.count(share)
        models = f"at most {count}" if count else "none"
        if self.value == OBSERVED:
            return f"{models} of 100 future models, as counted"
        how = ", if Gaussian" if "Gaussian" in self.worst else " in the worst case"
        if self.worst == "guarantee":
            how = ", guaranteed"
        return f"{models} of 100 future models{how}"

    def count(self, share: float) -> int:
        """How many of 100 decline when `share` accept, rounded to the safe side."""
        return in_100(max(1.0 - share, 0.0))


def sentences(
    rows: pd.DataFrame, dirrac: str, cost: str, said: Said, subject: str = ""
) -> tuple[str, ...]:
    """The verdict, and the honest part: where DiRRAc is beaten or more effort did not help."""
    alone = compare(rows, dirrac, dirrac, cost, said.accepted)
    if alone is None:
        return (_upper(f"{subject}{dirrac} has no plan under these conditions."),)
    found = compare(rows, dirrac, EXACT_ROAR, cost, said.accepted)
    if found is None:
        best, effort = said.level(alone.first.best), wording.amount(alone.first.best_cost)
        verdict = [_upper(f"{subject}{dirrac} is declined by {best}, with {effort} of effort.")]
        if (rows["method"] == EXACT_ROAR).any():
            verdict.append("No plan of ROAR keeps every rule, so there is nothing to compare with.")
    else:
        verdict = [
            _upper(f"{subject}{_headline(found, dirrac, said)}."),
            _upper(_beaten(found, dirrac)),
        ]
    return (*verdict, *_downside(alone.first, dirrac, said))


def _upper(words: str) -> str:
    return words[0].upper() + words[1:]


def _headline(found: Comparison, dirrac: str, said: Said) -> str:
    first, second = found.first, found.second
    ours, theirs = wording.amount(first.level_cost), wording.amount(second.level_cost)
    words = f"to be declined by {said.level(found.level)}, "
    if ours == theirs:
        words += f"{dirrac} and ROAR both need {ours} of effort"
    else:
        words += f"{dirrac} needs {ours} of effort where ROAR needs {theirs}"
    if said.count(first.best) < said.count(found.level):
        words += f"; only {dirrac} goes down to {said.count(first.best)}, with "
        words += f"{wording.amount(first.best_cost)}"
    elif said.count(second.best) < said.count(found.level):
        words += f"; only ROAR goes down to {said.count(second.best)}, with "
        words += f"{wording.amount(second.best_cost)}"
    return words


def _beaten(found: Comparison, dirrac: str) -> str:
    """An exact ROAR is a fair rival, and the sentence says how often it wins."""
    return (
        f"{_count(found.first, dirrac)} beaten by a ROAR plan that costs no more and is declined "
        f"no more often; {_count(found.second, 'ROAR')} beaten by one of {dirrac}."
    )


def _count(reach: Reach, method: str) -> str:
    """ "2 of DiRRAc's 9 plans are"."""
    owner = f"{method}'s"
    if reach.plans == 1:
        return f"{owner} only plan is{'' if reach.beaten else ' not'}"
    if reach.beaten == reach.plans:
        return f"all {reach.plans} of {owner} plans are"
    are = "is" if reach.beaten == 1 else "are"
    return f"{reach.beaten or 'none'} of {owner} {reach.plans} plans {are}"


def _downside(reach: Reach, dirrac: str, said: Said) -> tuple[str, ...]:
    if said.value != OBSERVED or reach.best - reach.dearest < wording.NOTABLE_FALL:
        return ()
    models, shift = "real models", "the shift that came"
    if said.simulated:
        models, shift = "simulated models", "the simulated shift"
    return (
        f"More effort is not always better against {models}: {said.count(reach.dearest)} of 100 "
        f"decline {dirrac}'s most expensive plan. It guards against the futures that are set, and "
        f"{shift} was another one.",
    )
