"""The feasible set X_ε of one applicant: membership, projection, δ_min and the ceiling on ρ."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, checked_choice, checked_number, frozen_array
from dirrac_core.conic import INFEASIBLE, ConeSolution
from dirrac_core.data.actions import Actions
from dirrac_core.errors import InvalidInput, SolverFailure
from dirrac_core.feasible.bounds import ColumnBounds, column_bounds
from dirrac_core.feasible.categories import combinations
from dirrac_core.feasible.checks import (
    TOLERANCE,
    Checklist,
    action_checks,
    is_valid,
    validity_checks,
    within,
)
from dirrac_core.feasible.piece import Piece, Rows
from dirrac_core.feasible.units import column_units
from dirrac_core.models.mixture import ParameterMixture, checked_radii
from dirrac_core.robustness import checked_applicant

# Solves are given this much more budget (far inside the checklist's tolerance), because at
# δ = δ_min the set has no interior and an interior-point method needs one.
BUDGET_SLACK = 0.1 * TOLERANCE


@dataclass(frozen=True, eq=False)
class Cheapest:
    """The cheapest valid plan: δ_min and a point that attains it."""

    cost: float
    x: Array


@dataclass(frozen=True, eq=False)
class FeasibleSet:
    """X_ε = {x ∈ X : cost(x, x0) ≤ δ, θ̂_kᵀx − ρ_k‖x‖₂ ≥ ε for all k} (Section 3, X_ε).

    `cost` is "l1" or "l2", with the feature weights of `actions`. With categories "whole" the
    set is a union of convex pieces, one for each combination of categories; "relaxed" treats
    one-hot entries as continuous, which leaves a single piece. The same margin ε is used
    everywhere.
    """

    x0: Array
    mixture: ParameterMixture
    radii: Array
    actions: Actions = field(default_factory=Actions)
    cost: str = "l1"
    delta: float = np.inf
    margin: float = 1e-3
    categories: str = "relaxed"

    def __init__(
        self,
        x0: npt.ArrayLike,
        mixture: ParameterMixture,
        radii: npt.ArrayLike = 0.0,
        actions: Actions | None = None,
        cost: str = "l1",
        delta: float = np.inf,
        margin: float = 1e-3,
        categories: str = "relaxed",
    ) -> None:
        start = checked_applicant("x0", x0, mixture.dimension)
        allowed = Actions() if actions is None else actions
        allowed.check_columns(start.size - 1)
        if not delta >= 0.0:
            message = f"The budget 'delta' must be ≥ 0, got {delta:g}"
            raise InvalidInput(message)
        set_field = object.__setattr__
        set_field(self, "x0", start)
        set_field(self, "mixture", mixture)
        set_field(self, "radii", checked_radii(radii, mixture.components))
        set_field(self, "actions", allowed)
        set_field(self, "cost", checked_choice("cost", cost, ("l1", "l2")))
        set_field(self, "delta", float(delta))
        set_field(self, "margin", checked_number("margin", margin, low=0.0))
        choices = ("relaxed", "whole")
        set_field(self, "categories", checked_choice("categories", categories, choices))

    @property
    def whole(self) -> bool:
        """Whether every group must hold exactly one category."""
        return self.categories == "whole"

    @cached_property
    def bounds(self) -> ColumnBounds:
        """The effective bounds of every column."""
        return column_bounds(self.x0, self.actions)

    def with_delta(self, delta: float) -> "FeasibleSet":
        """The same set with another budget; what does not depend on the budget is shared."""
        twin = replace(self, delta=delta)
        for name in ("bounds", "_units", "_cost_unit"):
            twin.__dict__[name] = getattr(self, name)
        if not self._many_pieces:
            twin.__dict__["_single_piece"] = self._single_piece
        return twin

    @property
    def _many_pieces(self) -> bool:
        return self.whole and bool(self.actions.groups)

    @cached_property
    def _single_piece(self) -> Piece:
        return self._piece(None)

    def cost_of(self, x: Array) -> float:
        """cost(x, x0): the weighted ℓ1 or ℓ2 length of the change."""
        change = self.bounds.weights * (x[:-1] - self.x0[:-1])
        return float(np.abs(change).sum() if self.cost == "l1" else np.linalg.norm(change))

    def contains(self, x: npt.ArrayLike) -> Checklist:
        """A report for every constraint; true when all of them hold."""
        point = frozen_array("x", x, (self.x0.size,))
        checks = action_checks(point, self.x0, self.actions, self.whole, self.bounds)
        checks += validity_checks(point, self.mixture, self.radii, self.margin)
        cost = self.cost_of(point)
        checks.append(within("budget", cost, 0.0, self.delta, size=self._cost_unit))
        return Checklist(tuple(checks))

    def is_valid(self, x: Array) -> bool:
        """Whether θ̂_kᵀx − ρ_k‖x‖ ≥ ε for all k, to the tolerance of the checklist.

        The accuracy of a cone program is relative to the largest numbers of its piece; where x has
        much smaller ones, the program's point may not be valid.
        """
        return is_valid(x, self.mixture, self.radii, self.margin)

    def pieces(self) -> Iterator[Piece]:
        """The convex pieces that cost alone does not rule out, cheapest categories first."""
        if not self._many_pieces:
            if not self._single_piece.empty:
                yield self._single_piece
            return
        limit = self.delta + TOLERANCE * max(self._cost_unit, self.delta)
        for combination in combinations(self.x0, self.actions.groups, self.bounds, self.cost):
            if combination.cost > limit:
                return
            piece = self._piece(combination.columns)
            if not piece.empty:
                yield piece

    def budget(self) -> float:
        """δ as given to a solver: with a trace of slack, so that the set has an interior."""
        return self.delta + BUDGET_SLACK * max(self._cost_unit, self.delta)

    def proof_budget(self) -> float:
        """δ as a certificate sees it: no solver's plan costs more, whatever its last digits."""
        return self.delta + 2.0 * BUDGET_SLACK * max(self._cost_unit, self.delta)

    @cached_property
    def _units(self) -> Array:
        return column_units(self.x0, self.bounds, self.mixture, self.radii)

    @cached_property
    def _cost_unit(self) -> float:
        """The cost of the cheapest change that matters: budgets are no finer than this."""
        bounds = self.bounds
        units = np.minimum(self._units, bounds.sizes)
        movable = bounds.lower < bounds.upper
        return float((bounds.weights * units)[movable].min()) if movable.any() else 0.0

    @cached_property
    def cheapest(self) -> Cheapest | None:
        """The cheapest valid plan whatever the budget (equation delta_min); None if none exists."""
        best: Cheapest | None = None
        if self._many_pieces and replace(self, categories="relaxed").cheapest is None:
            return None
        unbounded = self if self.delta == np.inf else self.with_delta(np.inf)
        for piece in unbounded.pieces():
            if best is not None and piece.fixed_cost >= best.cost:
                # Pieces come cheapest categories first: no later one can do better.
                break
            found = self._cheapest_in(piece)
            if found is not None and (best is None or found.cost < best.cost):
                best = found
        return best

    def delta_min(self) -> float:
        """δ_min, the smallest budget with a valid plan; infinite when there is none."""
        return np.inf if self.cheapest is None else self.cheapest.cost

    def project(self, point: npt.ArrayLike) -> Array | None:
        """The point of the set nearest to `point` in ℓ2; None when the set is empty."""
        target = frozen_array("point", point, (self.x0.size,))
        best: Array | None = None
        for piece in self.pieces():
            x = Projector(piece, self.budget())(target)
            if x is not None and (
                best is None or np.linalg.norm(x - target) < np.linalg.norm(best - target)
            ):
                best = x
        return best

    def largest_radius(self, profile: npt.ArrayLike | None = None) -> float:
        """The largest t for which the radii t · profile leave a valid plan within the budget.

        profile is 1 for every component unless given, so that t is the ceiling on a common ρ;
        0 when even ρ = 0 leaves none. One cone program a piece: with x = x0 + u/t the ratio
        min_k (θ̂_kᵀx − ε)/(π_k‖x‖) becomes: minimise ‖x t‖ with (θ̂_kᵀx t − ε t)/π_k ≥ 1.
        """
        k = self.mixture.components
        ratio = checked_radii(np.ones(k) if profile is None else profile, k)
        if not ratio.any():
            message = "The profile of the radii needs an entry > 0, got only zeros"
            raise InvalidInput(message)
        free_of_radius = replace(self, radii=np.zeros(k))
        return max(
            (_radius_in(p, self.budget(), ratio) for p in free_of_radius.pieces()), default=0
        )

    def _piece(self, categories: tuple[int, ...] | None) -> Piece:
        return Piece(
            self.x0,
            self.mixture,
            self.radii,
            self.actions,
            self.bounds,
            self.cost,
            self.margin,
            categories,
            self._units,
        )

    def _cheapest_in(self, piece: Piece) -> Cheapest | None:
        rows = piece.rows(np.inf)
        solution = rows.program.solver().minimise(_padded_row(rows.cost_row, rows))
        if not found_point(solution, "δ_min"):
            return None
        x = piece.embed(solution.v)
        return Cheapest(self.cost_of(x), x)


