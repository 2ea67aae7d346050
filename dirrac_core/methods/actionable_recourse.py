"""AR: the cheapest action on a grid that flips a linear classifier, by integer programming.

Ustun, Spangher, Liu: Actionable Recourse in Linear Classification, FAT* 2019.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, checked_choice, checked_number, frozen_array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.errors import InvalidInput
from dirrac_core.feasible.bounds import column_bounds
from dirrac_core.methods.parts.action_grid import Program, grid_program
from dirrac_core.methods.protocol import Answer, Plan, SearchMethod, planned
from dirrac_core.models.classifiers import LinearModel

COSTS = ("l1", "percentile")
# The score an action must reach: above the solver's tolerance, so that the flip is real.
SCORE = 1e-5
# Among actions with the same largest percentile shift, the one with the smaller sum is taken.
TIE_BREAK = 1e-4
FLIP_SET = 5


@dataclass(frozen=True, eq=False)
class ActionableRecourse(SearchMethod):
    """AR for a linear model; `people` (n, D − 1) give the ends of open ranges and percentiles.

    `cost` is "l1", or "percentile": the largest shift of a feature's percentile among the
    people. Each number may take `grid` evenly spaced values of its range, or stay; categories
    are whole.
    """

    current: LinearModel
    people: Array
    cost: str = "l1"
    grid: int = 100

    def __post_init__(self) -> None:
        people = frozen_array("people", self.people, (None, self.current.theta.size - 1))
        object.__setattr__(self, "people", people)
        checked_choice("cost", self.cost, COSTS)
        checked_number("The grid size", self.grid, low=2.0)

    @property
    def name(self) -> str:
        """What tables call it."""
        return "AR" if self.cost == "l1" else "AR (percentile)"

    def search(self, x0: Array, actions: Actions) -> Answer:
        """The cheapest plan on the grid that today's model accepts."""
        return self._solve(x0, actions, [])

    def flip_set(
        self, x0: npt.ArrayLike, actions: Actions, size: int = FLIP_SET
    ) -> tuple[Plan, ...]:
        """Up to `size` plans that change different sets of features, cheapest first.

        When nothing flips the decision, the one plan returned is empty and says so.
        """
        if size < 1:
            raise InvalidInput(f"A flip set needs at least one plan, got {size}")
        cuts: list[tuple[Array, float]] = []
        plans: list[Plan] = []

        def search(start: Array) -> Answer:
            return self._solve(start, actions, cuts)

        while len(plans) < size:
            plan = planned(self.name, x0, actions, self.current, True, search)
            if plan.x is None and plans:
                break
            plans.append(plan)
            if plan.x is None:
                break
        return tuple(plans)

    def _solve(self, x0: Array, actions: Actions, cuts: list[tuple[Array, float]]) -> Answer:
        """Solve under the cuts so far, and add the one that excludes the features it changes."""
        program = grid_program(x0, actions, self.people, self.grid)
        if program is None:
            return Answer(None, "A category has no allowed value.")
        theta = self.current.theta
        rows = [theta[:-1] @ program.to_x, *(row for row, _ in cuts)]
        low = [SCORE - float(theta[-1]), *(least for _, least in cuts)]
        shifts = self._costs(program, x0, column_bounds(x0, actions).weights)
        if self.cost == "percentile":
            # The last column is the largest shift of any one feature.
            peaks = np.zeros((len(program.choices), shifts.size + 1))
            top = 0
            for index, choice in enumerate(program.choices):
                entries = slice(top, top + len(choice.values))
                peaks[index, entries] = -shifts[entries]
                top += len(choice.values)
            peaks[:, -1] = 1.0
            costs = np.append(TIE_BREAK * shifts, 1.0)
            block = np.zeros((len(rows), costs.size))
            block[:, :-1] = rows
            block, low = np.vstack([block, peaks]), [*low, *np.zeros(len(peaks))]
        else:
            costs, block = shifts, np.array(rows)
        w = program.solve(costs, block, np.array(low), np.full(len(low), np.inf))
        if w is None:
            return Answer(None, "No action on the grid makes today's model accept.")
        cuts.append(_other_features(program, w))
        return Answer(program.plan(w), f"The cheapest action on a grid of {self.grid} values.")

    def _costs(self, program: Program, x0: Array, weights: Array) -> Array:
        """The cost of every entry of w."""
        costs = np.zeros(program.lower.size)
        top = 0
        for choice in program.choices:
            columns = list(choice.columns)
            if self.cost == "l1":
                shift = np.abs(choice.values - x0[columns]) @ weights[columns]
            else:
                shift = np.zeros(len(choice.values))
                for place, column in enumerate(columns):
                    ranks = self._percentile(column, choice.values[:, place])
                    moved = np.abs(ranks - self._percentile(column, x0[[column]]))
                    shift = np.maximum(shift, weights[column] * moved)
            costs[top : top + len(shift)] = shift
            top += len(shift)
        if self.cost == "l1" and program.followers:
            costs[-len(program.followers) :] = weights[list(program.followers)]
        return costs

    def _percentile(self, column: int, values: Array) -> Array:
        """The share of the people at or below each value."""
        ordered = np.sort(self.people[:, column])
        share: Array = np.searchsorted(ordered, values, side="right") / ordered.size
        return share


def _other_features(program: Program, w: Array) -> tuple[Array, float]:
    """Row and least value that exclude exactly the set of features w changes.

    Σ over changed features of [stays] + Σ over unchanged ones of (1 − [stays]) ≥ 1.
    """
    row, least, top = np.zeros(program.lower.size), 1.0, 0
    for choice, pick in zip(program.choices, program.picks(w), strict=True):
        if choice.stay is not None:
            unchanged = pick == choice.stay
            row[top + choice.stay] = -1.0 if unchanged else 1.0
            least -= float(unchanged)
        top += len(choice.values)
    return row, least
