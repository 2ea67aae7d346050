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
from dirrac_core.data.many_actions import ManyActions, kinds, many_actions
from dirrac_core.data.plausibility import RealPeople, real_people
from dirrac_core.data.rule_rows import check_rules_fit
from dirrac_core.data.schema.actions import Actions
from dirrac_core.data.schema.plan_rules import PlanRule, with_edits

RECOMMENDED_PLAUSIBILITY = 0.05
"""A plan may be as unusual as at most 1 in 20 real people with the favourable outcome."""
RECOMMENDED_DOMAIN_RULES = True
"""The rules of the preset are in force."""


def rules_in_force(dataset: Dataset, settings: Settings) -> tuple[PlanRule, ...]:
    """The preset's rules of the domain if the settings ask for them, with the settings' edits."""
    rules = dataset.preset(settings.preset).rules if settings.domain_rules else ()
    return with_edits(rules, settings.rules)


@dataclass(frozen=True, eq=False)
class Allowed:
    """What settings let people of one dataset change; keeps no people, so workers can have it."""

    dataset: Dataset
    settings: Settings
    rules: tuple[PlanRule, ...]
    people: RealPeople | None

    @classmethod
    def of(cls, dataset: Dataset, settings: Settings) -> "Allowed":
        """Everything checked now rather than once per person."""
        rules = rules_in_force(dataset, settings)
        edited_rules(dataset, settings.preset, settings.edits)
        check_rules_fit(dataset.schema, rules)
        share = settings.plausibility
        return cls(dataset, settings, rules, None if share is None else real_people(dataset, share))

    def actions(self, x0: npt.ArrayLike) -> Actions:
        """The Actions of one applicant."""
        settings = self.settings
        return edited_actions(
            self.dataset, settings.preset, settings.edits, x0, self.rules, self.people
        )

    def many_actions(self, X: Array) -> Iterator[tuple[npt.NDArray[np.intp], ManyActions]]:
        """The actions of the people X (n, D − 1): places, and the actions of those people."""
        settings = self.settings
        for places in kinds(self.people, X):
            yield (
                places,
                many_actions(
                    self.dataset,
                    settings.preset,
                    settings.edits,
                    X[places],
                    self.rules,
                    self.people,
                ),
            )


def allowed_actions(dataset: Dataset, settings: Settings, x0: npt.ArrayLike) -> Actions:
    """What the settings let one applicant change."""
    return Allowed.of(dataset, settings).actions(x0)
