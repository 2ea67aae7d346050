"""A primal–dual interior-point method on many pieces at once.

x = base + y, and e ≥ |y − y0| carries the ℓ1 cost. All inequalities c_i(y, e) + z_i = 0 with
z_i ≥ 0 are kept in one list: lower and upper bounds, both sides of e, the general ones (see
`Model`) and the ℓ1 budget. Each Newton step (see `newton`) is a predictor and a corrector
(Mehrotra). Nothing found here is believed: see `bound`.
"""

from dataclasses import dataclass, fields

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.solvers.batch.linear import combined, weighted
from dirrac_core.solvers.batch.newton import Rows, State, System
from dirrac_core.solvers.batch.objective import CHEAPEST, Goal, Model, general_count, model_at
from dirrac_core.solvers.batch.pieces import Mask, Pieces

MOST_STEPS = 50
# Gap and residuals at which a person is done, relative to what is small for the objective.
DONE = 1e-9
FULL_STEP = 0.995
# λ·z of every inequality at the start; the objective is in units of about 1.
HEAT = 0.1
# People who are done leave the arrays when they are this share of them.
CROWD = 0.25


@dataclass(frozen=True, eq=False)
class Found:
    """The points found, y (n, people), and the multipliers of general and equality rows."""

    y: Array
    prices: Array
    nu: Array


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
    rows = Rows.of(pieces, goal, budget)
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
            rows = Rows.of(pieces, goal, budget)
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
    pieces: Pieces, rows: Rows, goal: Goal, budget: Array, start: Array, heat: float
) -> State:
    n, people = pieces.y0.shape
    with np.errstate(invalid="ignore"):
        inside = 0.1 * np.minimum(pieces.upper - pieces.lower, pieces.units)
    y = np.minimum(np.maximum(start, pieces.lower + inside), pieces.upper - inside)
    e = np.abs(y - pieces.y0) + 0.1 * rows.steps
    z = np.ones_like(rows.on)
    state = State(
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


def _spent(pieces: Pieces, rows: Rows, state: State) -> Array:
    moved = rows.cost_y * (state.y - pieces.y0) + rows.cost_e * state.e
    total: Array = pieces.fixed_cost + moved.sum(axis=0)
    return total


def _set_simple_slacks(pieces: Pieces, rows: Rows, state: State) -> None:
    """The slacks of bounds and of both sides of e are what they are: they have no residual."""
    n = pieces.y0.shape[0]
    change = state.y - pieces.y0
    slacks = np.concatenate(
        [state.y - pieces.lower, pieces.upper - state.y, state.e - change, state.e + change]
    )
    state.z[: 4 * n] = np.where(rows.on[: 4 * n] > 0.0, slacks, 1.0)


def _step(
    pieces: Pieces, rows: Rows, goal: Goal, budget: Array, state: State
) -> tuple[Mask, State]:
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
    system = System(pieces, rows, model, state, (missed, equal, dual_y, dual_e))
    products = prices * z
    first = system.direction(products)
    reach = _reach(state, first)
    ahead = ((z + reach * first.z) * (prices + reach * first.prices) * on).sum(axis=0) / count
    share = ahead / mu
    target = products + on * (first.z * first.prices - share * share * share * mu)
    move = system.direction(target)
    reach = _reach(state, move)
    after = State(
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
    pieces: Pieces, rows: Rows, goal: Goal, model: Model, state: State
) -> tuple[Array, Array]:
    n = pieces.y0.shape[0]
    low, high, above, below = (state.prices[i * n : (i + 1) * n] for i in range(4))
    dual_y = model.gradient + weighted(model.rows, state.prices[4 * n : -1])
    price = np.ones_like(state.level) if goal.mode == CHEAPEST else state.prices[-1]
    dual_y[:n] += high - low + above - below + weighted(pieces.equal, state.nu)
    dual_y[:n] += price * rows.cost_y
    return dual_y, price * rows.cost_e - above - below


def _reach(state: State, move: State) -> Array:
    """How far everybody can go before a slack or a multiplier meets 0."""
    steepest = np.fmax((-move.z / state.z).max(axis=0), FULL_STEP)
    with np.errstate(invalid="ignore"):
        # 0/0 is an inequality that is not there.
        falls = np.fmax.reduce(-move.prices / state.prices, axis=0)
    reach: Array = FULL_STEP / np.fmax(steepest, falls)
    return reach