class Projector:
    """Euclidean projection on one piece with cost ≤ delta; the cone program is built once."""

    def __init__(self, piece: Piece, delta: float) -> None:
        self._piece = piece
        program = piece.rows(delta).program
        self._columns = program.columns
        quadratic = np.zeros(program.columns)
        quadratic[: piece.free.size] = 1.0
        self._solver = program.solver(quadratic)

    def __call__(self, point: Array) -> Array | None:
        """The nearest point of the piece, or None when the piece is empty."""
        q = np.zeros(self._columns)
        q[: self._piece.free.size] = -point[self._piece.free]
        solution = self._solver.minimise(q)
        if not found_point(solution, "projection"):
            return None
        if not solution.accurate:
            message = (
                "A projection must lie in the set, got a point that misses a condition by "
                f"{solution.residual:.2g}"
            )
            raise SolverFailure(message)
        return self._piece.embed(solution.v)


def found_point(solution: ConeSolution, purpose: str) -> bool:
    """Whether a solve found a point; False only with a proof that there is none."""
    if solution.usable:
        return True
    if solution.status == INFEASIBLE:
        return False
    message = f"The cone program for {purpose} must end solved or infeasible, got {solution.status}"
    raise SolverFailure(message)


def _padded_row(row: Array, rows: Rows) -> Array:
    return np.pad(row, (0, rows.program.columns - row.size))


