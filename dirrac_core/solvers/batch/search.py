"""The cheapest and the best plans of a crowd, each with its certificate, piece by piece.

All pieces of all people are looked at together. Who is `settled` has a plan that keeps every
condition and a bound within the requested gap; nothing is said of the others.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.feasible.checks import TOLERANCE
from dirrac_core.feasible.feasible_set import BUDGET_SLACK
from dirrac_core.feasible.piece import ROW_TOLERANCE
from dirrac_core.robustness import Link, Nominal, Objective, WorstComponent
from dirrac_core.solvers.batch.bound import cost_bound, proved_score
from dirrac_core.solvers.batch.choices import choices
from dirrac_core.solvers.batch.crowd import Crowd, Places
from dirrac_core.solvers.batch.interior import interior
from dirrac_core.solvers.batch.linear import picked, summed
from dirrac_core.solvers.batch.objective import CHEAPEST, MIXTURE, SCORE, Goal, trial_score
from dirrac_core.solvers.batch.pieces import Mask, Pieces, scores

# The cost of the cheapest plan is proved to this much, relative to the cost.
COST_GAP = 1e-8
# So many pieces are made at once, which bounds the memory where categories are many.
MOST_PIECES = 8192
# λ·z when a mixture is improved from a plan that is good already.
WARM = 1e-3


@dataclass(frozen=True, eq=False)
class CheapestPlans:
    """δ_min and a plan that attains it (D, people), where `settled`.

    No plan costs less than `floor`, settled or not; that is infinite where there is none at all.
    """

    x: Array
    cost: Array
    settled: Mask
    floor: Array

    def chosen(self, who: Places) -> "CheapestPlans":
        """Those of some of the people."""
        return CheapestPlans(
            picked(self.x, who), self.cost[who], self.settled[who], self.floor[who]
        )


@dataclass(frozen=True, eq=False)
class BestPlans:
    """Plans (D, people), their values and proved lower bounds, where `settled`."""

    x: Array
    value: Array
    lower_bound: Array
    settled: Mask


def cheapest_plans(crowd: Crowd) -> CheapestPlans:
    """The cheapest valid plan of everybody, whatever the budget."""
    people = crowd.people
    x = crowd.x0.copy()
    # What the checklist accepts as it stands costs nothing.
    stays = crowd.keeps(x, np.zeros(people)) & ~crowd.contradicted
    best = np.where(stays, 0.0, np.inf)
    floor = best.copy()
    with np.errstate(all="ignore"):
        for who, part in _pieces(crowd, lambda costs: costs < best, own_first=True):
            found = interior(part, Goal(CHEAPEST), np.full(part.people, np.inf), part.y0)
            points = part.plan(found.y)
            bound = np.where(_empty(part), np.inf, cost_bound(part, found))
            points, bound = points[:, : who.size], bound[: who.size]
            mine = crowd.chosen(who)
            cost = mine.cost_of(points)
            better = mine.keeps(points, cost) & (cost < best[who]) & ~mine.contradicted
            chosen = _smallest_last(cost, better)
            x[:, who[chosen]], best[who[chosen]] = points[:, chosen], cost[chosen]
            np.minimum.at(floor, who, np.where(np.isnan(bound), 0.0, bound))
    with np.errstate(invalid="ignore"):
        near = np.abs(best - floor) <= COST_GAP * np.maximum(best, crowd.cost_unit)
    if crowd.whole and crowd.groups and choices(crowd) is None:
        # Nobody's categories were looked at.
        floor[:], near[:] = 0.0, stays
    floor[crowd.contradicted] = np.inf
    return CheapestPlans(x, best, np.isfinite(best) & near, floor)


def knows(objective: Objective) -> bool:
    """Whether plans are sought by this objective at all: not by the worst weights in a ball."""
    return objective.is_one_score or isinstance(objective.weighting, Nominal)


def best_plans(
    crowd: Crowd, cheapest: CheapestPlans, delta: Array, objective: Objective, gap: float
) -> BestPlans:
    """The best plan of everybody within the budgets δ, from their cheapest plans."""
    people, count = crowd.people, crowd.shared.means.shape[0]
    if not knows(objective):
        nothing = np.full(people, np.nan)
        return BestPlans(crowd.x0, nothing, nothing, np.zeros(people, dtype=bool))
    state = _Best(crowd, delta, objective, cheapest)
    limit = delta + TOLERANCE * np.maximum(crowd.cost_unit, delta)
    with np.errstate(all="ignore"):
        for who, part in _pieces(crowd, lambda costs: (costs <= limit) & cheapest.settled):
            if objective.is_one_score:
                state.open_single(who, part, Goal(SCORE, tuple(range(count))))
            else:
                state.open_mixture(who, part)
    lower = np.maximum(np.minimum(state.floor, state.value), 0.0)
    settled = cheapest.settled & (state.value - lower <= gap * (1.0 + 1e-9) + 1e-12)
    return BestPlans(state.x, state.value, lower, settled)


def _pieces(
    crowd: Crowd, wanted: Callable[[Array], Mask], own_first: bool = False
) -> Iterator[tuple[Places, Pieces]]:
    """Everybody's pieces whose categories are `wanted` at their cost, as many at once as there are.

    The same person may be in one part with several combinations of categories. With `own_first`
    the cheapest combination of everybody comes first, and `wanted` is asked again after it.
    """
    everybody = np.arange(crowd.people)
    if not crowd.whole or not crowd.groups:
        yield from _parts(crowd, None, everybody[wanted(np.zeros(crowd.people))])
        return
    options = choices(crowd)
    if options is None:
        return
    split = 1 if own_first else 0
    for some in (slice(0, split), slice(split, None)):
        costs = options.costs[some]
        ranks, who = np.nonzero(np.isfinite(costs) & wanted(costs))
        for first in range(0, who.size, MOST_PIECES):
            now = slice(first, first + MOST_PIECES)
            columns = np.ascontiguousarray(options.columns[some][ranks[now], :, who[now]].T)
            yield from _parts(crowd, columns, who[now])


def _parts(crowd: Crowd, columns: Array | None, who: Places) -> Iterator[tuple[Places, Pieces]]:
    for part, pieces in crowd.parts(columns, who):
        yield who[part], pieces


def _smallest_last(values: Array, offered: Mask) -> Places:
    """Who is offered something, the smallest value last: it stays where a person is there twice."""
    places = np.flatnonzero(offered)
    return places[np.argsort(values[places], kind="stable")[::-1]]


def _empty(part: Pieces) -> Mask:
    """Whose piece has no valid plan at all: a broken row, or m_k out of reach within the bounds."""
    means = part.means[:, :, None]
    gains = np.where(means > 0.0, means * part.upper, means * part.lower)
    reach = part.mean_base + np.where(means == 0.0, 0.0, gains).sum(axis=1)
    rest = np.stack([radius.rest for radius in part.radius])
    needed = part.radii * rest + part.shared.margins[:, None]
    short = reach < needed - ROW_TOLERANCE * np.maximum(part.scales, needed)
    empty: Mask = part.empty | short.any(axis=0)
    return empty


def _score_of(part: Pieces, goal: Goal, y: Array) -> Array:
    """The smallest score of the goal's components at y, (people,)."""
    chosen = list(goal.components)
    m = part.mean(y)[chosen]
    s = np.stack([part.deviation[k].at(y)[0] for k in chosen])
    r = np.stack([part.radii[k] * part.radius[k].at(y)[0] for k in chosen])
    least: Array = scores(m, s, r).min(axis=0)
    return least


