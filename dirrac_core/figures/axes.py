"""Axes in real units: encoded columns drawn to scale, ticks at round real values."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dirrac_core.data.feature import Feature
from dirrac_core.figures.wording import as_it_is

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
        return f"{self.name} ({self.unit})" if self.unit else self.name

    def told(self, encoded: float) -> str:
        """An encoded value in words: "Duration 24 months"."""
        return f"{self.name} {self.words(self.to_real(encoded))}"


def plain_axis(name: str) -> Axis:
    """A column shown as it is encoded."""
    return Axis(name, lambda v: v, lambda v: v, lambda v: f"{v:.4g}")


def feature_axis(feature: Feature) -> Axis:
    """The axis of a numeric feature; a unit its name already says is left out."""
    span = feature.high - feature.low
    return Axis(
        feature.name,
        lambda v: feature.low + v * span,
        feature.scaled,
        # A point of a curve is a number among many: more digits than these only distract.
        lambda v: feature.format_value(round(v, max(1, feature.decimals))),
        unit=feature.unit,
        whole=feature.kind == "integer",
    )


def real_ticks(axis: Axis, low: float, high: float, most: int = 7) -> dict[str, Any]:
    """Ticks at round real values between the encoded ends, for a plotly axis."""
    first, last = axis.to_real(low), axis.to_real(high)
    step = _round_step((last - first) / most)
    if axis.whole:
        step = max(step, 1.0)
    values = 0.0 + step * np.arange(np.ceil(first / step - 1e-9), np.floor(last / step + 1e-9) + 1)
    digits = max(0, -int(np.floor(np.log10(step) + 1e-9)))
    return {
        "tickmode": "array",
        "tickvals": [axis.to_encoded(float(v)) for v in values],
        "ticktext": [f"{v:,.{digits}f}".replace("-", "−") for v in values],
        "title": as_it_is(axis.title),
    }


def _round_step(least: float) -> float:
    """The smallest of 1, 2, 5 × a power of ten that is at least `least`."""
    power = 10.0 ** np.floor(np.log10(least))
    return float(next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= least * (1 - 1e-9)))
