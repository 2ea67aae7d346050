"""Checked, read-only float arrays: what comes in is copied, never changed."""

from collections.abc import Iterable
from numbers import Integral
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from dirrac_core.errors import InvalidInput, UnknownName

Array = npt.NDArray[np.float64]
# The kinds of numpy that hold real numbers: truth, whole, floating, and objects to be looked at.
NUMBERS = "biufO"
Kind = TypeVar("Kind")
# Products of two entries, summed, stay doubles.
LARGEST = 1e150


def frozen_array(
    name: str,
    value: npt.ArrayLike,
    shape: tuple[int | None, ...] | None,
    *,
    error: type[InvalidInput] = InvalidInput,
    finite: bool = True,
) -> Array:
    """A read-only float copy of `value`; None in `shape` accepts any length ≥ 1, and
    None in its place any shape."""
    kind = getattr(getattr(value, "dtype", None), "kind", "O")
    if isinstance(value, np.ma.MaskedArray) or kind not in NUMBERS:
        # numpy would drop the mask, the imaginary parts or the meaning of dates without a word.
        what = "a masked array" if isinstance(value, np.ma.MaskedArray) else value.dtype  # type: ignore[union-attr]
        message = f"{name} must be an array of plain numbers, got {what}"
        raise error(message)
    try:
        array: Array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        message = f"{name} must be an array of numbers, got {brief(value)}"
        raise error(message) from None
    if shape is not None and array.shape != shape and not _fits(array.shape, shape):
        wanted = "(" + ", ".join("any" if n is None else str(n) for n in shape) + ")"
        message = f"{name} must have shape {wanted}, got {array.shape}"
        raise error(message)
    # One look at all entries for the usual case; NaN is not below anything.
    if not np.abs(array).max(initial=0.0) <= LARGEST:
        _refuse_entry(name, array, error, finite)
    array.flags.writeable = False
    return array


def _refuse_entry(name: str, array: Array, error: type[InvalidInput], finite: bool) -> None:
    """Name the first entry that may not be there, if there is one: infinity may be allowed."""
    rule = f"Every entry of {name} must be {'finite' if finite else 'a number'}"
    rules = {
        rule: ~np.isfinite(array) if finite else np.isnan(array),
        f"No entry of {name} may exceed {LARGEST:g}": np.isfinite(array) & (abs(array) > LARGEST),
    }
    for words, broken in rules.items():
        if broken.any():
            place = tuple(int(i) for i in np.argwhere(broken)[0])
            raise error(f"{words}, got {array[place]} at {place}")


def _fits(given: tuple[int, ...], wanted: tuple[int | None, ...]) -> bool:
    return len(given) == len(wanted) and all(
        want == have if want is not None else have >= 1
        for want, have in zip(wanted, given, strict=True)
    )


def checked_number(
    name: str,
    value: float,
    *,
    low: float = -np.inf,
    strict: bool = False,
    error: type[InvalidInput] = InvalidInput,
) -> float:
    """`value` as a finite float that is at least `low` (above it when `strict`)."""
    try:
        if isinstance(value, str | bytes):
            raise TypeError  # noqa: TRY301  float() would read the text
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        message = f"{name} must be a number, got {brief(value)}"
        raise error(message) from None
    if not np.isfinite(number) or number < low or (strict and number == low):
        rule = "finite" if low == -np.inf else f"{'>' if strict else '≥'} {low:g} and finite"
        message = f"{name} must be {rule}, got {number:g}"
        raise error(message)
    return number


def checked_choice(name: str, value: str, choices: Iterable[str]) -> str:
    """`value` when it is one of `choices`."""
    allowed = tuple(choices)
    if not isinstance(value, str) or value not in allowed:
        message = f"{name} must be one of {', '.join(map(repr, allowed))}, got {brief(value)}"
        raise UnknownName(message)
    return value


def checked_instance(
    name: str, value: object, kind: type[Kind], error: type[InvalidInput] = InvalidInput
) -> Kind:
    """`value` when it is a `kind`: for what is handed over whole, such as a mixture."""
    if not isinstance(value, kind):
        message = f"{name} must be of type {kind.__name__}, got {brief(value)}"
        raise error(message)
    return value


def checked_count(name: str, value: object, low: int) -> int:
    """`value` when it is a whole number, at least `low`."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < low:
        message = f"{name} must be a whole number ≥ {low}, got {brief(value)}"
        raise InvalidInput(message)
    return int(value)


def checked_whole_number(name: str, value: object, low: int, high: int) -> None:
    """Refuse what is not a plain whole number from `low` to `high`: it has to fit in a file."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        message = f"{name} must be a whole number from {low} to {high}, got {brief(value)}"
        raise InvalidInput(message)


def brief(value: Any) -> str:
    """What was given, for a message, cut when it is long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
