"""Quantities that follow from the features, shown with a plan: an instalment, a rent per room."""

from collections.abc import Mapping
from dataclasses import dataclass

from dirrac_core.data.schema.feature import Value


@dataclass(frozen=True)
class Ratio:
    """top / bottom in its own unit: the monthly instalment is the amount over the duration."""

    name: str
    top: str
    bottom: str
    unit: str = ""

    @property
    def formula(self) -> str:
        """How it is computed, as text."""
        return f"{self.top} ÷ {self.bottom}"

    def value(self, person: Mapping[str, Value]) -> float | None:
        """The ratio for one person in real units; None where the bottom is 0."""
        bottom = float(person[self.bottom])
        return float(person[self.top]) / bottom if bottom else None


@dataclass(frozen=True)
class DerivedValue:
    """A derived quantity for an applicant today and under a plan; None where undefined."""

    name: str
    unit: str
    formula: str
    before: float | None
    after: float | None
    sentence: str


def derived_value(
    ratio: Ratio, before: Mapping[str, Value], after: Mapping[str, Value]
) -> DerivedValue:
    """One derived quantity before and after."""
    old, new = ratio.value(before), ratio.value(after)

    def said(number: float | None) -> str:
        return "undefined" if number is None else f"{number:,.0f} {ratio.unit}".strip()

    sentence = f"{ratio.name}: {said(new)} instead of {said(old)}."
    return DerivedValue(ratio.name, ratio.unit, ratio.formula, old, new, sentence)
