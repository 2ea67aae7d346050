"""ROAR solved exactly for linear models.

Upadhyay, Joshi, Lakkaraju: Towards Robust and Reliable Algorithmic Recourse, NeurIPS 2021:

    min over x ∈ X of  max over ‖d‖ ≤ δ_max of  log(1 + exp(−(θ + d)ᵀx))  +  λ‖x − x0‖₁.

The inner maximum is closed form: the margin θᵀx falls by δ_max‖x‖_*, the bias included (ℓ2 ball:
‖x‖₂, box ball: ‖x‖₁). What is left is convex, so it is solved to the optimum here; the published
optimiser is in `roar_published`.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from dirrac_core.arrays import Array, checked_choice, checked_number, frozen_array
from dirrac_core.conic import ConeProgram
from dirrac_core.data.schema.actions import Actions
from dirrac_core.errors import SolverFailure
from dirrac_core.feasible.bounds import ColumnBounds, column_bounds
from dirrac_core.feasible.piece import Piece
from dirrac_core.feasible.projection import found_point
from dirrac_core.methods.actionable import actionable_piece
from dirrac_core.methods.category_search import Minimum, minimise_whole
from dirrac_core.methods.protocol import CATEGORIES, Answer, SearchMethod
from dirrac_core.models.classifiers import LinearModel

BALLS = ("l2", "box")
DELTA_MAX = 0.1
LAMBDA = 0.1
# The objective is minimised to this much (it is a log-loss: 1e-7 is 1e-7 in probability).
GAP = 1e-7
MAX_CUTS = 60
# The logistic loss starts as the maximum of its tangents at these margins.
FIRST_TANGENTS = (-16.0, -8.0, -4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0, 8.0)


@dataclass(frozen=True)
class RoarSettings:
    """λ weighs the cost, `delta_max` is the radius of the `ball` of model shifts d."""

    lam: float = LAMBDA
    delta_max: float = DELTA_MAX
    ball: str = "l2"

    def __post_init__(self) -> None:
        checked_number("The cost weight 'lam'", self.lam, low=0.0, strict=True)
        checked_number("The shift radius 'delta_max'", self.delta_max, low=0.0)
        checked_choice("A ball", self.ball, BALLS)

    def margin(self, thetas: Array, x: Array) -> float:
        """min over the models θ (rows) and ‖d‖ ≤ δ_max of (θ + d)ᵀx."""
        norm = np.linalg.norm(x) if self.ball == "l2" else np.abs(x).sum()
        return float((thetas @ x).min() - self.delta_max * norm)

    def objective(self, thetas: Array, x: Array, x0: Array, weights: Array) -> float:
        """The worst log-loss plus λ times the weighted ℓ1 cost."""
        cost = float(np.abs(weights * (x - x0)[:-1]).sum())
        return float(np.logaddexp(0.0, -self.margin(thetas, x))) + self.lam * cost


@dataclass(frozen=True, eq=False)
class Roar(SearchMethod):
    """ROAR for a linear model, to the global optimum."""

    NAME = "ROAR (exact)"

    current: LinearModel
    settings: RoarSettings = RoarSettings()
    categories: str = "whole"

    def __post_init__(self) -> None:
        checked_choice("categories", self.categories, CATEGORIES)

    @property
    def parameter(self) -> float:
        """λ."""
        return self.settings.lam

    def search(self, x0: Array, actions: Actions) -> Answer:
        """The plan that minimises ROAR's own objective; today's model need not accept it."""
        thetas, whole = self.current.theta[None, :], self.categories == "whole"
        return roar_answer(thetas, x0, actions, self.settings, whole)


def roar_answer(
    thetas: Array, x0: Array, actions: Actions, settings: RoarSettings, whole: bool
) -> Answer:
    """`minimise_roar` as an answer in words."""
    best = minimise_roar(thetas, x0, actions, settings, whole)
    if best is None:
        return Answer(None, "No point keeps all rules of what may change.")
    message = (
        f"ROAR's objective is {best.value:.6g} at λ = {settings.lam:g}; no plan has one below "
        f"{best.bound:.6g}."
    )
    return Answer(best.x, message)


def minimise_roar(
    thetas: npt.ArrayLike, x0: Array, actions: Actions, settings: RoarSettings, whole: bool
) -> Minimum | None:
    """The minimum of the worst log-loss over all models (rows of `thetas`) plus λ·cost on X."""
    models = frozen_array("thetas", thetas, (None, x0.size))
    bounds = column_bounds(x0, actions)

    def minimise(within: ColumnBounds) -> Minimum | None:
        piece = actionable_piece(x0, actions, within)
        return None if piece.empty else _minimise_piece(piece, models, settings)

    return minimise_whole(minimise, bounds, actions.groups if whole else (), GAP)


def _minimise_piece(piece: Piece, thetas: Array, settings: RoarSettings) -> Minimum | None:
    """Cutting planes on the loss of one number, the worst margin: a few cone programs.

    Each program replaces the loss by its tangents, which lie below it: its optimum is a lower
    bound, and the true objective of its point an upper one.
    """
    rows = piece.rows(np.inf)
    program = rows.program
    margin = program.add_columns(2)
    loss = margin + 1
    _add_margin(program, piece, thetas, margin, settings)
    for at in FIRST_TANGENTS:
        _add_tangent(program, margin, loss, at)
    floor = np.zeros(program.columns)
    floor[loss] = -1.0
    program.at_most(floor, 0.0)
    q = np.zeros(program.columns)
    q[: rows.cost_row.size] = settings.lam * rows.cost_row
    q[loss] = 1.0
    best: Minimum | None = None
    bound = -np.inf
    for _ in range(MAX_CUTS):
        solution = program.solver().minimise(q)
        if not found_point(solution, "ROAR"):
            return None
        bound = max(bound, solution.bound + settings.lam * rows.cost_constant)
        x = piece.embed(solution.v)
        reached = settings.margin(thetas, x)
        cost = piece.fixed_cost + float(np.abs(piece.weights * (x[piece.free] - piece.start)).sum())
        value = float(np.logaddexp(0.0, -reached)) + settings.lam * cost
        if best is None or value < best.value:
            best = Minimum(x, value, bound)
        if best.value - bound <= 0.5 * GAP:
            return Minimum(best.x, best.value, min(bound, best.value))
        _add_tangent(program, margin, loss, reached)
    raise SolverFailure(
        f"ROAR's cutting planes must close to {GAP:g} in {MAX_CUTS} rounds, "
        f"got {0.0 if best is None else best.value - bound:g}"
    )


def _add_margin(
    program: ConeProgram, piece: Piece, thetas: Array, margin: int, settings: RoarSettings
) -> None:
    """margin ≤ θᵀx − δ_max‖x‖_* for every model θ."""
    n = piece.free.size
    rows = np.zeros((len(thetas), program.columns))
    rows[:, :n] = -thetas[:, piece.free]
    rows[:, margin] = 1.0
    constant = thetas @ piece.base
    if settings.delta_max > 0.0 and settings.ball == "l2":
        length = program.add_columns(1)
        cone = np.zeros((n + 2, program.columns))
        cone[0, length] = 1.0
        cone[1 : n + 1, :n] = np.eye(n)
        program.norm(cone, np.append(np.zeros(n + 1), np.linalg.norm(piece.base)))
        rows = np.column_stack([rows, np.full(len(rows), settings.delta_max)])
    elif settings.delta_max > 0.0:
        first = program.add_columns(n)
        for sign in (1.0, -1.0):
            size = np.zeros((n, program.columns))
            size[:, :n] = sign * np.eye(n)
            size[:, first:] = -np.eye(n)
            if n:
                program.at_most(size, np.zeros(n))
        rows = np.column_stack([rows, np.full((len(rows), n), settings.delta_max)])
        constant = constant - settings.delta_max * np.abs(piece.base).sum()
    program.at_most(rows, constant)


def _add_tangent(program: ConeProgram, margin: int, loss: int, at: float) -> None:
    """loss ≥ ℓ(at) + ℓ'(at)·(margin − at), ℓ(m) = log(1 + exp(−m)), ℓ'(m) = −1/(1 + exp(m))."""
    slope = -float(expit(-at))
    row = np.zeros(program.columns)
    row[margin], row[loss] = slope, -1.0
    program.at_most(row, slope * at - float(np.logaddexp(0.0, -at)))
