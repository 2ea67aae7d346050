"""Ticks of a plotly axis at round real values."""

from typing import Any

import numpy as np

from dirrac_core.geometry.axes import Axis
from dirrac_core.wording import as_it_is


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
