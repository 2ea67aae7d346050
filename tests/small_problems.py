"""Small recourse problems in the unit box, drawn at random; a slice at other radii."""

from dataclasses import replace

import numpy as np

from dirrac_core import Actions, ParameterMixture, RecourseProblem
from dirrac_core.geometry.slices import Slice


def random_problem(rng, d=4, components=1, mixture=None, **settings):
    if mixture is None:
        means = rng.normal(size=d + 1) + 0.2 * rng.normal(size=(components, d + 1))
        roots = 0.2 * rng.normal(size=(components, d + 1, d + 1))
        weights = rng.dirichlet(5.0 * np.ones(components))
        mixture = ParameterMixture(weights, means, roots @ roots.transpose(0, 2, 1))
    x0 = np.append(rng.random(d), 1.0)
    box = Actions(
        lower=np.zeros(d),
        upper=np.ones(d),
        locked=[c for c in range(d) if rng.random() < 0.15],
        weights=rng.uniform(0.5, 2.0, d),
        linear=[(rng.normal(size=d), -np.inf, 2.0)] if rng.random() < 0.4 else [],
    )
    return RecourseProblem(x0, mixture, actions=box, **settings)


def slice_at(radii, plane):
    """The same slice for other radii ρ; the budget δ stays as it is."""
    return Slice(replace(plane.feasible, radii=radii), plane.base, plane.columns)
