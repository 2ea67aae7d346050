"""One slice for every ρ of an animation: set, budget and plan are those of that ρ."""

from dataclasses import dataclass, replace

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.geometry.case_plane import CasePlane, case_plane
from dirrac_core.geometry.slices import Slice
from dirrac_core.recourse import RecourseProblem
from dirrac_core.recourse.plane import plan_plane, radius_profile

# An animation shows this many radii, from 0 to a little beyond the last that leaves a plan.
RADII = 13
BEYOND = 1.08


@dataclass(frozen=True, eq=False)
class RadiusFrame:
    """The slice at one ρ (the largest ρ_k) and the plan there; None where no plan exists."""

    radius: float
    plane: Slice
    plan: Array | None
    worst_case: float


def animated_radii(case: Case) -> Array:
    """Radii from 0 to a little beyond the largest ρ that leaves a plan at any effort.

    Where every ρ does, they end at the case's own.
    """
    ceiling = case.problem.unbounded.largest_radius(radius_profile(case.problem))
    largest = BEYOND * ceiling if np.isfinite(ceiling) else 0.0
    step = max(largest, float(case.problem.radii.max()), 0.01) / (RADII - 1)
    # Two digits are enough on a slider; rounded up, so that the last radius stays beyond.
    unit = 10.0 ** (np.floor(np.log10(step)) - 1.0)
    radii: Array = np.ceil(step / unit) * unit * np.arange(RADII)
    return radii


def radius_frames(
    case: Case, features: tuple[str, str], at_plan: bool
) -> tuple[CasePlane, tuple[RadiusFrame, ...]]:
    """The axes, and one frame per animated radius.

    The other features are held at the plan of each ρ with `at_plan`, else at the applicant; where
    there is no plan, at the last one.
    """
    radii, profile = animated_radii(case), radius_profile(case.problem)
    plans = _plans(case.problem, radii)
    base, frames = case.x0, []
    for rho, (x, delta, worst) in zip(radii, plans, strict=True):
        if x is not None and at_plan:
            base = x
        # Without a plan there is no budget either: nothing is drawn of it.
        budget = 0.0 if x is None else delta
        feasible = replace(case.problem.unbounded.with_delta(budget), radii=rho * profile)
        plane = case_plane(case, features, base, feasible)
        frames.append(RadiusFrame(float(rho), plane.slice, x, worst))
    return plane, tuple(frames)


def _plans(problem: RecourseProblem, radii: Array) -> list[tuple[Array | None, float, float]]:
    """The plan, its budget δ_min + δ_add and its worst case at every ρ."""
    plane = plan_plane(problem, radii, [problem.delta_add])
    return [
        (None if np.isnan(x).any() else x, float(least + problem.delta_add), float(worst))
        for x, least, worst in zip(
            plane.x[:, 0], plane.delta_min[:, 0], plane.worst_case_probability[:, 0], strict=True
        )
    ]
