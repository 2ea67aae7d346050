"""The categories a given model names, matched with those of the table."""

import math
from collections.abc import Mapping

from dirrac_core.data.schema.feature import Feature
from dirrac_core.errors import InvalidInput


def by_category(
    named: Mapping[str, float], feature: Feature, what: str
) -> tuple[dict[str, float], list[str]]:
    """Category of the table → its number, and the named categories that the table does not have.

    They are matched by their text, then as numbers: "1.0" is "1". `what` begins the refusal of a
    category that is named twice.
    """
    found: dict[str, float] = {}
    unknown: list[str] = []
    for text, value in named.items():
        number = as_number(text)
        same = [c for c in feature.categories if c == text] or [
            c for c in feature.categories if number is not None and as_number(c) == number
        ]
        if not same:
            unknown.append(text)
        elif same[0] in found:
            column = feature.source or feature.name
            raise InvalidInput(f"{what} once, got {column!r}, {text!r} twice")
        else:
            found[same[0]] = value
    return found, unknown


def as_number(text: str) -> float | None:
    """The finite number a text spells; None for any other text."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
