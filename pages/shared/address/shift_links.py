"""Declared shifts as one parameter of a link, and back."""

from urllib.parse import quote, unquote

from dirrac_core import Dataset
from dirrac_core.data.schema.feature import Value
from dirrac_core.errors import InvalidInput
from dirrac_core.models.futures.shift import NOISE, Shift
from dirrac_core.models.futures.usual_shifts import check_shift

LEAST_WEIGHT, MOST_WEIGHT, MOST_RADIUS = 0.1, 10.0, 2.0
PATTERN = "story:strength:weight:ρ:feature:value:category>category"
_DEFAULT = Shift(NOISE)


def write_shifts(shifts: tuple[Shift, ...]) -> str:
    """story:strength:weight:ρ:feature:value:corrections of each, `;` between them.

    Parts that say nothing are empty, and left out at the end.
    """
    return ";".join(map(_write, shifts))


def read_shifts(dataset: Dataset, text: str) -> tuple[tuple[Shift, ...], list[str]]:
    """The shifts that could be read, and a sentence about each of the others."""
    shifts, ignored = [], []
    for part in text.split(";"):
        try:
            shift = _read(dataset, part)
            _check_offered(shift)
            check_shift(dataset, shift)
        except InvalidInput as problem:
            ignored.append(f"shifts = {part}: {problem}.")
        except ValueError:
            ignored.append(f"shifts = {part}: this is not “{PATTERN}”.")
        else:
            shifts.append(shift)
    return tuple(shifts), ignored


def _check_offered(shift: Shift) -> None:
    """Refuse what the core would accept but the controls do not offer."""
    for name, least, most in (
        ("weight", LEAST_WEIGHT, MOST_WEIGHT),
        ("radius", 0.0, MOST_RADIUS),
    ):
        if not least <= getattr(shift, name) <= most:
            message = f"the {name} goes from {least:g} to {most:g}"
            raise InvalidInput(message)


def _write(shift: Shift) -> str:
    parts = [
        shift.story,
        *(
            "" if getattr(shift, name) == getattr(_DEFAULT, name) else f"{getattr(shift, name)!r}"
            for name in ("strength", "weight", "radius")
        ),
        "" if shift.feature is None else _quoted(shift.feature),
        "" if shift.value is None else _quoted(str(shift.value)),
        ",".join(f"{_quoted(old)}>{_quoted(new)}" for old, new in shift.correction),
    ]
    return ":".join(parts).rstrip(":")


def _read(dataset: Dataset, text: str) -> Shift:
    parts = text.split(":")
    story, strength, weight, radius, feature, value, corrections = parts + [""] * (7 - len(parts))
    name = unquote(feature) or None
    return Shift(
        story,
        float(strength) if strength else _DEFAULT.strength,
        float(weight) if weight else _DEFAULT.weight,
        float(radius) if radius else _DEFAULT.radius,
        name,
        _value(dataset, name, unquote(value)) if value else None,
        tuple(_pair(pair) for pair in corrections.split(",")) if corrections else (),
    )


def _value(dataset: Dataset, feature: str | None, text: str) -> Value:
    """A category as it is, a number as a number."""
    if feature is None or dataset.schema.feature(feature).is_categorical:
        return text
    return float(text)


def _pair(text: str) -> tuple[str, str]:
    old, new = text.split(">")
    return unquote(old), unquote(new)


def _quoted(text: str) -> str:
    """A name without the signs that separate the parts of a link."""
    return quote(text, safe=" ")
