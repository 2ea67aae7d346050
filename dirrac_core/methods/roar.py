"""ROAR solved exactly for linear models.

Upadhyay, Joshi, Lakkaraju: Towards Robust and Reliable Algorithmic Recourse, NeurIPS 2021:

    min over x ∈ X of  max over ‖d‖ ≤ δ_max of  log(1 + exp(−(θ + d)ᵀx))  +  λ‖x − x0‖₁.

The inner maximum is closed form: the margin θᵀx falls by δ_max‖x‖_*, the bias included (ℓ2 ball:
‖x‖₂, box ball: ‖x‖₁). What is left is convex, so it is solved to the optimum here; the published
optimiser is in `roar_published`.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from dirrac_core.arrays import Array, checked_choice, checked_number, frozen_array
from dirrac_core.conic import ConeProgram, Parts
from dirrac_core.data.schema.actions import Actions
from dirrac_core.errors import SolverFailure
from dirrac_core.feasible.bounds import ColumnBounds, column_bounds
from dirrac_core.feasible.piece import Piece
from dirrac_core.feasible.piece_rows import Rows
from dirrac_core.feasible.projection import found_point
from dirrac_core.methods.parts.actionable import actionable_piece
from dirrac_core.methods.parts.category_search import Minimum, minimise_whole
from dirrac_core.methods.protocol import CATEGORIES, Answer, Plan, SearchMethod, planned
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.robustness.score import checked_applicant

BALLS = ("l2", "box")
DELTA_MAX = 0.1
LAMBDA = 0.1
# The objective is minimised to this much (it is a log-loss: 1e-7 is 1e-7 in probability).
GAP = 1e-7
# To this much where so many tangents in a row brought nothing: the programs of a steep model are
# no more accurate.
STALLED_GAP = 1e-6
PATIENCE = 8
MAX_CUTS = 60
# So many programs are kept for other λ; a table of many categories can need thousands.
MOST_KEPT = 64
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
    asks_later_models = False

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
        programs = RoarPrograms(self.current.theta[None, :], x0, actions, self.settings)
        return programs.answer(self.settings.lam, self.categories == "whole")

    def worst_loss(self, x: Array) -> float:
        """The log-loss of x under the worst shift of today's model, without λ times the cost."""
        return float(np.logaddexp(0.0, -self.settings.margin(self.current.theta[None, :], x)))

    def over_cost_weight(self, x0: npt.ArrayLike, actions: Actions) -> Callable[[float], Plan]:
        """The plan as a function of λ; what does not depend on λ is made once."""
        start = checked_applicant("x0", x0, None)
        programs = RoarPrograms(self.current.theta[None, :], start, actions, self.settings)
        whole = self.categories == "whole"

        def plan(lam: float) -> Plan:
            asked = (self.name, start, actions, self.current, whole)
            return planned(*asked, lambda _: programs.answer(lam, whole))

        return plan


