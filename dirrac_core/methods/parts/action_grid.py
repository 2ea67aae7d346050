"""The grid of actionable values AR chooses from, and the mixed-integer program over it."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from dirrac_core.arrays import Array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.errors import SolverFailure
from dirrac_core.feasible.bounds import ColumnBounds, column_bounds
from dirrac_core.methods.parts.category_search import allowed_categories

OPTIMAL, INFEASIBLE = 0, 2


@dataclass(frozen=True, eq=False)
class Choice:
    """One feature: its columns, and the (k, columns) values it may take."""

    columns: tuple[int, ...]
    values: Array


@dataclass(frozen=True, eq=False)
class Program:
    """Rows low ≤ rows · w ≤ high over w = (one 0/1 entry a value, followers, their |changes|).

    A follower is a column that an equality rule ties to others: it takes the value the rule
    gives, off the grid, because no two grids would meet on the rule.
    """

    choices: tuple[Choice, ...]
    followers: tuple[int, ...]
    to_x: Array
    rows: Array
    low: Array
    high: Array
    lower: Array
    upper: Array

    @property
    def binaries(self) -> int:
        """The number of 0/1 entries."""
        return sum(len(choice.values) for choice in self.choices)

    def solve(self, costs: Array, rows: Array, low: Array, high: Array) -> Array | None:
        """The cheapest w (with extra rows and one last free column, the peak); None if none."""
        matrix = np.zeros((len(self.rows) + len(rows), costs.size))
        matrix[: len(self.rows), : self.rows.shape[1]] = self.rows
        matrix[len(self.rows) :, : rows.shape[1]] = rows
        extra = costs.size - self.lower.size
        result = milp(
            costs,
            constraints=LinearConstraint(
                matrix, np.concatenate([self.low, low]), np.concatenate([self.high, high])
            ),
            integrality=(np.arange(costs.size) < self.binaries).astype(np.int64),
            bounds=Bounds(
                np.concatenate([self.lower, np.zeros(extra)]),
                np.concatenate([self.upper, np.full(extra, np.inf)]),
            ),
            options={"mip_rel_gap": 0.0},
        )
        if result.status == INFEASIBLE:
            return None
        if result.status != OPTIMAL or result.x is None:
            raise SolverFailure(
                f"The mixed-integer program must end optimal or infeasible: {result.message}"
            )
        return np.asarray(result.x)

    def picks(self, w: Array) -> list[int]:
        """The number of the value each choice takes in w."""
        picks, top = [], 0
        for choice in self.choices:
            picks.append(int(w[top : top + len(choice.values)].argmax()))
            top += len(choice.values)
        return picks

    def plan(self, w: Array) -> Array:
        """x of a solution, with grid values exact."""
        exact = w[: self.to_x.shape[1]].copy()
        top = 0
        for choice, pick in zip(self.choices, self.picks(w), strict=True):
            exact[top : top + len(choice.values)] = 0.0
            exact[top + pick] = 1.0
            top += len(choice.values)
        return np.append(self.to_x @ exact, 1.0)


def grid_program(x0: Array, actions: Actions, people: Array, size: int) -> Program | None:
    """The rules of the actionable set over the grid; None when a feature has no allowed value."""
    bounds = column_bounds(x0, actions)
    followers = _followers(actions, bounds)
    choices = _choices(x0, actions, bounds, people, size, followers)
    if any(not len(choice.values) for choice in choices):
        return None
    binaries = sum(len(choice.values) for choice in choices)
    count = len(followers)
    width = binaries + 2 * count
    to_x = np.zeros((x0.size - 1, width))
    rows: list[Array] = []
    ends: list[tuple[float, float]] = []
    top = 0
    for choice in choices:
        entries = slice(top, top + len(choice.values))
        to_x[list(choice.columns), entries] = choice.values.T
        one = np.zeros(width)
        one[entries] = 1.0
        rows.append(one)
        ends.append((1.0, 1.0))
        top += len(choice.values)
    for index, column in enumerate(followers):
        place, size_of = binaries + index, binaries + count + index
        to_x[column, place] = 1.0
        for sign in (1.0, -1.0):
            row = np.zeros(width)
            row[place], row[size_of] = sign, -1.0
            rows.append(row)
            ends.append((-np.inf, sign * float(x0[column])))
    for rule in actions.linear:
        rows.append(rule.coefficients @ to_x)
        ends.append((rule.low, rule.high))
    for condition in actions.conditional:
        z, value = to_x[condition.category], to_x[condition.column]
        reach = to_x[condition.column, :binaries]
        highest = max(float(bounds.upper[condition.column]), float(reach.max(initial=0.0)))
        lowest = min(float(bounds.lower[condition.column]), float(reach.min(initial=0.0)))
        # Exact where the category is chosen (z = 1), no restriction where it is not.
        rows.append(value + max(highest - condition.high, 0.0) * z)
        ends.append((-np.inf, max(highest, condition.high)))
        rows.append(value - max(condition.low - lowest, 0.0) * z)
        ends.append((min(lowest, condition.low), np.inf))
    lower, upper = np.zeros(width), np.ones(width)
    for index, column in enumerate(followers):
        lower[binaries + index], upper[binaries + index] = (
            bounds.lower[column],
            bounds.upper[column],
        )
        upper[binaries + count + index] = np.inf
    return Program(
        tuple(choices),
        followers,
        to_x,
        np.array(rows),
        np.array([end[0] for end in ends]),
        np.array([end[1] for end in ends]),
        lower,
        upper,
    )


def _followers(actions: Actions, bounds: ColumnBounds) -> tuple[int, ...]:
    """For each equality rule the movable number it weighs most."""
    grouped = {column for group in actions.groups for column in group}
    free = [c for c in np.flatnonzero(bounds.lower < bounds.upper) if c not in grouped]
    followers: list[int] = []
    for rule in actions.linear:
        tied = [c for c in free if rule.coefficients[c] != 0.0 and c not in followers]
        if rule.low == rule.high and tied:
            followers.append(int(max(tied, key=lambda c: abs(rule.coefficients[c]))))
    return tuple(followers)


def _choices(
    x0: Array,
    actions: Actions,
    bounds: ColumnBounds,
    people: Array,
    size: int,
    followers: tuple[int, ...],
) -> list[Choice]:
    choices = []
    grouped = {column for group in actions.groups for column in group}
    for group in actions.groups:
        allowed = allowed_categories(bounds, group)
        values = np.array([[float(c == chosen) for c in group] for chosen in allowed])
        choices.append(Choice(group, values))
    for column in range(x0.size - 1):
        if column in grouped or column in followers:
            continue
        own = float(x0[column])
        low, high = float(bounds.lower[column]), float(bounds.upper[column])
        # Without a bound the grid ends where the data end.
        low = low if np.isfinite(low) else min(own, float(people[:, column].min()), high)
        high = high if np.isfinite(high) else max(own, float(people[:, column].max()), low)
        grid = np.linspace(low, high, size)
        if low <= own <= high:
            grid = np.unique(np.append(grid, own))
        grid = np.unique(grid)
        choices.append(Choice((column,), grid[:, None]))
    return choices
