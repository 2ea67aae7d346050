"""Room to move: the box around a plan on which its promise stays at or below a level.

The plans with a robust score a_k ≥ α_k for every component form a convex set, since
m_k − α_k·s_k − √(1+α_k²)·r_k is concave in x; so do the plans that keep every other rule. A box
lies in a convex set exactly when its corners do. For mixtures the α_k are chosen so that the
weighting of their probabilities is the level: a convex part of the plans at the level, because
those themselves need not be convex.

The budget is no part of the promise: who does more than the plan asks keeps it. Everything else
on the checklist is: today's model, validity, ranges, directions, rules and likeness to real people.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, checked_number
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.schema.feature import Feature
from dirrac_core.data.schema.schema import CHANGE_TOLERANCE
from dirrac_core.errors import BrokenPlan, InvalidInput
from dirrac_core.feasible.checks import TOLERANCE
from dirrac_core.progress import look_up
from dirrac_core.recourse.problem import RecourseProblem
from dirrac_core.recourse.room_promise import BoxPromise
from dirrac_core.wording import joined

Mask = npt.NDArray[np.bool_]
MOST_FEATURES = 10
# The level of a room without a stated one: this much above the plan's own worst case.
ROOM_ABOVE = 0.05
# No side grows beyond twice the range of its number; ends are found to 3e-5 of the range.
FARTHEST = 2.0
HALVINGS = 16
# An end is moved out by fewer than twice as many whole units after others were drawn in.
MOST_UNITS = 64


@dataclass(frozen=True)
class Interval:
    """How far one number of a plan may move, in real units."""

    feature: str
    low: float
    high: float
    unit: str
    sentence: str


@dataclass(frozen=True, eq=False)
class Room:
    """Every plan whose numbers lie in the intervals keeps a worst case ≤ level and every rule.

    `worst` is the largest worst case among the corners of the box; `corners` (n, D) are those.
    """

    level: float
    worst: float
    intervals: tuple[Interval, ...]
    corners: Array

    @property
    def is_point(self) -> bool:
        """Whether no number of the plan may move at all."""
        return all(each.low == each.high for each in self.intervals)

    @property
    def sentence(self) -> str:
        """The whole box as text."""
        said = [interval.sentence for interval in self.intervals]
        return joined(said or ["no number may move"])


def room_to_move(
    dataset: Dataset, problem: RecourseProblem, x: Array, level: float | None = None
) -> Room:
    """The box around the plan x in the numbers it changes, in whole units, verified.

    All sides grow at one pace, measured in the range of each number, until each has met a limit:
    no smaller side can be made larger. Then every end is drawn in to the next whole unit.
    """
    look_up()
    value = problem.objective.value(x)
    level = value + ROOM_ABOVE if level is None else checked_number("level", level, low=0.0)
    level = min(level, 1.0)
    if value > level + TOLERANCE:
        message = f"A room needs a plan that keeps its level, got {value:.4g} at level {level:.4g}"
        raise InvalidInput(message)
    axes = _axes(dataset, problem, x)
    directions = np.array([axis.direction for axis in axes]).reshape(len(axes), x.size)
    promise = BoxPromise(problem, x, directions, level)
    reach = _grown(promise, len(axes))
    grid = [axis.grid(float(x[axis.column]), reach[i]) for i, axis in enumerate(axes)]
    steps = _whole(promise, x, axes, grid)
    intervals = tuple(
        axis.interval(*axis.real_ends(float(x[axis.column]), steps[i]))
        for i, axis in enumerate(axes)
    )
    corners = _corners(x, axes, steps)
    # A number that may not move makes each corner two equal ones.
    distinct = np.unique(corners, axis=0)
    worst = max(problem.objective.value(corner) for corner in distinct)
    broken = [c.name for corner in distinct for c in problem.unbounded.contains(corner).broken]
    if worst > level + TOLERANCE or broken:
        message = (
            f"Every corner of a room must keep the level {level:.6g} and every rule, got "
            f"{worst:.6g} and broken rules {broken}"
        )
        raise BrokenPlan(message)
    return Room(level, worst, intervals, corners)


@dataclass(frozen=True, eq=False)
class _Axis:
    """One number of the plan, and the direction (D,) in which it moves with what follows it."""

    feature: Feature
    column: int
    direction: Array

    def grid(self, at: float, reach: Array) -> tuple[float, Array]:
        """The step of whole units that leaves some room, and the outermost of them (down, up).

        Ends lie inside the reach; where no whole unit does, at the plan's own value.
        """
        feature = self.feature
        value = feature.real(at)
        low, high = value - reach[0] * feature.span, value + reach[1] * feature.span
        unit = 10.0**-feature.decimals
        for step in (feature.step, unit):
            inner = np.array([np.ceil(low / step) * step, np.floor(high / step) * step])
            if inner[0] < value - 0.5 * unit or inner[1] > value + 0.5 * unit:
                break
        return step, np.array([min(inner[0], value), max(inner[1], value)])

    def steps_to(self, at: float, ends: Array) -> Array:
        """Real ends (low, high) as steps down and up along the direction."""
        return np.array([at - self.feature.scaled(ends[0]), self.feature.scaled(ends[1]) - at])

    def real_ends(self, at: float, steps: Array) -> tuple[float, float]:
        """Steps down and up as real ends, free of rounding noise."""
        low, high = (self.feature.real(at + step) for step in (-steps[0], steps[1]))
        return round(low, 9), round(high, 9)

    def interval(self, low: float, high: float) -> Interval:
        """The ends as text."""
        feature = self.feature
        said = f"{feature.number(low)} to {feature.format_value(high)}"
        if feature.number(low) == feature.number(high):
            said = f"exactly {feature.format_value(high)}"
        return Interval(feature.name, low, high, feature.unit, f"{feature.name}: {said}")


def _axes(dataset: Dataset, problem: RecourseProblem, x: Array) -> list[_Axis]:
    """The numbers the plan changes; one that an equality ties to another follows it."""
    schema, actions = dataset.schema, problem.unbounded.actions
    equal = [rule.coefficients for rule in actions.linear if rule.low == rule.high]
    moved = np.abs(x - problem.x0)[:-1] > CHANGE_TOLERANCE
    axes: list[_Axis] = []
    taken: set[int] = set()
    for feature in schema.features:
        column = schema.columns_of(feature.name)[0]
        if feature.is_categorical or not moved[column] or column in taken:
            continue
        direction = np.zeros(x.size)
        direction[column] = 1.0
        for row in equal:
            others = [int(c) for c in np.flatnonzero(row) if c != column]
            if row[column] != 0.0 and len(others) == 1 and moved[others[0]]:
                direction[others[0]] = -row[column] / row[others[0]]
                taken.add(others[0])
        axes.append(_Axis(feature, column, direction))
    axes.sort(key=lambda axis: -abs(float(x[axis.column] - problem.x0[axis.column])))
    return axes[:MOST_FEATURES]


def _grown(promise: BoxPromise, axes: int) -> Array:
    """(axes, 2): how far each side grows down and up when all grow at one pace until stopped."""
    reach = np.zeros((axes, 2))
    growing = np.ones((axes, 2), dtype=bool)

    def pace_from(reach: Array, growing: Mask, most: float) -> float:
        return _largest(lambda t: promise.holds(np.where(growing, reach + t, reach)), most)

    while growing.any():
        most = FARTHEST - float(reach[growing].min())
        pace = pace_from(reach, growing, most)
        reach = np.where(growing, reach + pace, reach)
        if pace >= most:
            break
        nudge = most * 2.0 ** (1 - HALVINGS)
        stopped = np.zeros_like(growing)
        for side in zip(*np.nonzero(growing), strict=True):
            alone = reach.copy()
            alone[side] += nudge
            stopped[side] = not promise.holds(alone)
        if not stopped.any():
            # Sides that cannot grow together but could alone: the first of them stops.
            stopped[tuple(np.argwhere(growing)[0])] = True
        growing &= ~stopped
    return reach


def _whole(
    promise: BoxPromise, x: Array, axes: list[_Axis], grid: list[tuple[float, Array]]
) -> Array:
    """The box of whole units, each end one unit further as long as every condition is kept."""
    ends = [box.copy() for _, box in grid]

    def sides() -> Array:
        steps = [axis.steps_to(float(x[axis.column]), ends[i]) for i, axis in enumerate(axes)]
        return np.array(steps).reshape(len(axes), 2)

    def end_fits(i: int, end: int, value: float) -> bool:
        before, ends[i][end] = ends[i][end], value
        fits = promise.holds(sides())
        ends[i][end] = before
        return fits

    for i, (step, _) in enumerate(grid):
        for end, way in ((0, -1.0), (1, 1.0)):
            # Whole units outwards, from a value that may itself not be one. Drawing other ends in
            # may have made room for several.
            start = float((np.floor if way > 0 else np.ceil)(ends[i][end] / step)) * step
            units = 1
            while units < MOST_UNITS and end_fits(i, end, start + way * 2 * units * step):
                units *= 2
            reached = [
                n for n in range(units, 2 * units) if end_fits(i, end, start + way * n * step)
            ]
            if reached:
                ends[i][end] = start + way * reached[-1] * step
    return sides()


def _largest(holds: Callable[[float], bool], most: float) -> float:
    """The largest number up to `most` for which it holds, when it holds for 0, by bisection."""
    low, high = 0.0, most
    if holds(most):
        return most
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _corners(x: Array, axes: list[_Axis], sides: Array) -> Array:
    """(2^n, D): x with every axis at its lower or upper end."""
    if not axes:
        return x[None]
    directions = np.array([axis.direction for axis in axes])
    ends = [(-down, up) for down, up in sides]
    corners: Array = x + np.array(list(itertools.product(*ends))) @ directions
    return corners