class RoarPrograms:
    """The worst log-loss over all models (rows of `thetas`) on X, to be weighed against the cost.

    A program is made once for each choice of categories, whatever λ is.
    """

    def __init__(
        self, thetas: npt.ArrayLike, x0: Array, actions: Actions, settings: RoarSettings
    ) -> None:
        self._thetas = frozen_array("thetas", thetas, (None, x0.size))
        self._x0, self._actions, self._settings = x0, actions, settings
        self._pieces: dict[tuple[bytes, bytes], tuple[Piece, Rows | None]] = {}

    def answer(self, lam: float, whole: bool) -> Answer:
        """`minimum` as an answer."""
        best = self.minimum(lam, whole)
        if best is None:
            return Answer(None, "No point keeps all rules of what may change.")
        message = (
            f"ROAR's objective is {best.value:.6g} at λ = {lam:g}; no plan has one below "
            f"{best.bound:.6g}."
        )
        return Answer(best.x, message)

    def minimum(self, lam: float, whole: bool) -> Minimum | None:
        """The least worst loss plus λ·cost on X; None where X is empty."""
        checked_number("The cost weight 'lam'", lam, low=0.0, strict=True)
        bounds = column_bounds(self._x0, self._actions)

        def minimise(within: ColumnBounds, enough: float) -> Minimum | None:
            piece, rows = self._piece(within)
            return None if rows is None else self._minimum_in(piece, rows, lam, enough)

        return minimise_whole(minimise, bounds, self._actions.groups if whole else (), GAP)

    def _piece(self, within: ColumnBounds) -> tuple[Piece, Rows | None]:
        """The piece with its program, the loss as the maximum of a few tangents; None if empty."""
        key = within.lower.tobytes(), within.upper.tobytes()
        if key in self._pieces:
            return self._pieces[key]
        piece, rows = actionable_piece(self._x0, self._actions, within), None
        if not piece.empty:
            rows = piece.rows(np.inf)
            rows.program.add("margin")
            rows.program.add("loss")
            _add_margin(rows.program, piece, self._thetas, self._settings)
            _add_tangents(rows.program, FIRST_TANGENTS)
            rows.program.at_most({"loss": -1.0}, 0.0)
        if len(self._pieces) < MOST_KEPT:
            self._pieces[key] = piece, rows
        return piece, rows

    def _minimum_in(self, piece: Piece, rows: Rows, lam: float, enough: float) -> Minimum | None:
        """Cutting planes on the loss of one number, the worst margin: a few cone programs.

        Each program replaces the loss by its tangents, which lie below it: its optimum is a lower
        bound, and the true objective of its point an upper one. It stops early once the bound
        shows that nothing below `enough` is to be found.
        """
        program = rows.program.copy()
        q = lam * program.row(rows.cost) + program.row({"loss": 1.0})
        best: Minimum | None = None
        bound, missing, idle = -np.inf, np.inf, 0
        for _ in range(MAX_CUTS):
            solution = program.solver().minimise(q)
            if not found_point(solution, "ROAR"):
                return None
            bound = max(bound, solution.bound + lam * rows.cost_constant)
            x = piece.embed(solution.v)
            reached = self._settings.margin(self._thetas, x)
            moved = np.abs(piece.weights * (x[piece.free] - piece.start))
            cost = piece.fixed_cost + float(moved.sum())
            value = float(np.logaddexp(0.0, -reached)) + lam * cost
            if best is None or value < best.value:
                best = Minimum(x, value, bound)
            before, missing = missing, best.value - bound
            idle = idle + 1 if missing >= before else 0
            stalled = idle >= PATIENCE and missing <= STALLED_GAP
            if missing <= 0.5 * GAP or stalled or bound >= enough:
                break
            _add_tangents(program, (reached,))
        if best is None or (missing > STALLED_GAP and bound < enough):
            raise SolverFailure(
                f"ROAR's cutting planes must close to {STALLED_GAP:g} in {MAX_CUTS} rounds, "
                f"got {missing:g}"
            )
        return Minimum(best.x, best.value, min(bound, best.value))


def _add_margin(program: ConeProgram, piece: Piece, thetas: Array, settings: RoarSettings) -> None:
    """margin ≤ θᵀx − δ_max‖x‖_* for every model θ."""
    n = piece.free.size
    rows: dict[Hashable, npt.ArrayLike] = {"y": -thetas[:, piece.free], "margin": 1.0}
    constant = thetas @ piece.base
    if settings.delta_max > 0.0 and settings.ball == "l2":
        program.add("‖x‖")
        moved = np.vstack([np.eye(n), np.zeros(n)])
        at_base = np.append(np.zeros(n), np.linalg.norm(piece.base))
        program.norm({"y": moved}, at_base, {"‖x‖": 1.0})
        rows["‖x‖"] = settings.delta_max
    elif settings.delta_max > 0.0:
        program.add("|y|", n)
        for sign in (1.0, -1.0):
            if n:
                program.at_most({"y": sign * np.eye(n), "|y|": -np.eye(n)}, np.zeros(n))
        rows["|y|"] = settings.delta_max
        constant = constant - settings.delta_max * np.abs(piece.base).sum()
    program.at_most(rows, constant)


def _add_tangents(program: ConeProgram, margins: Sequence[float]) -> None:
    """loss ≥ ℓ(at) + ℓ'(at)·(margin − at), ℓ(m) = log(1 + exp(−m)), ℓ'(m) = −1/(1 + exp(m))."""
    at = np.array(margins)
    slopes = -expit(-at)
    lines: Parts = {"margin": slopes[:, None], "loss": -1.0}
    program.at_most(lines, slopes * at - np.logaddexp(0.0, -at))
