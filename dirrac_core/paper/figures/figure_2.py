"""Settings whose geometry looks like the paper's Figure 2."""

from dirrac_core.case.scenario import Scenario
from dirrac_core.models.futures.shift import PRIOR, Shift

# Wide enough that every margin stands apart from its boundary and all three bend.
RADIUS = 1.6


def figure_2_scenario() -> Scenario:
    """Two features, a Euclidean budget, and three components that differ in slope and place."""
    shifts = (
        Shift("covariance-growth", 1.0, radius=RADIUS),
        Shift(PRIOR, -1.0, radius=RADIUS),
        Shift("economic-period", 1.0, radius=RADIUS),
    )
    return Scenario(
        "synthetic",
        395,
        shifts=shifts,
        delta_add=0.12,
        cost="l2",
        futures="sampling",
        radius_unit="weights",
    )
