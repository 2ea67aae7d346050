"""A primal–dual interior-point method on many pieces at once.

x = base + y, and e ≥ |y − y0| carries the ℓ1 cost. All inequalities c_i(y, e) + z_i = 0 with
z_i ≥ 0 are kept in one list: lower and upper bounds, both sides of e, the general ones (see
`Model`) and the ℓ1 budget. Each Newton step (predictor and corrector, Mehrotra) factors one system
of the free columns; e is eliminated because it is diagonal, equality rows and the ℓ1 budget form a
small border. Nothing found here is believed: see `bound`.
"""

from dataclasses import dataclass, fields

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.solvers.batch.linear import (
    add_squares,
    combined,
    factor,
    picked,
    substitute,
    weighted,
)
from dirrac_core.solvers.batch.objective import CHEAPEST, Goal, Model, general_count, model_at
from dirrac_core.solvers.batch.pieces import Mask, Pieces

MOST_STEPS = 50
# Gap and residuals at which a person is done, relative to what is small for the objective.
DONE = 1e-9
FULL_STEP = 0.995
# λ·z of every inequality at the start; the objective is in units of about 1.
HEAT = 0.1
# Equality rows are this soft, relative to their pivots, so that a repeated row does no harm.
SOFT = 1e-12
# People who are done leave the arrays when they are this share of them.
CROWD = 0.25


@dataclass(eq=False)
class _State:
    """Where everybody is: the plan, the slacks z and the multipliers λ, ν."""

    y: Array
    e: Array
    level: Array
    z: Array
    prices: Array
    nu: Array

    def chosen(self, mask: Mask) -> "_State":
        return _State(*(picked(getattr(self, field.name), mask) for field in fields(self)))


@dataclass(frozen=True, eq=False)
class Found:
    """The points found, y (n, people), and the multipliers of general and equality rows."""

    y: Array
    prices: Array
    nu: Array


@dataclass(frozen=True, eq=False)
class _Rows:
    """The linear part of the list: which inequalities there are (`on`), and the ℓ1 cost."""

    on: Array
    open_way: Array
    cost_y: Array
    cost_e: Array
    steps: Array
    budgeted: bool

    @classmethod
    def of(cls, pieces: Pieces, goal: Goal, budget: Array) -> "_Rows":
        n, people = pieces.y0.shape
        straight = not pieces.shared.euclidean
        budgeted = straight and goal.mode != CHEAPEST
        general = np.ones((general_count(pieces, goal), people))
        general[: pieces.at_most.shape[0]] = pieces.at_most_on
        open_way = (pieces.way == 0.0) * float(straight)
        finite = np.isfinite(pieces.lower), np.isfinite(pieces.upper)
        last = np.full((1, people), float(budgeted))
        on = np.concatenate([*finite, open_way, open_way, general, last])
        left = np.maximum(budget - pieces.fixed_cost, 1e-300)
        steps = np.minimum(pieces.units, left / pieces.weights)
        cost = pieces.weights * float(straight)
        return cls(on, open_way, pieces.way * cost, open_way * cost, steps, budgeted)


def interior(pieces: Pieces, goal: Goal, budget: Array, start: Array, heat: float = HEAT) -> Found:
    """Seek the goal in every piece within the budget, from `start` (n, people)."""
    n, people = pieces.y0.shape
    found = Found(
        start.copy(),
        np.zeros((general_count(pieces, goal), people)),
        np.zeros((pieces.equal.shape[0], people)),
    )
    if n == 0:
        return found
    waiting = np.arange(people)
    done = np.zeros(people, dtype=bool)
    rows = _Rows.of(pieces, goal, budget)
    state = _begun(pieces, rows, goal, budget, start, heat)
    for _ in range(MOST_STEPS):
        if done.sum() >= CROWD * done.size:
            if done.all():
                break
            stay = ~done
            if stay.sum() == 1:
                # Nobody is alone: sums over several people run in another order.
                stay[np.flatnonzero(done)[0]] = True
            pieces, budget, state = pieces.chosen(stay), budget[stay], state.chosen(stay)
            waiting, done = waiting[stay], done[stay]
            rows = _Rows.of(pieces, goal, budget)
        ended, state = _step(pieces, rows, goal, budget, state)
        # Whoever is done keeps the point they were done at.
        fresh = ~done
        for kept, now in (
            (found.y, state.y),
            (found.prices, state.prices[4 * n : -1]),
            (found.nu, state.nu),
        ):
            kept[:, waiting[fresh]] = now[:, fresh]
        done = done | ended
    return found


