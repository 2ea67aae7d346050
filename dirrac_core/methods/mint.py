"""MINT: minimal interventions in a linear structural causal model.

Karimi, Schölkopf, Valera: Algorithmic Recourse: from Counterfactual Explanations to
Interventions, FAccT 2021. Every variable is x_j = c_j + Σ_i B_ji x_i + U_j over its causes i.
Abduction reads U off the applicant; an intervention on a set I of variables replaces their
equations by chosen values, and the others follow theirs. For each I the cheapest intervention
the classifier accepts is a linear program; the best I wins.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.errors import InvalidInput, SolverFailure
from dirrac_core.feasible.bounds import ColumnBounds, column_bounds
from dirrac_core.methods.protocol import Answer, Plan, SearchMethod
from dirrac_core.models.classifiers import LinearModel

# The score a plan must reach: above the solver's tolerance, so that the flip is real.
SCORE = 1e-6
OPTIMAL, INFEASIBLE = 0, 2
# Every subset is tried, so their number doubles with each movable variable.
MOST_VARIABLES = 14


@dataclass(frozen=True, eq=False)
class CausalModel:
    """x = c + Bx + U with `effects` B (n, n): B[j, i] is the effect of variable i on j."""

    effects: Array
    intercepts: Array

    def __post_init__(self) -> None:
        n = np.size(self.intercepts)
        effects = frozen_array("effects", self.effects, (n, n))
        object.__setattr__(self, "effects", effects)
        object.__setattr__(self, "intercepts", frozen_array("intercepts", self.intercepts, (n,)))
        # Without a cycle some power of the graph's adjacency matrix is zero.
        if np.linalg.matrix_power((effects != 0.0).astype(np.float64), n).any():
            raise InvalidInput(
                "A causal model must have no cycle, got effects that lead back to their cause"
            )

    @classmethod
    def fit(cls, X: npt.ArrayLike, causes: Mapping[int, tuple[int, ...]]) -> "CausalModel":
        """Regress each variable on its causes by least squares; a variable without is a root."""
        people = frozen_array("X", X, (None, None))
        n = people.shape[1]
        effects, intercepts = np.zeros((n, n)), np.zeros(n)
        for effect, parents in causes.items():
            if not {effect, *parents} <= set(range(n)):
                raise InvalidInput(
                    f"Variables run from 0 to {n - 1}, got {effect} caused by {parents}"
                )
            if parents:
                inputs = np.column_stack([people[:, list(parents)], np.ones(len(people))])
                solution = np.linalg.lstsq(inputs, people[:, effect])[0]
                effects[effect, list(parents)], intercepts[effect] = solution[:-1], solution[-1]
        return cls(effects, intercepts)

    def abduct(self, x: Array) -> Array:
        """U of a person x (n,)."""
        noise: Array = x - self.intercepts - self.effects @ x
        return noise

    def response(self, intervened: tuple[int, ...], x: Array) -> tuple[Array, Array]:
        """(A, b): a person x (n,) whose variables `intervened` are set to v becomes A v + b."""
        n = self.intercepts.size
        chosen = list(intervened)
        effects = self.effects.copy()
        constant = self.intercepts + self.abduct(x)
        effects[chosen], constant[chosen] = 0.0, 0.0
        total: Array = np.asarray(np.linalg.inv(np.eye(n) - effects), dtype=np.float64)
        return total[:, chosen], total @ constant


@dataclass(frozen=True, eq=False)
class Mint(SearchMethod):
    """MINT for a linear model over the variables of a causal model.

    The cost is the weighted ℓ1 size of the interventions, |v_i − x0_i| over I; the plan is where
    they lead, so that its own cost counts what follows from them too. Locks, directions and
    bounds hold for every variable, intervened or not.
    """

    NAME = "MINT"
    asks_later_models = False

    current: LinearModel
    causal: CausalModel

    def __post_init__(self) -> None:
        variables, columns = self.causal.intercepts.size, self.current.theta.size - 1
        if variables != columns:
            raise InvalidInput(f"The causal model must have {columns} variables, got {variables}")

    def recourse(self, x0: npt.ArrayLike, actions: Actions) -> Plan:
        """Where the cheapest accepted intervention leads."""
        if actions.groups:
            raise InvalidInput(f"MINT's variables are numbers, got one-hot groups {actions.groups}")
        return super().recourse(x0, actions)

    def search(self, x0: Array, actions: Actions) -> Answer:
        """The cheapest accepted intervention, over every set of variables."""
        bounds = column_bounds(x0, actions)
        movable = [int(c) for c in np.flatnonzero(bounds.lower < bounds.upper)]
        if len(movable) > MOST_VARIABLES:
            raise InvalidInput(
                f"MINT can move at most {MOST_VARIABLES} variables, got {len(movable)}"
            )
        subsets = chain.from_iterable(
            combinations(movable, size) for size in range(1, len(movable) + 1)
        )
        best: tuple[float, Array, tuple[int, ...]] | None = None
        for subset in subsets:
            found = self._intervene(x0, subset, bounds, actions)
            # A larger set has to pay: an intervention of size 0 is none.
            if found is not None and (best is None or found[0] < best[0] - SCORE):
                best = (*found, subset)
        if best is None:
            return Answer(None, "No intervention makes today's model accept.")
        cost, x, subset = best
        return Answer(x, f"Interventions on columns {list(subset)} of total size {cost:.4g}.")

    def _intervene(
        self, x0: Array, subset: tuple[int, ...], bounds: ColumnBounds, actions: Actions
    ) -> tuple[float, Array] | None:
        """min Σ w_i e_i over (v, e) with e ≥ |v − x0|, the rules and the decision on A v + b."""
        A, b = self.causal.response(subset, x0[:-1])
        k, chosen = len(subset), list(subset)
        theta = self.current.theta
        rows = [-theta[:-1] @ A]
        limits = [float(theta[:-1] @ b + theta[-1]) - SCORE]
        for c in range(x0.size - 1):
            if np.isfinite(bounds.upper[c]):
                rows.append(A[c])
                limits.append(float(bounds.upper[c] - b[c]))
            if np.isfinite(bounds.lower[c]):
                rows.append(-A[c])
                limits.append(float(b[c] - bounds.lower[c]))
        for rule in actions.linear:
            for sign, end in ((1.0, rule.high), (-1.0, -rule.low)):
                if np.isfinite(end):
                    rows.append(sign * rule.coefficients @ A)
                    limits.append(float(end - sign * rule.coefficients @ b))
        identity = np.eye(k)
        result = linprog(
            np.concatenate([np.zeros(k), bounds.weights[chosen]]),
            A_ub=np.block(
                [
                    [np.array(rows), np.zeros((len(rows), k))],
                    [identity, -identity],
                    [-identity, -identity],
                ]
            ),
            b_ub=np.concatenate([limits, x0[chosen], -x0[chosen]]),
            bounds=[(None, None)] * (2 * k),
        )
        if result.status == INFEASIBLE:
            return None
        if result.status != OPTIMAL or result.x is None:
            raise SolverFailure(
                f"MINT's linear program must end optimal or infeasible: {result.message}"
            )
        values = np.asarray(result.x[:k])
        cost = float(np.abs(bounds.weights[chosen] * (values - x0[chosen])).sum())
        return cost, np.append(A @ values + b, 1.0)
