"""Plans a person could follow: the rules of the domain in force, and how unusual a plan may be.

`allowed_actions` is the one way from settings to what an applicant may change.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.case.settings import Settings
from dirrac_core.data.actionability import edited_actions, edited_rules
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.many_actions import ManyActions, kinds, many_actions, widened_by
from dirrac_core.data.plausibility import RealPeople, real_people
from dirrac_core.data.rule_rows import check_rules_fit
from dirrac_core.data.schema.actions import Actions
from dirrac_core.data.schema.plan_rules import PlanRule, with_edits
from dirrac_core.data.schema.plausible_set import PlausibleSet
from dirrac_core.data.schema.schema import Schema, with_constant
from dirrac_core.errors import InvalidInput
from dirrac_core.methods.dirrac import Dirrac
from dirrac_core.solvers.least_unusual import widened, widening

RECOMMENDED_PLAUSIBILITY = 0.05
"""A plan may be as unusual as at most 1 in 20 real people with the favourable outcome."""


def rules_in_force(dataset: Dataset, settings: Settings) -> tuple[PlanRule, ...]:
    """The preset's rules of the domain if the settings ask for them, with the settings' edits."""
    rules = dataset.preset(settings.preset).rules if settings.domain_rules else ()
    return with_edits(rules, settings.rules)


@dataclass(frozen=True, eq=False)
class Allowed:
    """What settings let people of one dataset change; keeps no people, so workers can have it.

    `dirrac` says what plans promise, where limits may be widened for the sake of it.
    """

    dataset: Dataset
    settings: Settings
    rules: tuple[PlanRule, ...]
    people: RealPeople | None
    dirrac: Dirrac | None

    @classmethod
    def of(cls, dataset: Dataset, settings: Settings, dirrac: Dirrac | None) -> "Allowed":
        """Everything checked now rather than once per person."""
        rules = rules_in_force(dataset, settings)
        edited_rules(dataset, settings.preset, settings.edits)
        check_rules_fit(dataset.schema, rules)
        share = settings.plausibility
        people = None if share is None else real_people(dataset, share)
        if settings.widen and dirrac is None:
            message = "Limits are widened for what a plan promises; the models are needed, got none"
            raise InvalidInput(message)
        return cls(dataset, settings, rules, people, dirrac if settings.widen else None)

    def actions(self, x0: npt.ArrayLike) -> Actions:
        """The Actions of one applicant."""
        settings = self.settings
        usual = edited_actions(
            self.dataset, settings.preset, settings.edits, x0, self.rules, self.people
        )
        return widened(usual, self._factor(x0, usual))

    def _factor(self, x0: npt.ArrayLike, usual: Actions) -> float:
        """By how much the usual limits give way for one applicant; a whole unit more than needed,
        because plans are in whole units."""
        if self.dirrac is None or usual.plausible is None:
            return 1.0
        schema = self.dataset.schema
        problem = self.dirrac.problem(with_constant(schema.without_constant(x0)), usual)
        factor = widening(problem.unbounded, problem.objective)
        return factor if factor == 1.0 else factor + _whole_unit(schema, usual.plausible)

    def many_actions(self, X: Array) -> Iterator[tuple[npt.NDArray[np.intp], ManyActions]]:
        """The actions of the people X (n, D − 1): places, and the actions of those people."""
        asked = (self.dataset, self.settings.preset, self.settings.edits)
        for places in kinds(self.people, X):
            actions = many_actions(*asked, X[places], self.rules, self.people)
            if self.dirrac is not None and self.people is not None:
                each = (edited_actions(*asked, x, self.rules, self.people) for x in X[places])
                pairs = zip(X[places], each, strict=True)
                actions = widened_by(actions, np.array([self._factor(*pair) for pair in pairs]))
            yield places, actions


def allowed_actions(
    dataset: Dataset, settings: Settings, x0: npt.ArrayLike, dirrac: Dirrac | None
) -> Actions:
    """What the settings let one applicant change; `dirrac` as in `Allowed`."""
    return Allowed.of(dataset, settings, dirrac).actions(x0)


def _whole_unit(schema: Schema, people: PlausibleSet) -> float:
    """The largest share of the ellipsoid's size that one step of a number covers."""
    lengths = np.linalg.norm(people.factor, axis=0)
    numbers = [feature for feature in schema.features if not feature.is_categorical]
    steps = [lengths[schema.columns_of(each.name)[0]] * each.step / each.span for each in numbers]
    return float(max(steps, default=0.0)) / people.size
