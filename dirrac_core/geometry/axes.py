"""Axes in real units: encoded columns and how their numbers read."""

from collections.abc import Callable
from dataclasses import dataclass

from dirrac_core.data.schema.feature import Feature

Scale = Callable[[float], float]


@dataclass(frozen=True)
class Axis:
    """What an encoded column is called and how its numbers read.

    `to_real` and `to_encoded` are increasing and undo each other; `words` writes a real value.
    `whole` keeps ticks on whole real numbers.
    """

    name: str
    to_real: Scale
    to_encoded: Scale
    words: Callable[[float], str]
    unit: str = ""
    whole: bool = False

    @property
    def title(self) -> str:
        """The name with its unit."""
        said = not self.unit or self.unit.lower() in self.name.lower()
        return self.name if said else f"{self.name} ({self.unit})"

    def place(self, encoded: float) -> str:
        """An encoded value as text: "Duration 24 months"."""
        return f"{self.name} {self.words(self.to_real(encoded))}"


def plain_axis(name: str) -> Axis:
    """A column shown as it is encoded."""
    return Axis(name, lambda v: v, lambda v: v, lambda v: f"{v:.4g}")


def feature_axis(feature: Feature) -> Axis:
    """The axis of a numeric feature; a unit its name already says is left out."""
    return Axis(
        feature.name,
        feature.real,
        feature.scaled,
        # A point of a curve is a number among many: more digits than these only distract.
        lambda v: feature.format_value(round(v, max(1, feature.decimals))),
        unit="" if feature.unit.lower() in feature.name.lower() else feature.unit,
        whole=feature.kind == "integer",
    )
