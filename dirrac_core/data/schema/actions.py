"""What a person may change, as plain columns and bounds: the contract between data and solvers."""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from numbers import Real
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, brief, checked_number, frozen_array
from dirrac_core.data.schema.plausible_set import PlausibleSet
from dirrac_core.errors import InvalidActions

Item = TypeVar("Item")


@dataclass(frozen=True, eq=False)
class LinearRule:
    """low ≤ coefficients · x ≤ high, over the D − 1 feature columns.

    An `optional` rule is advice of the domain: where it leaves no plan, dropping it is a way out.
    `give` is how much `high` grows when the limits of what is usual are widened by a factor of 2.
    """

    coefficients: Array
    low: float
    high: float
    name: str = "rule"
    optional: bool = False
    give: float = 0.0


@dataclass(frozen=True)
class ConditionalRule:
    """low ≤ x[column] ≤ high, in force when the one-hot column `category` is chosen."""

    category: int
    column: int
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Actions:
    """The actionable set X: box, locks, one-way features, one-hot groups, rules, feature weights.

    Columns are 0 … D − 2 (the constant last entry of an applicant is never an action).
    `lower`, `upper` and `weights` have D − 1 entries; ±inf means no bound. A locked column keeps
    the applicant's value, even where that lies outside the box. Each group is a tuple of one-hot
    columns that sum to 1. `linear` holds rows (a, low, high); `conditional` holds
    (one-hot column, column, low, high). `plausible` keeps plans among real people; its ranges do
    not bind locked columns. `not_advised` are columns nobody may be advised to free when there is
    no plan. `Actions()` restricts nothing.
    """

    lower: Array | None = None
    upper: Array | None = None
    locked: tuple[int, ...] = ()
    only_up: tuple[int, ...] = ()
    only_down: tuple[int, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()
    weights: Array | None = None
    linear: tuple[LinearRule, ...] = ()
    conditional: tuple[ConditionalRule, ...] = ()
    plausible: PlausibleSet | None = None
    not_advised: tuple[int, ...] = ()

    def __init__(
        self,
        lower: npt.ArrayLike | None = None,
        upper: npt.ArrayLike | None = None,
        locked: Iterable[int] = (),
        only_up: Iterable[int] = (),
        only_down: Iterable[int] = (),
        groups: Iterable[Iterable[int]] = (),
        weights: npt.ArrayLike | None = None,
        linear: Iterable[LinearRule | tuple[npt.ArrayLike, float, float]] = (),
        conditional: Iterable[ConditionalRule | tuple[int, int, float, float]] = (),
        plausible: PlausibleSet | None = None,
        not_advised: Iterable[int] = (),
    ) -> None:
        set_field = object.__setattr__
        set_field(self, "lower", _bounds("lower", lower))
        set_field(self, "upper", _bounds("upper", upper))
        set_field(self, "locked", _columns("locked", locked))
        set_field(self, "only_up", _columns("only_up", only_up))
        set_field(self, "only_down", _columns("only_down", only_down))
        grouped = _listed("groups", groups)
        set_field(self, "groups", tuple(_columns("a group", group) for group in grouped))
        set_field(self, "weights", _bounds("weights", weights))
        set_field(self, "linear", tuple(_linear(rule) for rule in _listed("linear", linear)))
        rules = tuple(_conditional(rule) for rule in _listed("conditional", conditional))
        set_field(self, "conditional", rules)
        set_field(self, "plausible", plausible)
        set_field(self, "not_advised", _columns("not_advised", not_advised))
        self._check()

    def with_locked(self, columns: Iterable[int]) -> "Actions":
        """The same actions with more columns locked; what was checked is not checked again."""
        twin = copy(self)
        object.__setattr__(twin, "locked", _columns("locked", (*self.locked, *columns)))
        return twin

    def with_box(self, lower: npt.ArrayLike | None, upper: npt.ArrayLike | None) -> "Actions":
        """The same actions in another box; what else was checked is not checked again."""
        twin = copy(self)
        object.__setattr__(twin, "lower", _bounds("lower", lower))
        object.__setattr__(twin, "upper", _bounds("upper", upper))
        twin._check()
        return twin

    def _check(self) -> None:
        if self.lower is not None and self.upper is not None:
            if self.lower.shape != self.upper.shape:
                raise InvalidActions(
                    "lower and upper must have the same length, "
                    f"got {self.lower.size} and {self.upper.size}"
                )
            crossed = np.flatnonzero(self.lower > self.upper)
            if crossed.size:
                c = int(crossed[0])
                raise InvalidActions(
                    "The lower bound must not exceed the upper bound, "
                    f"got {self.lower[c]:g} > {self.upper[c]:g} in column {c}"
                )
        if self.weights is not None:
            bad = self.weights[(self.weights <= 0) | np.isinf(self.weights)]
            if bad.size:
                raise InvalidActions(f"Every feature weight must be > 0 and finite, got {bad[0]:g}")
        grouped = [column for group in self.groups for column in group]
        if len(set(grouped)) != len(grouped):
            raise InvalidActions(f"A column may be in one group only, got groups {self.groups}")
        if any(len(group) < 2 for group in self.groups):
            raise InvalidActions(
                f"A one-hot group needs at least two columns, got groups {self.groups}"
            )
        for rule in self.conditional:
            if rule.category not in grouped or rule.column in grouped:
                raise InvalidActions(
                    "A conditional rule needs a one-hot column of a group and an ordinary column, "
                    f"got category {rule.category} and column {rule.column}"
                )

    def check_columns(self, columns: int) -> None:
        """Raise when this does not fit applicants with `columns` features."""
        for name in ("lower", "upper", "weights"):
            array = getattr(self, name)
            if array is not None and array.size != columns:
                raise InvalidActions(
                    f"{name} must have {columns} entries, one a feature, got {array.size}"
                )
        if self.plausible is not None and self.plausible.centre.size != columns:
            raise InvalidActions(
                f"The plausible set must have {columns} columns, one per feature column, "
                f"got {self.plausible.centre.size}"
            )
        named = {*self.locked, *self.only_up, *self.only_down}
        named.update(column for group in self.groups for column in group)
        named.update(rule.column for rule in self.conditional)
        outside = sorted(column for column in named if column >= columns)
        if outside:
            raise InvalidActions(f"Columns run from 0 to {columns - 1}, got {outside[0]}")
        for rule in self.linear:
            if rule.coefficients.size != columns:
                raise InvalidActions(
                    f"A linear rule needs {columns} coefficients, one a feature, "
                    f"got {rule.coefficients.size}"
                )
        for condition in self.conditional:
            c = condition.column
            bounded = (
                self.lower is not None
                and self.upper is not None
                and np.isfinite(self.lower[c])
                and np.isfinite(self.upper[c])
            )
            if not bounded:
                raise InvalidActions(
                    "A conditional rule needs finite lower and upper bounds on its column, "
                    f"got none for column {c}"
                )


def _bounds(name: str, value: npt.ArrayLike | None) -> Array | None:
    if value is None:
        return None
    return frozen_array(name, value, (None,), error=InvalidActions, finite=False)


def _listed(name: str, value: Iterable[Item], what: str = "a list") -> Iterator[Item]:
    """The entries of a list; what has none is refused, a single number as well as nothing."""
    try:
        return iter(value)
    except TypeError:
        message = f"{name} must be {what}, got {brief(value)}"
        raise InvalidActions(message) from None


def _columns(name: str, value: Iterable[int]) -> tuple[int, ...]:
    columns = []
    for entry in _listed(name, value, "a list of column numbers"):
        whole = isinstance(entry, Real) and not isinstance(entry, bool)
        if not whole or not float(entry).is_integer() or entry < 0:
            raise InvalidActions(f"{name} must hold column numbers ≥ 0, got {entry!r}")
        columns.append(int(entry))
    return tuple(dict.fromkeys(columns))


def _interval(name: str, low: float, high: float) -> tuple[float, float]:
    ends = frozen_array(
        f"{name}'s low and high", (low, high), (2,), error=InvalidActions, finite=False
    )
    if ends[0] > ends[1]:
        raise InvalidActions(f"{name} needs low ≤ high, got {ends[0]:g} and {ends[1]:g}")
    return float(ends[0]), float(ends[1])


def _parts(name: str, rule: object, parts: tuple[str, ...]) -> tuple[Any, ...]:
    """The fields of a rule, given as the rule itself or as a tuple in the same order."""
    if isinstance(rule, LinearRule | ConditionalRule):
        return tuple(getattr(rule, part) for part in parts)
    listed = isinstance(rule, Sequence) or (isinstance(rule, np.ndarray) and rule.ndim > 0)
    if not listed or len(rule) != len(parts):  # type: ignore[arg-type]
        raise InvalidActions(f"{name} must be ({', '.join(parts)}), got {rule!r}")
    return tuple(rule)  # type: ignore[arg-type]


def _linear(rule: LinearRule | tuple[npt.ArrayLike, float, float]) -> LinearRule:
    name = "A linear rule"
    a, low, high = _parts(name, rule, ("coefficients", "low", "high"))
    coefficients = frozen_array(name, a, (None,), error=InvalidActions)
    ends = _interval(name, low, high)
    if isinstance(rule, LinearRule):
        give = checked_number(f"What {name} gives", rule.give, low=0.0, error=InvalidActions)
        return LinearRule(coefficients, *ends, rule.name, rule.optional, give)
    return LinearRule(coefficients, *ends)


def _conditional(rule: ConditionalRule | tuple[int, int, float, float]) -> ConditionalRule:
    name = "A conditional rule"
    category, column, low, high = _parts(name, rule, ("category", "column", "low", "high"))
    (category,) = _columns(name, (category,))
    (column,) = _columns(name, (column,))
    return ConditionalRule(category, column, *_interval(name, low, high))
