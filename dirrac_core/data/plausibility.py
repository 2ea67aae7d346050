"""Like real people: how unusual a plan may be, measured on people with the favourable outcome.

One dial, the share s: a plan may be as unusual as at most a share s of them. Every number that may
move stays between their s/2 and 1 − s/2 quantiles, and all of these numbers together, given those
that may not move, in an ellipsoid that holds 1 − s of the people. The applicant's own value always
counts as usual: a range is stretched to it, and the ellipsoid reaches at least as far as the
applicant. So staying as one is never forbidden.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, checked_number
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.schema.plausible_set import PlausibleSet
from dirrac_core.data.schema.schema import Schema
from dirrac_core.errors import InvalidInput

Mask = npt.NDArray[np.bool_]

# Below this many rows per number the covariance is drawn towards its diagonal.
ROWS_PER_NUMBER = 5
# People of one kind are enough to speak for themselves from this many on.
ENOUGH = 30
# The least standard deviation of a number, as a share of its present range: a number all
# favourable people share would otherwise have to stay the same to the last digit.
LEAST_DEVIATION = 0.01
# Numbers that follow from one another exactly are separated by this share of their variance.
NEVER_SINGULAR = 1e-4
# The size of an ellipsoid is judged on at most about this many people.
MOST_ROWS = 5000
MAX_FITS = 8


@dataclass(frozen=True, eq=False)
class Shape:
    """Mean (d,) and covariance (d, d) of the numbers of some people, and the people (n, d)."""

    mean: Array
    covariance: Array
    numbers: Array

    def whitening(self, movable: Mask) -> Array:
        """F (m, d) with ‖F(x − mean)‖₂ how unusual the m movable numbers are, given the others.

        With B = Σ_ML Σ_LL⁻¹ it is the Mahalanobis length of (x_M − μ_M) − B (x_L − μ_L) under the
        Schur complement Σ_MM − B Σ_LM: the conditional distribution of the movable numbers.
        """
        held = ~movable
        factor = np.zeros((int(movable.sum()), movable.size))
        if not movable.any():
            return factor
        within = self.covariance[np.ix_(movable, movable)]
        rest = np.eye(len(within))
        if held.any():
            across = self.covariance[np.ix_(held, movable)]
            b = np.linalg.solve(self.covariance[np.ix_(held, held)], across).T
            within = within - b @ across
        values, vectors = np.linalg.eigh(within)
        root = (vectors / np.sqrt(np.maximum(values, LEAST_DEVIATION**2))).T
        factor[:, movable] = root @ rest
        if held.any():
            factor[:, held] = -root @ b
        return factor

    def size(self, factor: Array, share: float) -> float:
        """The smallest size that leaves at most the share of the people outside."""
        distances = np.linalg.norm((self.numbers - self.mean) @ factor.T, axis=1)
        return float(np.quantile(distances, 1.0 - share, method="higher"))


@dataclass(frozen=True, eq=False)
class RealPeople:
    """People with the favourable outcome, summed up; small enough to be sent to a worker.

    `shapes` maps the categories of `kind` features to the shape of those people; () is everybody.
    """

    schema: Schema
    share: float
    lower: Array
    upper: Array
    kind: tuple[str, ...]
    shapes: dict[tuple[str, ...], Shape]

    def around(self, x0: npt.ArrayLike, locked: Iterable[int] = ()) -> PlausibleSet | None:
        """The plausible set of an applicant who cannot change the `locked` columns.

        It is that of people of the same kind, where there are enough. None when no number may
        move.
        """
        person = self.schema.without_constant(x0)
        columns = self.schema.number_columns
        movable = ~np.isin(columns, list(locked))
        if not movable.any():
            return None
        shape = self.shape_of(person)
        narrow = shape.whitening(movable)
        factor, centre = np.zeros((len(narrow), person.size)), np.zeros(person.size)
        factor[:, columns], centre[columns] = narrow, shape.mean
        own = float(np.linalg.norm(factor @ (person - centre)))
        lower, upper = np.full(person.size, -np.inf), np.full(person.size, np.inf)
        moving = np.array(columns)[movable]
        lower[moving] = np.minimum(self.lower[moving], person[moving])
        upper[moving] = np.maximum(self.upper[moving], person[moving])
        size = max(shape.size(narrow, self.share), own, LEAST_DEVIATION)
        return PlausibleSet(lower, upper, factor, centre, size)

    def shape_of(self, person: Array) -> Shape:
        """The shape of the people of this person's kind, or of everybody."""
        return self.shapes[self.kind_of(person)]

    def kind_of(self, person: Array) -> tuple[str, ...]:
        """The categories of this person's kind; () where too few people are of that kind."""
        real = self.schema.decode(person)
        categories = tuple(str(real[name]) for name in self.kind)
        return categories if categories in self.shapes else ()


def checked_share(value: float) -> float:
    """The dial: a share of people above 0 and at most a half."""
    share = checked_number("The share of unusual people", value, low=0.0, strict=True)
    if share > 0.5:
        message = f"The share of unusual people must be at most 0.5, got {share:g}"
        raise InvalidInput(message)
    return share


@lru_cache(maxsize=MAX_FITS)
def real_people(dataset: Dataset, share: float) -> RealPeople:
    """The favourable people of a dataset, for the dial at `share`.

    People are of one kind when they agree in the categories the sensible preset locks; protected
    attributes make no kinds.
    """
    checked_share(share)
    schema = dataset.schema
    X = favourable_people(dataset)
    columns = schema.number_columns
    lower, upper = np.full(X.shape[1], -np.inf), np.full(X.shape[1], np.inf)
    if columns:
        lower[columns] = np.quantile(X[:, columns], share / 2.0, axis=0, method="nearest")
        upper[columns] = np.quantile(X[:, columns], 1.0 - share / 2.0, axis=0, method="nearest")
    preset = schema.presets.get("sensible")
    locked = () if preset is None else preset.locked
    kind = tuple(
        f.name for f in schema.features if f.is_categorical and f.name in locked and not f.protected
    )
    shapes: dict[tuple[str, ...], Shape] = {}
    if columns:
        shapes[()] = shape_of_numbers(X[:, columns])
    if kind and columns:
        people = dataset.present.people.loc[dataset.present.y == 1, list(kind)]
        for categories, rows in people.groupby(list(kind), observed=True).indices.items():
            if len(rows) >= max(ENOUGH, ROWS_PER_NUMBER * len(columns)):
                shapes[tuple(map(str, categories))] = shape_of_numbers(X[np.ix_(rows, columns)])
    return RealPeople(schema, share, lower, upper, kind, shapes)


def favourable_people(dataset: Dataset) -> Array:
    """The favourable among the present people (n, D − 1)."""
    X: Array = dataset.present.X[dataset.present.y == 1]
    if not len(X):
        message = "Real people need a row with the favourable outcome, got none"
        raise InvalidInput(message)
    return X


def shape_of_numbers(numbers: Array) -> Shape:
    """Mean and covariance, drawn to the diagonal where rows are few; never quite singular."""
    mean = numbers.mean(axis=0)
    covariance = np.atleast_2d(np.cov(numbers.T, bias=True))
    kept = min(1.0, len(numbers) / (ROWS_PER_NUMBER * numbers.shape[1]))
    spread = np.maximum(np.diag(covariance), LEAST_DEVIATION**2)
    covariance = kept * covariance + (1.0 - kept) * np.diag(np.diag(covariance))
    np.fill_diagonal(covariance, spread + NEVER_SINGULAR * spread)
    step = -(-len(numbers) // MOST_ROWS)
    return Shape(mean, covariance, numbers[::step])
