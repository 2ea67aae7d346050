"""The Newton step of the interior-point method, for many pieces at once.

One system of the free columns is factored and solved for two right-hand sides; e is eliminated
because it is diagonal, equality rows and the ℓ1 budget form a small border.
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
from dirrac_core.solvers.batch.objective import CHEAPEST, Goal, Model, general_count
from dirrac_core.solvers.batch.pieces import Mask, Pieces

# Equality rows are this soft, relative to their pivots, so that a repeated row does no harm.
SOFT = 1e-12


@dataclass(eq=False)
class State:
    """Where everybody is: the plan, the slacks z and the multipliers λ, ν."""

    y: Array
    e: Array
    level: Array
    z: Array
    prices: Array
    nu: Array

    def chosen(self, mask: Mask) -> "State":
        """Those of some of the people."""
        return State(*(picked(getattr(self, field.name), mask) for field in fields(self)))


@dataclass(frozen=True, eq=False)
class Rows:
    """The linear part of the list: which inequalities there are (`on`), and the ℓ1 cost."""

    on: Array
    open_way: Array
    cost_y: Array
    cost_e: Array
    steps: Array
    budgeted: bool

    @classmethod
    def of(cls, pieces: Pieces, goal: Goal, budget: Array) -> "Rows":
        """The rows that the pieces have for this goal."""
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


class System:
    """The Newton system at a state, factored once and solved for two right-hand sides."""

    def __init__(
        self,
        pieces: Pieces,
        rows: Rows,
        model: Model,
        state: State,
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

    def direction(self, target: Array) -> State:
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
        return State(step, de, level, dz, dp, dn[lead:])