def _begun(
    pieces: Pieces, rows: _Rows, goal: Goal, budget: Array, start: Array, heat: float
) -> _State:
    n, people = pieces.y0.shape
    with np.errstate(invalid="ignore"):
        inside = 0.1 * np.minimum(pieces.upper - pieces.lower, pieces.units)
    y = np.minimum(np.maximum(start, pieces.lower + inside), pieces.upper - inside)
    e = np.abs(y - pieces.y0) + 0.1 * rows.steps
    z = np.ones_like(rows.on)
    state = _State(
        y, e, np.zeros(people), z, np.zeros_like(z), np.zeros((pieces.equal.shape[0], people))
    )
    model = model_at(pieces, goal, y, budget, state.level, state.prices[4 * n : -1])
    values = model.values
    if goal.common:
        tail = values[-len(goal.components) :]
        state.level = -tail.max(axis=0) - 0.1
        tail += state.level
    z[4 * n : -1] = np.maximum(-values, 0.1)
    left = budget - _spent(pieces, rows, state)
    z[-1] = np.maximum(left, 0.1 * (budget - pieces.fixed_cost)) if rows.budgeted else 1.0
    _set_simple_slacks(pieces, rows, state)
    state.prices = rows.on * heat / z
    return state


def _spent(pieces: Pieces, rows: _Rows, state: _State) -> Array:
    moved = rows.cost_y * (state.y - pieces.y0) + rows.cost_e * state.e
    total: Array = pieces.fixed_cost + moved.sum(axis=0)
    return total


def _set_simple_slacks(pieces: Pieces, rows: _Rows, state: _State) -> None:
    """The slacks of bounds and of both sides of e are what they are: they have no residual."""
    n = pieces.y0.shape[0]
    change = state.y - pieces.y0
    slacks = np.concatenate(
        [state.y - pieces.lower, pieces.upper - state.y, state.e - change, state.e + change]
    )
    state.z[: 4 * n] = np.where(rows.on[: 4 * n] > 0.0, slacks, 1.0)


def _step(
    pieces: Pieces, rows: _Rows, goal: Goal, budget: Array, state: _State
) -> tuple[Mask, _State]:
    """One predictor–corrector step; who is done (or cannot go on) stays where they are."""
    n = pieces.y0.shape[0]
    on, z, prices = rows.on, state.z, state.prices
    general = slice(4 * n, -1)
    model = model_at(pieces, goal, state.y, budget, state.level, prices[general])
    missed = np.zeros_like(z)
    missed[general] = on[general] * (model.values + z[general])
    if rows.budgeted:
        missed[-1] = _spent(pieces, rows, state) - budget + z[-1]
    equal = combined(pieces.equal, state.y) - pieces.equal_limits
    dual_y, dual_e = _dual_residuals(pieces, rows, goal, model, state)
    count = on.sum(axis=0)
    mu = (prices * z).sum(axis=0) / count
    scaled = np.abs(missed[general]).max(axis=0, initial=0.0)
    if rows.budgeted:
        scaled = np.maximum(scaled, np.abs(missed[-1]) / np.maximum(budget, 1e-300))
    wrong = np.maximum(scaled, np.abs(equal).max(axis=0, initial=0.0))
    off = (np.abs(dual_y[:n]) * rows.steps).max(axis=0, initial=0.0)
    ended = (mu * count <= DONE * model.small) & (wrong <= DONE)
    ended &= off <= 10.0 * DONE * model.small
    system = _System(pieces, rows, model, state, (missed, equal, dual_y, dual_e))
    products = prices * z
    first = system.direction(products)
    reach = _reach(state, first)
    ahead = ((z + reach * first.z) * (prices + reach * first.prices) * on).sum(axis=0) / count
    share = ahead / mu
    target = products + on * (first.z * first.prices - share * share * share * mu)
    move = system.direction(target)
    reach = _reach(state, move)
    after = _State(
        *(getattr(state, field.name) + reach * getattr(move, field.name) for field in fields(state))
    )
    _set_simple_slacks(pieces, rows, after)
    usable = np.isfinite(after.y.sum(axis=0) + after.z.sum(axis=0) + after.prices.sum(axis=0))
    usable &= (after.z > 0.0).all(axis=0) & (reach > 1e-12)
    stuck = ended | ~usable
    for field in fields(state):
        before, new = getattr(state, field.name), getattr(after, field.name)
        new[..., stuck] = before[..., stuck]
    return stuck, after