def _radius_in(piece: Piece, delta: float, ratio: Array) -> float:
    # At the answer (θ̂_kᵀx − ε)·t = π_k for some k.
    size = float((ratio / piece.terms).max())
    cone = piece.rows(delta).program.homogenised(size)
    n, t = piece.free.size, cone.columns - 1
    length = cone.add_columns(1, size * piece.length)
    rows = np.zeros((n + 2, cone.columns))
    rows[0, length] = 1.0
    rows[1 : n + 1, :n] = np.eye(n)
    rows[1 : n + 1, t] = piece.start
    rows[n + 1, t] = np.linalg.norm(piece.base)
    cone.norm(rows, np.zeros(n + 2))
    reach = np.zeros((len(ratio), cone.columns))
    means = piece.mixture.means
    reach[:, :n] = -means[:, piece.free]
    reach[:, t] = piece.margin - means @ piece.base - means[:, piece.free] @ piece.start
    cone.at_most(reach, -ratio)
    q = np.zeros(cone.columns)
    q[length] = 1.0
    solution = cone.solver().minimise(q)
    if not found_point(solution, "the ceiling on ρ"):
        return 0.0
    # The ratio at the point itself, which is attained even where the objective is inaccurate.
    y, t_value = solution.v[:n] + piece.start * solution.v[t], solution.v[t]
    reached = means[:, piece.free] @ y + (means @ piece.base - piece.margin) * t_value
    norm = np.hypot(np.linalg.norm(y), np.linalg.norm(piece.base) * t_value)
    counted = ratio > 0.0
    return max(float((reached[counted] / ratio[counted]).min()) / float(norm), 0.0)