def values_at(crowd: Crowd, x: Array, objective: Objective) -> Array:
    """The worst-case probability of everybody's plan x (D, people), by a fixed weighting."""
    f = objective.link.probability(scores(*crowd.terms(x)))
    if isinstance(objective.weighting, WorstComponent):
        worst: Array = f.max(axis=0)
        return worst
    return summed(crowd.shared.weights[:, None] * f, 0)


class _Best:
    """The best plan of everybody so far, and the bound of the pieces already closed."""

    def __init__(
        self, crowd: Crowd, delta: Array, objective: Objective, cheapest: CheapestPlans
    ) -> None:
        self.crowd, self.delta, self.objective = crowd, delta, objective
        self.link: Link = objective.link
        slack = BUDGET_SLACK * np.maximum(crowd.cost_unit, delta)
        self.budget, self.proof, self.most = delta + slack, delta + 2.0 * slack, delta + 3.0 * slack
        self.x = cheapest.x.copy()
        self.value = self._values(crowd, self.x)
        self.floor = np.full(crowd.people, np.inf)

    def _values(self, crowd: Crowd, x: Array) -> Array:
        return values_at(crowd, x, self.objective)

    def _offer(self, who: Places, x: Array) -> None:
        """Keep the plans that are better, keep every condition and cost what the proof covers."""
        mine = self.crowd.chosen(who)
        value = self._values(mine, x)
        better = (value < self.value[who]) & mine.keeps(x, self.delta[who])
        better &= mine.cost_of(x) <= self.most[who]
        chosen = _smallest_last(value, better)
        self.x[:, who[chosen]], self.value[who[chosen]] = x[:, chosen], value[chosen]

    def _close(self, who: Places, bound: Array) -> None:
        np.minimum.at(self.floor, who, np.where(np.isnan(bound), 0.0, bound))

    def open_single(self, who: Places, part: Pieces, goal: Goal) -> None:
        """One score decides: its largest value in the piece is the optimum there."""
        places = _padded(who, part)
        found = interior(part, goal, self.proof[places], picked(self.x[part.free], places))
        self._offer(who, part.plan(found.y)[:, : who.size])
        trial = trial_score(_score_of(part, goal, found.y))
        upper = proved_score(part, goal, found, trial, self.proof[places])
        bound = np.where(_empty(part), np.inf, self.link.probability(upper))
        self._close(who, bound[: who.size])

    def open_mixture(self, who: Places, part: Pieces) -> None:
        """Bound a piece by the best score of each component; improve the plan inside it."""
        places = _padded(who, part)
        budget, start = self.proof[places], picked(self.x[part.free], places)
        count = part.means.shape[0]
        bound, middle = np.zeros(part.people), np.zeros_like(start)
        empty = _empty(part)
        for k in range(count):
            goal = Goal(SCORE, (k,))
            found = interior(part, goal, budget, start)
            trial = trial_score(_score_of(part, goal, found.y))
            upper = proved_score(part, goal, found, trial, budget)
            bound += part.shared.weights[k] * self.link.probability(upper)
            middle += found.y / count
        self._close(who, np.where(empty, np.inf, bound)[: who.size])
        self._offer(who, part.plan(middle)[:, : who.size])
        goal = Goal(MIXTURE, tuple(range(count)))
        found = interior(part, goal, budget, middle, WARM)
        self._offer(who, part.plan(found.y)[:, : who.size])


def _padded(who: Places, part: Pieces) -> Places:
    return np.repeat(who, 2) if who.size < part.people else who
