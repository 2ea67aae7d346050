"""Presets of what may change, each choice with its reason in words."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Preset:
    """Locked and one-way features, each mapped to the reason in words."""

    locked: Mapping[str, str] = field(default_factory=dict)
    only_up: Mapping[str, str] = field(default_factory=dict)
    only_down: Mapping[str, str] = field(default_factory=dict)

    def reasons(self) -> dict[str, str]:
        """Feature → why it is restricted."""
        return {**self.locked, **self.only_up, **self.only_down}

    def without(self, feature: str) -> "Preset":
        """The same preset for a schema that lacks `feature`."""
        kept = [
            {name: reason for name, reason in part.items() if name != feature}
            for part in (self.locked, self.only_up, self.only_down)
        ]
        return Preset(*kept)


FREE = Preset()
