"""What the geometry figure shows of one case: the slice, its axes, its points and its path."""

from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array, checked_choice
from dirrac_core.baselines import Plan, Roar, RoarSettings
from dirrac_core.errors import InvalidInput
from dirrac_core.evaluation.case_frontier import case_actions, linear_stand_in
from dirrac_core.feasible import FeasibleSet
from dirrac_core.feasible.slices import Slice
from dirrac_core.figures.axes import Axis, feature_axis
from dirrac_core.scenario import Case
from dirrac_core.solvers import Outcome, solve_projected_gradient
from dirrac_core.solvers.projected_gradient import Algorithm1

# The path is for the eye: later steps move by less than a pixel.
MOST_STEPS = 60
# An animation shows this many radii, from 0 to a little beyond the last that leaves a plan.
RADII = 13
BEYOND = 1.15


@dataclass(frozen=True, eq=False)
class CasePlane:
    """A slice through a case, and its two axes in real units."""

    slice: Slice
    axes: tuple[Axis, Axis]

    def point(self, across: float, up: float) -> Array:
        """The full vector (D,) at two real values, everything else as held in the slice."""
        scaled = [a.to_encoded(v) for a, v in zip(self.axes, (across, up), strict=True)]
        x: Array = self.slice.embed([scaled])[0]
        return x

    def real(self, x: Array) -> tuple[float, float]:
        """The two real values of a full vector (D,)."""
        i, j = self.slice.columns
        return self.axes[0].to_real(float(x[i])), self.axes[1].to_real(float(x[j]))


def numeric_features(case: Case) -> tuple[str, ...]:
    """The features that can be an axis: numbers, in the order of the schema."""
    return tuple(f.name for f in case.dataset.schema.features if not f.is_categorical)


def telling_features(case: Case, x: Array | None) -> tuple[str, str]:
    """The two numbers a plan x moves most, then those that may move, then the first ones."""
    names = numeric_features(case)
    if len(names) < 2:
        message = f"A slice needs two numeric features, got {len(names)}"
        raise InvalidInput(message)
    goal = case.x0 if x is None else x
    column = {name: case.dataset.schema.columns_of(name)[0] for name in names}
    bounds = case.problem.unbounded.bounds
    free = bounds.lower < bounds.upper
    moved = np.abs(goal - case.x0)
    first, second = sorted(names, key=lambda n: (-moved[column[n]], not free[column[n]]))[:2]
    return (first, second) if names.index(first) < names.index(second) else (second, first)


def case_plane(case: Case, features: tuple[str, str], base: Array) -> CasePlane:
    """The slice of the case's feasible set in two numeric features, the rest as in `base` (D,)."""
    schema = case.dataset.schema
    for name in features:
        checked_choice("An axis", name, numeric_features(case))
    i, j = (schema.columns_of(name)[0] for name in features)
    axes = tuple(feature_axis(schema.feature(name)) for name in features)
    return CasePlane(Slice(drawn_set(case), base, (i, j)), (axes[0], axes[1]))


def drawn_set(case: Case) -> FeasibleSet:
    """The feasible set; where no plan exists, with the largest budget the ranges can use."""
    feasible = case.problem.feasible_set
    if np.isfinite(feasible.delta):
        return feasible
    return case.problem.unbounded.with_delta(float(feasible.bounds.weights.sum()))


def algorithm1(case: Case, steps: int = MOST_STEPS) -> Outcome | None:
    """At most so many steps of the paper's Algorithm 1, with its path; None without a plan."""
    if not np.isfinite(case.problem.delta_min):
        return None
    feasible = case.problem.feasible_set
    return solve_projected_gradient(feasible, case.problem.objective, Algorithm1(iterations=steps))


def roar_plan(case: Case, settings: RoarSettings | None = None) -> Plan:
    """The exact ROAR plan of the case under the same rules of what may change."""
    method = Roar(linear_stand_in(case), settings or RoarSettings(), case.scenario.categories)
    return method.recourse(case.x0, case_actions(case))


def animated_radii(case: Case) -> Array:
    """Radii from 0 to a little beyond the largest ρ that leaves a plan within the budget."""
    own = case.problem.radii
    profile = own / own.max() if own.any() else np.ones_like(own)
    ceiling = drawn_set(case).largest_radius(profile)
    step = max(BEYOND * ceiling, float(own.max()), 0.01) / (RADII - 1)
    # Two digits are enough on a slider; rounded up, so that the last radius stays beyond.
    unit = 10.0 ** (np.floor(np.log10(step)) - 1.0)
    radii: Array = np.ceil(step / unit) * unit * np.arange(RADII)
    return radii
