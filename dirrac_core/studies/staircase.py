"""A frontier as a staircase: which plans are efficient, which break a rule, where to look next."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.arrays import Array

Mask = npt.NDArray[np.bool_]
LEGAL, EFFICIENT = "legal", "efficient"
# Solvers agree to about this much; smaller differences in cost or probability mean nothing.
SAME = 1e-6
# An interval is worth a look inside when its ends differ by this effort or this probability.
TELLING_COST, TELLING_VALUE = 0.01, 0.002


def with_declines(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with M2 in the polarity of the promise: the share of future models that decline.

    `declined` = 1 − M2, with the intervals of M2 turned round.
    """
    turned = {"declined": 1.0 - rows["m2"]}
    for low, high in (("low", "high"), ("low_applicants", "high_applicants")):
        if f"m2_{low}" in rows.columns:
            turned[f"declined_{low}"] = 1.0 - rows[f"m2_{high}"]
            turned[f"declined_{high}"] = 1.0 - rows[f"m2_{low}"]
    if "guaranteed_low_applicants" in rows.columns:
        turned["worst_case_low_applicants"] = 1.0 - rows["guaranteed_high_applicants"]
        turned["worst_case_high_applicants"] = 1.0 - rows["guaranteed_low_applicants"]
    return rows.assign(**turned)


def with_steps(
    rows: pd.DataFrame, cost: str, value: str, lower_is_better: bool = False
) -> pd.DataFrame:
    """The rows with `legal` and `efficient`.

    A plan is legal when it keeps every rule and today's model accepts it, a mean when each of its
    plans keeps the rules.
    A plan is efficient when it is legal and no legal plan of the same method is as cheap and as
    good and better in one of the two; of equal plans, the first is.
    """
    if "broken" in rows.columns:
        legal = rows["found"].to_numpy(dtype=bool) & (rows["broken"] == "").to_numpy(dtype=bool)
    else:
        legal = rows["keeps_rules"].to_numpy(dtype=np.float64) >= 1.0 - SAME
    costs = rows[cost].to_numpy(dtype=np.float64)
    values = rows[value].to_numpy(dtype=np.float64) * (1.0 if lower_is_better else -1.0)
    known = legal & np.isfinite(costs) & np.isfinite(values)
    efficient = np.zeros(len(rows), dtype=bool)
    methods = rows["method"].to_numpy()
    for method in dict.fromkeys(methods):
        mine = np.flatnonzero(known & (methods == method))
        efficient[mine] = efficient_plans(costs[mine], values[mine])
    return rows.assign(**{LEGAL: legal, EFFICIENT: efficient})


def efficient_plans(costs: Array, values: Array) -> Mask:
    """Which plans no other beats, a low cost and a low value both being better."""
    kept = np.zeros(len(costs), dtype=bool)
    best = np.inf
    for place in np.lexsort((values, costs)):
        if values[place] < best - SAME:
            kept[place], best = True, values[place]
    return kept


def telling_parameters(
    solve: Callable[[float], tuple[float, float] | None],
    grid: Sequence[float],
    most: int,
    middle: Callable[[float, float], float],
) -> tuple[float, ...]:
    """The parameters of a sweep at which something happens: at most so many, in order.

    `solve` gives the cost and the value of the plan at a parameter (None: no plan). The grid is
    solved first; then the gap between two neighbours that differ most is split at `middle`, again
    and again. A gap whose middle is one of its ends holds nothing else. A parameter whose plan is
    that of the one before is left out.
    """
    found = {float(parameter): solve(float(parameter)) for parameter in grid}
    while len(found) < most:
        ordered = sorted(found)
        gaps = [
            (_apart(found[low], found[high]), middle(low, high))
            for low, high in zip(ordered, ordered[1:], strict=False)
            if low < middle(low, high) < high
        ]
        widest, between = max(gaps, default=(0.0, 0.0))
        if widest < 1.0:
            break
        found[between] = solve(between)
    kept: list[float] = []
    for parameter in sorted(found):
        plan = found[parameter]
        before = found[kept[-1]] if kept else None
        if plan is not None and (before is None or _apart(before, plan) > 0.0):
            kept.append(parameter)
    return tuple(kept) or tuple(float(parameter) for parameter in grid[:1])


def _apart(one: tuple[float, float] | None, other: tuple[float, float] | None) -> float:
    """How much two plans differ, in parts of what is worth a look; 0 for the same plan."""
    if one is None or other is None:
        return 0.0 if one is other else 1.0
    effort, value = abs(one[0] - other[0]), abs(one[1] - other[1])
    if effort <= SAME and value <= SAME:
        return 0.0
    return max(effort / TELLING_COST, value / TELLING_VALUE)
