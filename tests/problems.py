"""Random small problems with every kind of restriction, built from a seed."""

from dataclasses import dataclass, replace

import numpy as np

from dirrac_core import Actions, ParameterMixture, RecourseProblem, WeightBall
from dirrac_core.data.schema.plausible_set import PlausibleSet
from dirrac_core.robustness import DIVERGENCES

PLAIN = 3
GROUP = (3, 4, 5)
COLUMNS = 6
BOX = {"lower": np.zeros(COLUMNS), "upper": np.ones(COLUMNS)}
ROW = np.array([1.0, 1.0, -0.5, 0.0, 0.3, 0.0])

# Real people lie around the middle; the ellipsoid is tilted and holds every applicant.
PEOPLE = PlausibleSet(
    lower=[0.05, 0.02, 0.1, *[-np.inf] * 3],
    upper=[0.95, 0.9, 0.9, *[np.inf] * 3],
    factor=[[1.0, 0.4, -0.2, 0, 0, 0], [0, 1.3, 0.3, 0, 0, 0], [0, 0, 0.9, 0, 0, 0]],
    centre=[0.45, 0.4, 0.45, 0, 0, 0],
    size=0.45,
)

# Every action flag alone (with what it cannot do without), and all of them together.
FLAGS = {
    "free": {},
    "box": BOX,
    "locked": {"locked": (2,), **BOX},
    "one-way": {"only_up": (0,), "only_down": (1,), **BOX},
    "groups": {"groups": (GROUP,), **BOX},
    "weights": {"weights": [0.5, 2.0, 1.0, 1.5, 0.7, 1.0], **BOX},
    "linear": {"linear": [(ROW, -0.2, 1.1)], **BOX},
    "conditional": {"groups": (GROUP,), "conditional": [(4, 0, 0.0, 0.45)], **BOX},
    "plausible": {"plausible": PEOPLE, **BOX},
    "everything": {
        "locked": (2,),
        "only_up": (0,),
        "only_down": (1,),
        "groups": (GROUP,),
        "weights": [0.5, 2.0, 1.0, 1.5, 0.7, 1.0],
        "linear": [(ROW, -0.2, 1.4)],
        "conditional": [(4, 0, 0.1, 0.8), (5, 1, 0.0, 0.4)],
        "plausible": replace(PEOPLE, size=0.7),
        **BOX,
    },
}
WEIGHTINGS = {
    "nominal": "nominal",
    "worst-component": "worst-component",
    **{name: WeightBall(name, 0.1) for name in sorted(DIVERGENCES)},
}
# The three weightings of the paper; with two links, the six formulations.
THREE_WEIGHTINGS = ("nominal", "worst-component", "kl")
LINKS = ("chebyshev", "gaussian")


@dataclass(frozen=True, eq=False)
class Case:
    """An applicant that every component declines, and the mixture."""

    x0: np.ndarray
    mixture: ParameterMixture
    rng: np.random.Generator

    def metric(self, name, rank=4):
        """The metric of this name; "matrices" are random ones of this rank."""
        if name != "matrices":
            return name
        k, d = self.mixture.means.shape
        roots = np.random.default_rng(k).normal(size=(k, d, rank)) / np.sqrt(rank)
        return roots @ roots.transpose(0, 2, 1)

    def problem(self, flags="free", **options):
        """The recourse problem of this applicant under a named set of restrictions."""
        weighting = WEIGHTINGS[options.pop("weighting", "nominal")]
        actions = options.pop("actions", None) or Actions(**FLAGS[flags])
        options = {"radii": 0.05, "delta_add": 0.4} | options
        return RecourseProblem(
            self.x0, self.mixture, actions=actions, weighting=weighting, **options
        )


METRICS = ("weights", "deviations", "matrices")


def random_case(seed, components=1, rank=None, spread=0.3):
    """Six columns: three numbers in [0, 1] and a one-hot group of three.

    The components share a direction (column 0 up and column 1 down help) and differ by `spread`;
    `rank` is the rank of the covariances, full unless given.
    """
    rng = np.random.default_rng(seed)
    d = COLUMNS + 1
    x0 = np.concatenate([rng.uniform(0.2, 0.6, PLAIN), np.eye(3)[rng.integers(3)], [1.0]])
    shared = np.array([1.2, -0.8, 0.5, *rng.normal(scale=0.5, size=3), 0.0])
    means = shared + spread * rng.normal(size=(components, d))
    means[:, -1] -= means @ x0 + rng.uniform(0.1, 0.35, components)
    factors = 0.15 * rng.normal(size=(components, d, d if rank is None else rank))
    weights = rng.dirichlet(np.full(components, 3.0)) * 0.8 + 0.2 / components
    mixture = ParameterMixture(weights, means, factors @ factors.transpose(0, 2, 1))
    return Case(x0, mixture, rng)


def plane_case(seed, components):
    """Two free columns in [0, 1], declined at x0: small enough for an exhaustive grid."""
    rng = np.random.default_rng(seed)
    x0 = np.array([*rng.uniform(0.1, 0.4, 2), 1.0])
    angles = rng.uniform(0.2, 1.3, components)
    means = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(components)])
    means[:, -1] = -(means @ x0) - rng.uniform(0.05, 0.25, components)
    factors = 0.2 * rng.normal(size=(components, 3, 3))
    weights = rng.dirichlet(np.full(components, 3.0)) * 0.8 + 0.2 / components
    mixture = ParameterMixture(weights, means, factors @ factors.transpose(0, 2, 1))
    return Case(x0, mixture, rng)


PLANE = Actions(lower=[0.0, 0.0], upper=[1.0, 1.0])
