"""Many plans in whole, sensible units: `plan_in_real_units` as array operations over people.

Inside, plans are (n, D − 1) as the schema has them; the kernel has people last.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data.schema.many_people import (
    moved,
    real_values,
    rounded_people,
    rules_held,
)
from dirrac_core.data.schema.rules import ProductRule
from dirrac_core.data.schema.schema import Schema
from dirrac_core.feasible.checks import TOLERANCE
from dirrac_core.recourse.near_values import many_finest_neighbours, many_neighbours
from dirrac_core.recourse.whole_numbers import RESOLVE_GAP
from dirrac_core.recourse.whole_units import LARGE_LOSS, MOST_COMBINED, SMALL_LOSS
from dirrac_core.robustness import Objective
from dirrac_core.solvers.batch.crowd import Crowd, Places
from dirrac_core.solvers.batch.pieces import Mask
from dirrac_core.solvers.batch.search import best_plans, cheapest_plans, values_at

# So many candidates are judged at once, which keeps their arrays in the cache.
MOST_CANDIDATES = 4096


@dataclass(frozen=True, eq=False)
class WholePlans:
    """Plans (D, people) and their worst cases; in whole units where `rounded`.

    Who is not `settled` needs a number fixed for which the kernel has no proved answer.
    """

    x: Array
    value: Array
    rounded: Mask
    settled: Mask


def in_whole_units(
    schema: Schema,
    crowd: Crowd,
    objective: Objective,
    delta: Array,
    x: Array,
    value: Array,
    narrow: bool,
) -> WholePlans:
    """The best plans in real units near `x` (D, people) that keep every condition within δ.

    `narrow` says that likeness to real people or a rule of the domain may leave no room for
    anything but the finest units.
    """
    rounding = _Rounding(schema, crowd, objective, delta, x)
    best, plan = rounding.best(rounding.candidates, np.arange(crowd.people))
    settled = np.ones(crowd.people, dtype=bool)
    promised = value + SMALL_LOSS
    again = np.flatnonzero(best > promised)
    if again.size:
        found, other, known = _solved_again(rounding.chosen(again))
        settled[again] = known
        better = found < best[again]
        best[again[better]], plan[:, again[better]] = found[better], other[:, better]
    if narrow:
        poor = np.flatnonzero(best > promised + LARGE_LOSS)
        found, other = rounding.best(rounding.finest_candidates, poor)
        better = found < best[poor]
        best[poor[better]], plan[:, poor[better]] = found[better], other[:, better]
    rounded = np.isfinite(best)
    # Values further away are looked for one person at a time.
    settled &= rounded
    return WholePlans(np.where(rounded, plan, x), np.where(rounded, best, value), rounded, settled)


class _Rounding:
    """Some people, their exact plans, and what is known of those."""

    def __init__(
        self, schema: Schema, crowd: Crowd, objective: Objective, delta: Array, x: Array
    ) -> None:
        self.schema, self.crowd, self.objective, self.delta = schema, crowd, objective, delta
        self.X0, self.X = crowd.x0[:-1].T, np.ascontiguousarray(x[:-1].T)
        self.held = rules_held(schema, self.X)
        self.numbers = [f for f in schema.features if not f.is_categorical]
        self.columns = [schema.columns_of(f.name)[0] for f in self.numbers]
        self.moved = self.moving(self.X)

    def chosen(self, who: Places) -> "_Rounding":
        """Those of some of the people."""
        whole = np.concatenate([self.X[who].T, np.ones((1, who.size))])
        crowd = self.crowd.chosen(who)
        return _Rounding(self.schema, crowd, self.objective, self.delta[who], whole)

    def moving(self, X: Array) -> Mask:
        """The numbers (numeric features, n) plans X move, without those that follow from others."""
        derived = {rule.result for rule in self.schema.rules if isinstance(rule, ProductRule)}
        coherent = rules_held(self.schema, X).all(axis=0)
        far = [moved(self.schema, f, self.X0, X) for f in self.numbers]
        follows = [coherent & (f.name in derived) for f in self.numbers]
        return np.stack(far) & ~np.stack(follows)

    def candidates(self, who: Places) -> Array:
        """Roundings (candidates, n, D − 1): to the nearest, then down or up in every way."""
        X, X0 = self.X[who], self.X0[who]
        return np.concatenate([rounded_people(self.schema, X, X0)[None], self._ways(who, False)])

    def finest_candidates(self, who: Places) -> Array:
        """Roundings to the finest unit shown, also with one unit less of a change."""
        return self._ways(who, True)

    def _ways(self, who: Places, fine: bool) -> Array:
        """The plans with their moved numbers at each end, in every combination worth trying.

        All of `who` move as many numbers. Beyond the largest moves only the end towards the
        applicant is tried: cheaper, and hardly weaker.
        """
        X, X0 = self.X[who], self.X0[who]
        moving = self.moved[:, who]
        near = many_finest_neighbours if fine else many_neighbours
        ends = np.stack(
            [near(f, X0[:, c], X[:, c]) for f, c in zip(self.numbers, self.columns, strict=True)]
        )
        width = ends.shape[1]
        change = np.abs(X - X0)[:, self.columns].T
        largest = np.argsort(np.where(moving, -change, np.inf), axis=0, kind="stable")
        count = min(int(moving.sum(axis=0)[0]), MOST_COMBINED)
        everybody = np.arange(who.size)
        ways = []
        for way in range(width**count):
            values = ends[:, 0].copy()
            for rank in range(count):
                digit = way // width ** (count - 1 - rank) % width
                values[largest[rank], everybody] = ends[largest[rank], digit, everybody]
            ways.append(self._with_values(X, X0, values, moving, fine))
        return np.stack(ways)

    def _with_values(self, X: Array, X0: Array, values: Array, there: Mask, fine: bool) -> Array:
        """X with real values (numeric features, n) where `there`, products restored, rounded."""
        exact = real_values(self.schema, X)
        real, changed = dict(exact), X.copy()
        for i, (feature, column) in enumerate(zip(self.numbers, self.columns, strict=True)):
            real[feature.name] = np.where(there[i], values[i], exact[feature.name])
            changed[:, column] = np.where(there[i], feature.scaled(values[i]), X[:, column])
        for rule in self.schema.rules:
            if isinstance(rule, ProductRule):
                result = self.schema.feature(rule.result)
                (column,) = self.schema.columns_of(rule.result)
                product = real[rule.factor] * real[rule.base]
                restored = result.scaled(product)
                changed[:, column] = np.where(rule.holds(exact), restored, changed[:, column])
        rounded = rounded_people(self.schema, changed, X0)
        return np.where(np.abs(changed - X) > 0.0, changed, rounded) if fine else rounded

    def best(self, candidates: Callable[[Places], Array], who: Places) -> tuple[Array, Array]:
        """The smallest worst case of the candidates that keep everything, and those plans."""
        best, plan = np.full(who.size, np.inf), np.zeros((len(self.crowd.x0), who.size))
        plan[-1] = 1.0
        counts = np.minimum(self.moved[:, who].sum(axis=0), MOST_COMBINED)
        for count in np.unique(counts):
            same = np.flatnonzero(counts == count)
            size = max(1, MOST_CANDIDATES // 3 ** int(count))
            for first in range(0, same.size, size):
                part = same[first : first + size]
                for X in candidates(who[part]):
                    value = self.judged(X, who[part])
                    better = value < best[part]
                    best[part[better]], plan[:-1, part[better]] = value[better], X[better].T
        return best, plan

    def judged(self, X: Array, who: Places) -> Array:
        """The worst cases of plans X of `who`; infinite where a condition is not kept."""
        coherent = (rules_held(self.schema, X) | ~self.held[:, who]).all(axis=0)
        mine = self.crowd.chosen(who)
        x = np.concatenate([X.T, np.ones((1, who.size))])
        kept = coherent & mine.keeps(x, self.delta[who])
        return np.where(kept, values_at(mine, x, self.objective), np.inf)


def _solved_again(rounding: _Rounding) -> tuple[Array, Array, Mask]:
    """Fix one rounded number after the other, solving for the rest each time.

    The worst cases, the plans (D, people), and for whom every answer on the way is proved.
    """
    crowd, numbers, columns = rounding.crowd, rounding.numbers, np.array(rounding.columns)
    people = crowd.people
    lower, upper = crowd.lower.copy(), crowd.upper.copy()
    X, fixed = rounding.X.copy(), np.zeros((len(numbers), people), dtype=bool)
    going, known = np.ones(people, dtype=bool), np.ones(people, dtype=bool)
    for _ in numbers:
        open_ = rounding.moving(X) & ~fixed
        who = np.flatnonzero(going & known & open_.any(axis=0))
        if not who.size:
            break
        change = np.where(open_, np.abs(X - rounding.X0)[:, columns].T, -1.0)[:, who]
        which = change.argmax(axis=0)
        ends = np.stack(
            [
                many_neighbours(f, rounding.X0[who, c], X[who, c])
                for f, c in zip(numbers, columns, strict=True)
            ]
        )[which, :, np.arange(who.size)]
        low = np.array([f.low for f in numbers])[which]
        span = np.array([f.span for f in numbers])[which]
        value, point = np.full(who.size, np.inf), np.zeros((who.size, X.shape[1]))
        end = np.zeros(who.size)
        for side in range(2):
            tried = np.ones(who.size, dtype=bool) if side == 0 else ends[:, 1] != ends[:, 0]
            scaled = (ends[:, side] - low) / span
            column = columns[which]
            tried &= (scaled >= lower[column, who]) & (scaled <= upper[column, who])
            part = np.flatnonzero(tried)
            narrowed_lower, narrowed_upper = lower[:, who[part]], upper[:, who[part]]
            narrowed_lower[column[part], np.arange(part.size)] = scaled[part]
            narrowed_upper[column[part], np.arange(part.size)] = scaled[part]
            mine = replace(crowd.chosen(who[part]), lower=narrowed_lower, upper=narrowed_upper)
            found, x, proved = _solved(mine, rounding.objective, rounding.delta[who[part]])
            known[who[part]] &= proved
            better = found < value[part]
            value[part[better]], point[part[better]] = found[better], x[:-1, better].T
            end[part[better]] = scaled[part[better]]
        there = np.isfinite(value)
        going[who[~there]] = False
        kept = who[there]
        X[kept] = point[there]
        fixed[which[there], kept] = True
        column = columns[which[there]]
        lower[column, kept] = upper[column, kept] = end[there]
    rounded = rounded_people(rounding.schema, X, rounding.X0)
    values = rounding.judged(rounded, np.arange(people))
    x = np.concatenate([rounded.T, np.ones((1, people))])
    return np.where(going, values, np.inf), x, known


def _solved(crowd: Crowd, objective: Objective, delta: Array) -> tuple[Array, Array, Mask]:
    """Values and plans within δ; infinite where there is none; whether either is proved."""
    if not crowd.people:
        return np.zeros(0), crowd.x0, np.zeros(0, dtype=bool)
    cheapest = cheapest_plans(crowd)
    slack = TOLERANCE * np.maximum(crowd.cost_unit, delta)
    too_dear = cheapest.floor > delta + slack
    able = np.flatnonzero(cheapest.settled & (cheapest.cost <= delta + slack))
    value, x = np.full(crowd.people, np.inf), crowd.x0.copy()
    proved = too_dear
    if able.size:
        some = crowd.chosen(able)
        best = best_plans(some, cheapest.chosen(able), delta[able], objective, RESOLVE_GAP)
        value[able], x[:, able] = best.value, best.x
        proved[able] = best.settled
    return value, x, proved
