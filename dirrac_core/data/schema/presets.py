"""Presets of what may change, each choice with its reason."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dirrac_core.data.schema.plan_rules import PlanRule


@dataclass(frozen=True)
class Preset:
    """Locked and one-way features, each mapped to the reason; rules of the domain.

    The `rules` are in force where settings ask for them.
    """

    locked: Mapping[str, str] = field(default_factory=dict)
    only_up: Mapping[str, str] = field(default_factory=dict)
    only_down: Mapping[str, str] = field(default_factory=dict)
    rules: tuple[PlanRule, ...] = ()

    def reasons(self) -> dict[str, str]:
        """Feature → why it is restricted."""
        return {**self.locked, **self.only_up, **self.only_down}

    def without(self, feature: str) -> "Preset":
        """The same preset for a schema that lacks `feature`."""
        locked, only_up, only_down = (
            {name: reason for name, reason in part.items() if name != feature}
            for part in (self.locked, self.only_up, self.only_down)
        )
        rules = tuple(rule for rule in self.rules if feature not in rule.features)
        return Preset(locked, only_up, only_down, rules)


FREE = Preset()