def _dual_residuals(
    pieces: Pieces, rows: _Rows, goal: Goal, model: Model, state: _State
) -> tuple[Array, Array]:
    n = pieces.y0.shape[0]
    low, high, above, below = (state.prices[i * n : (i + 1) * n] for i in range(4))
    dual_y = model.gradient + weighted(model.rows, state.prices[4 * n : -1])
    price = np.ones_like(state.level) if goal.mode == CHEAPEST else state.prices[-1]
    dual_y[:n] += high - low + above - below + weighted(pieces.equal, state.nu)
    dual_y[:n] += price * rows.cost_y
    return dual_y, price * rows.cost_e - above - below


def _reach(state: _State, move: _State) -> Array:
    """How far everybody can go before a slack or a multiplier meets 0."""
    steepest = np.fmax((-move.z / state.z).max(axis=0), FULL_STEP)
    with np.errstate(invalid="ignore"):
        # 0/0 is an inequality that is not there.
        falls = np.fmax.reduce(-move.prices / state.prices, axis=0)
    reach: Array = FULL_STEP / np.fmax(steepest, falls)
    return reach


class _System:
    """The Newton system at a state, factored once and solved for two right-hand sides."""

    def __init__(
        self,
        pieces: Pieces,
        rows: _Rows,
        model: Model,
        state: _State,
        residuals: tuple[Array, Array, Array, Array],
    ) -> None:
        self.pieces, self.rows, self.model, self.state = pieces, rows, model, state
        self.missed, self.equal, self.dual_y, self.dual_e = residuals
        n, people = pieces.y0.shape
        self.inverse = rows.on / state.z
        ratio = state.prices * self.inverse
        above, below = ratio[2 * n : 3 * n], ratio[3 * n : 4 * n]
        self.both = np.where(rows.open_way > 0.0, above + below, 1.0)
        self.lean = (above - below) / self.both
        matrix = model.hessian
        add_squares(matrix, model.rows, ratio[4 * n : -1])
        simple = ratio[:n] + ratio[n : 2 * n] + 4.0 * above * below / self.both
        for i in range(n):
            matrix[i, i] += simple[i]
        self.root = factor(matrix)
        lead = int(rows.budgeted)
        self.border = np.zeros((lead + pieces.equal.shape[0], matrix.shape[0], people))
        self.border[lead:, :n] = pieces.equal
        edge = self.border.shape[0]
        inner = np.zeros((edge, edge, people))
        if rows.budgeted:
            self.border[0, :n] = rows.cost_y + self.lean * rows.cost_e
            inner[0, 0] = state.z[-1] / state.prices[-1]
            inner[0, 0] += (rows.cost_e * rows.cost_e / self.both).sum(axis=0)
        self.solved = np.zeros_like(self.border)
        for i in range(edge):
            self.solved[i] = substitute(self.root, self.border[i])
        for i in range(edge):
            inner[i] += combined(self.solved, self.border[i])
        for i in range(lead, edge):
            # A row that a person does not have is 0 = 0.
            inner[i, i] = np.where(inner[i, i] > 0.0, inner[i, i] * (1.0 + SOFT), 1.0)
        self.inner = factor(inner)

    def direction(self, target: Array) -> _State:
        """The step that brings every λ·z from its value to that value less `target`."""
        pieces, rows, state = self.pieces, self.rows, self.state
        n = pieces.y0.shape[0]
        lead = int(rows.budgeted)
        part = (state.prices * self.missed - target) * self.inverse
        low, high, above, below = (part[i * n : (i + 1) * n] for i in range(4))
        right = -self.dual_y - weighted(self.model.rows, part[4 * n : -1])
        right_e = above + below - self.dual_e
        right[:n] += low - high - above + below + self.lean * right_e
        dy = substitute(self.root, right)
        dn = combined(self.border, dy)
        if rows.budgeted:
            dn[0] -= target[-1] / state.prices[-1] - self.missed[-1]
            dn[0] += (rows.cost_e * right_e / self.both).sum(axis=0)
        dn[lead:] += self.equal
        dn = substitute(self.inner, dn)
        dy = dy - weighted(self.solved, dn)
        step = dy[:n]
        kappa = dn[0] if rows.budgeted else np.zeros_like(state.level)
        de = rows.open_way * (
            right_e / self.both + self.lean * step - kappa * rows.cost_e / self.both
        )
        spent = (rows.cost_y * step + rows.cost_e * de).sum(axis=0)
        general = -self.missed[4 * n : -1] - combined(self.model.rows, dy)
        last = -self.missed[-1:] - spent
        dz = rows.on * np.concatenate([step, -step, de - step, de + step, general, last])
        dp = -(target + state.prices * dz) * self.inverse
        level = dy[n] if dy.shape[0] > n else np.zeros_like(state.level)
        return _State(step, de, level, dz, dp, dn[lead:])
