"""The feasible set X_ε of one applicant: membership, projection, δ_min and the ceiling on ρ."""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Real

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import (
    Array,
    brief,
    checked_choice,
    checked_instance,
    checked_number,
    frozen_array,
)
from dirrac_core.data.schema.actions import Actions
from dirrac_core.errors import InvalidInput
from dirrac_core.feasible.bounds import ColumnBounds, column_bounds
from dirrac_core.feasible.categories import Options
from dirrac_core.feasible.ceiling import largest_radius
from dirrac_core.feasible.cheapest import Cheapest, cheapest_in
from dirrac_core.feasible.checks import (
    TOLERANCE,
    ActionChecks,
    Check,
    Checklist,
    is_valid,
    validity_checks,
    within,
)
from dirrac_core.feasible.piece import Piece
from dirrac_core.feasible.projection import Projector
from dirrac_core.feasible.units import column_units
from dirrac_core.models.mixture import ParameterMixture, checked_radii
from dirrac_core.robustness import Doubt, Metric, checked_applicant

# Solves are given this much more budget (far inside the checklist's tolerance), because at
# δ = δ_min the set has no interior and an interior-point method needs one.
BUDGET_SLACK = 0.1 * TOLERANCE
# So many pieces are kept for other budgets: every search begins with the cheapest categories.
MOST_KEPT = 16
# Worked out once for every budget. Whatever else a set remembers no budget changes, either.
SHARED = ("bounds", "margins", "cost_unit", "options", "_kept_pieces", "_action_checks")


