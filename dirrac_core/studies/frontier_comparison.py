"""Two frontiers side by side: how far each reaches, and who beats whom."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dirrac_core.arrays import Array
from dirrac_core.studies.staircase import LEGAL, SAME


@dataclass(frozen=True)
class Reach:
    """How far the plans of one method reach, against those of another.

    `best` is the highest value and `best_cost` the least cost that attains it; `dearest` is the
    value of the most expensive plan. `level_cost` is the least cost at which the level common to
    both is reached. `beaten` of the `plans` have a rival that costs no more, reaches at least as
    much, and is better in one of the two.
    """

    plans: int
    best: float
    best_cost: float
    dearest: float
    level_cost: float
    beaten: int


@dataclass(frozen=True)
class Comparison:
    """Two frontiers side by side; `level` is the highest value both reach."""

    level: float
    first: Reach
    second: Reach


def compare(
    rows: pd.DataFrame, method: str, other: str, cost: str, value: str
) -> Comparison | None:
    """Compare two methods by the columns `cost` and `value`; None when one of them has no plan.

    A high value is better. Where rows say which plans are `legal`, only those count.
    """
    first, second = (_points(rows, name, cost, value) for name in (method, other))
    if not len(first) or not len(second):
        return None
    level = float(min(first[:, 1].max(), second[:, 1].max()))
    return Comparison(level, _reach(first, second, level), _reach(second, first, level))


def _reach(plans: Array, rivals: Array, level: float) -> Reach:
    best = float(plans[:, 1].max())
    return Reach(
        plans=len(plans),
        best=best,
        best_cost=_least_cost(plans, best),
        dearest=float(plans[plans[:, 0].argmax(), 1]),
        level_cost=_least_cost(plans, level),
        beaten=_beaten(plans, rivals),
    )


def _least_cost(plans: Array, level: float) -> float:
    return float(plans[plans[:, 1] >= level - SAME, 0].min())


def _points(rows: pd.DataFrame, method: str, cost: str, value: str) -> Array:
    mine = rows["method"] == method
    if LEGAL in rows.columns:
        mine &= rows[LEGAL]
    points: Array = rows.loc[mine, [cost, value]].to_numpy(dtype=np.float64)
    finite: Array = points[np.isfinite(points).all(axis=1)]
    return finite


def _beaten(plans: Array, rivals: Array) -> int:
    """How many plans (cost, value) have a rival at least as good in both and better in one."""
    saved = plans[:, None, 0] - rivals[None, :, 0]
    gained = rivals[None, :, 1] - plans[:, None, 1]
    no_worse = (saved >= -SAME) & (gained >= -SAME)
    better = (saved > SAME) | (gained > SAME)
    return int((no_worse & better).any(axis=1).sum())
