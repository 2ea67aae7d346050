"""One deterministic hypothesis profile for every property test."""

import os

from hypothesis import HealthCheck, settings

from dirrac_core.loading import cp_sat

# A page computes nothing but what it is asked for, here and in servers that tests start.
os.environ["DIRRAC_COMPUTE_AHEAD"] = "no"

# Tests import cvxpy at their head, and OR-tools must come before it.
cp_sat()

settings.register_profile(
    "deterministic",
    derandomize=True,
    deadline=None,
    max_examples=60,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("deterministic")