@dataclass(frozen=True, eq=False)
class FeasibleSet:
    """X_ε = {x ∈ X : cost(x, x0) ≤ δ, θ̂_kᵀx − r_k(x) ≥ ε_k for all k} (Section 3, X_ε).

    r_k(x) = ρ_k√(xᵀM_k x) with the radii ρ in the unit of `metric` (see `Doubt`): ρ_k‖x‖₂ for
    "weights", as in the paper. ε_k is `margin`; for "deviations" it is relative, margin·‖θ̂_k‖.

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
    metric: str | Array = "weights"
    doubt: Doubt = field(init=False, repr=False)

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
        metric: Metric = "weights",
    ) -> None:
        checked_instance("mixture", mixture, ParameterMixture)
        start = checked_applicant("x0", x0, mixture.dimension)
        allowed = Actions() if actions is None else checked_instance("actions", actions, Actions)
        allowed.check_columns(start.size - 1)
        budget = _checked_budget(delta)
        set_field = object.__setattr__
        set_field(self, "x0", start)
        set_field(self, "mixture", mixture)
        doubt = Doubt.of(mixture, radii, metric)
        set_field(self, "radii", doubt.radii)
        set_field(self, "metric", doubt.metric)
        set_field(self, "doubt", doubt)
        set_field(self, "actions", allowed)
        set_field(self, "cost", checked_choice("cost", cost, ("l1", "l2")))
        set_field(self, "delta", budget)
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

    @cached_property
    def options(self) -> Options:
        """The categories each group may have, whole ones, and what they cost."""
        return Options.of(self.x0, self.actions.groups, self.bounds, self.cost)

    @cached_property
    def margins(self) -> Array:
        """ε_k of every component, (K,)."""
        return self.doubt.margins(self.margin, self.mixture.means)

    def with_delta(self, delta: float) -> "FeasibleSet":
        """The same set with another budget; what does not depend on the budget is shared."""
        for name in SHARED:
            getattr(self, name)
        twin = copy(self)
        object.__setattr__(twin, "delta", _checked_budget(delta))
        return twin

    @property
    def _many_pieces(self) -> bool:
        return self.whole and bool(self.actions.groups)

    @cached_property
    def _kept_pieces(self) -> dict[tuple[int, ...] | None, Piece]:
        """Pieces by their categories, whatever the budget."""
        return {}

    def cost_of(self, x: Array) -> float:
        """cost(x, x0): the weighted ℓ1 or ℓ2 length of the change."""
        change = self.bounds.weights * (x[:-1] - self.x0[:-1])
        return float(np.abs(change).sum() if self.cost == "l1" else np.linalg.norm(change))

    @cached_property
    def _action_checks(self) -> ActionChecks:
        return ActionChecks(self.x0, self.actions, self.whole, self.bounds)

    def contains(self, x: npt.ArrayLike) -> Checklist:
        """A report for every constraint; true when all of them hold."""
        point = frozen_array("x", x, (self.x0.size,))
        checks = self._action_checks(point)
        checks += validity_checks(point, self.mixture, self.doubt, self.margins)
        checks.append(self._budget_check(self.cost_of(point)))
        return Checklist(tuple(checks))

    def affords(self, cost: float) -> bool:
        """Whether the checklist accepts a plan of this cost; an infinite one is no plan."""
        return cost < np.inf and self._budget_check(cost).ok

    def _budget_check(self, cost: float) -> Check:
        return within("budget", cost, 0.0, self.delta, size=self.cost_unit)

    def is_valid(self, x: Array) -> bool:
        """Whether θ̂_kᵀx − r_k(x) ≥ ε_k for all k, to the tolerance of the checklist.

        The accuracy of a cone program is relative to the largest numbers of its piece; where x has
        much smaller ones, the program's point may not be valid.
        """
        return is_valid(x, self.mixture, self.doubt, self.margins)

    def pieces(self) -> Iterator[Piece]:
        """The convex pieces that cost alone does not rule out, cheapest categories first."""
        limit = self.delta + TOLERANCE * max(self.cost_unit, self.delta)
        for categories, cost in self._choices():
            if cost > limit:
                return
            piece = self._piece(categories)
            if not piece.empty:
                yield piece

    def _choices(self) -> Iterator[tuple[tuple[int, ...] | None, float]]:
        """The categories of every piece, cheapest first, and what they cost at least."""
        if not self._many_pieces:
            yield None, 0.0
            return
        for each in self.options.combinations():
            yield each.columns, each.cost

    def budget(self) -> float:
        """δ as given to a solver: with a trace of slack, so that the set has an interior."""
        return self.delta + BUDGET_SLACK * max(self.cost_unit, self.delta)

    def proof_budget(self) -> float:
        """δ as a certificate sees it: no solver's plan costs more, whatever its last digits."""
        return self.delta + 2.0 * BUDGET_SLACK * max(self.cost_unit, self.delta)

    @cached_property
    def _units(self) -> Array:
        return column_units(self.x0, self.bounds, self.mixture, self.doubt, self.margins)

    @cached_property
    def cost_unit(self) -> float:
        """The cost of the cheapest change that matters: budgets are no finer than this."""
        bounds = self.bounds
        units = np.minimum(self._units, bounds.sizes)
        movable = bounds.lower < bounds.upper
        return float((bounds.weights * units)[movable].min()) if movable.any() else 0.0

    @cached_property
    def cheapest(self) -> Cheapest | None:
        """The cheapest valid plan whatever the budget (equation delta_min); None if none exists."""
        # What the checklist accepts as it stands costs nothing, whatever a cone program rounds to.
        if self.is_valid(self.x0) and self.contains(self.x0):
            return Cheapest(0.0, self.x0, 0.0)
        best: Cheapest | None = None
        for number, (categories, least) in enumerate(self._choices()):
            # No later piece can do better, either.
            if best is not None and least >= best.cost:
                break
            piece = self._piece(categories)
            if best is not None and piece.fixed_cost >= best.cost:
                break
            found = None
            if not piece.empty:
                found = cheapest_in(piece, self.cost_of, self.is_valid, self.cost_unit)
            if found is not None:
                best = found if best is None else best.with_other(found)
            elif number == 0 and self._many_pieces:
                # One proof for all categories at once may spare the rest.
                if replace(self, categories="relaxed").cheapest is None:
                    return None
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

        profile is 1 for every component unless given, so that t is the ceiling on a common ρ, in
        the unit of the metric; 0 when even ρ = 0 leaves none, infinite when some valid plan has
        √(xᵀM_k x) = 0 for every component, because the metric allows no move that harms it.
        """
        k = self.mixture.components
        ratio = checked_radii(np.ones(k) if profile is None else profile, k)
        if not ratio.any():
            message = "The profile of the radii needs an entry > 0, got only zeros"
            raise InvalidInput(message)
        free_of_radius = replace(self, radii=np.zeros(k))
        return largest_radius(free_of_radius.pieces(), self.budget(), ratio)

    def _piece(self, categories: tuple[int, ...] | None) -> Piece:
        if categories in self._kept_pieces:
            return self._kept_pieces[categories]
        piece = Piece(
            self.x0,
            self.mixture,
            self.doubt,
            self.actions,
            self.bounds,
            self.cost,
            self.margins,
            categories,
            self._units,
        )
        if len(self._kept_pieces) < MOST_KEPT:
            self._kept_pieces[categories] = piece
        return piece


def _checked_budget(delta: float) -> float:
    """δ as a float; ∞ is no limit."""
    if not isinstance(delta, Real) or not delta >= 0.0:
        raise InvalidInput(f"The budget 'delta' must be ≥ 0, got {brief(delta)}")
    return float(delta)
