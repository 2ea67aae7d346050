"""The (ρ, δ_add) plane of one applicant as a map: worst case everywhere, and who changes what."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.data.schema.schema import CHANGE_TOLERANCE, Schema
from dirrac_core.recourse.plane import Plane, plan_plane, radius_profile

# Pairs along each side, and where plans must be like those of real people, one by one.
SIDE, SLOW_SIDE = 60, 9
# Radii of a first look, which finds the part of the plane where a promise is useful.
FIRST_LOOK = 10
LEAST_BUDGET = 0.6
NEAR_CEILING = 0.97
USELESS = 0.5
NO_PLAN = -1


@dataclass(frozen=True, eq=False)
class SettingsMap:
    """Rows are radii, columns budgets. `worst_case` is 1 and `region` NO_PLAN without a plan.

    `region` is a place in `regions`, which name the features that the plans there change.
    """

    radii: Array
    delta_adds: Array
    worst_case: Array
    cost: Array
    region: npt.NDArray[np.int64]
    regions: tuple[tuple[str, ...], ...]


def settings_map(case: Case) -> SettingsMap:
    """The map around the case's own ρ and δ_add, as far as a promise is useful."""
    side = SIDE if case.problem.unbounded.actions.plausible is None else SLOW_SIDE
    rho, add = _ends(case, min(FIRST_LOOK, side))
    radii, adds = np.linspace(0.0, rho, side), np.linspace(0.0, add, side)
    plane = plan_plane(case.problem, radii, adds, case.scenario.gap)
    region, regions = _regions(case, plane)
    return SettingsMap(radii, adds, plane.worst_case_probability, plane.cost, region, regions)


def _ends(case: Case, looks: int) -> tuple[float, float]:
    """The largest ρ and δ_add shown: beyond them a promise is useless or budget stays unused."""
    problem = case.problem
    own_rho, own_add = float(problem.radii.max()), problem.delta_add
    ceiling = problem.unbounded.largest_radius(radius_profile(problem))
    # At the ceiling itself a single point is left, which is slow to settle.
    reach = NEAR_CEILING * ceiling
    farthest = reach if np.isfinite(ceiling) and ceiling > 0.0 else max(4.0 * own_rho, 1.0)
    most = max(LEAST_BUDGET, 1.25 * own_add)
    look = plan_plane(problem, np.linspace(0.0, farthest, looks), [most])
    useful = np.flatnonzero(look.worst_case_probability[:, 0] <= USELESS)
    last = min(int(useful[-1]) + 1, looks - 1) if useful.size else looks - 1
    spent = look.cost[: last + 1, 0] - look.delta_min[: last + 1, 0]
    used = float(np.nanmax(spent)) if np.isfinite(spent).any() else most
    rho = max(float(look.radii[last]), 1.5 * own_rho)
    return _rounded(rho), _rounded(min(max(1.1 * used, 1.25 * own_add, 0.1), most))


def _rounded(value: float) -> float:
    """Up to the next number of two digits."""
    unit = 10.0 ** (np.floor(np.log10(value)) - 1.0)
    return float(np.ceil(value / unit - 1e-9) * unit)


def _regions(case: Case, plane: Plane) -> tuple[npt.NDArray[np.int64], tuple[tuple[str, ...], ...]]:
    schema: Schema = case.dataset.schema
    moved = np.abs(plane.x[..., :-1] - case.x0[:-1]) > CHANGE_TOLERANCE
    names = [feature.name for feature in schema.features]
    changed = np.stack([moved[..., list(schema.columns_of(n))].any(axis=-1) for n in names], -1)
    kinds, place = np.unique(changed.reshape(-1, len(names)), axis=0, return_inverse=True)
    region = place.reshape(plane.cost.shape).astype(np.int64)
    region[np.isnan(plane.cost)] = NO_PLAN
    regions = tuple(tuple(n for n, c in zip(names, kind, strict=True) if c) for kind in kinds)
    return region, regions
