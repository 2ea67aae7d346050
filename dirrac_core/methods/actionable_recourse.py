"""AR: the cheapest action on a grid that flips a linear classifier, by integer programming.

Ustun, Spangher, Liu: Actionable Recourse in Linear Classification, FAT* 2019.
"""

from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array, checked_choice, checked_number, frozen_array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.feasible.bounds import column_bounds
from dirrac_core.methods.parts.action_grid import Program, grid_program
from dirrac_core.methods.protocol import Answer, SearchMethod
from dirrac_core.models.classifiers import LinearModel

COSTS = ("l1", "percentile")
# The score an action must reach: above the solver's tolerance, so that the flip is real.
SCORE = 1e-5
# Among actions with the same largest percentile shift, the one with the smaller sum is taken.
TIE_BREAK = 1e-4


@dataclass(frozen=True, eq=False)
class ActionableRecourse(SearchMethod):
    """AR for a linear model; `people` (n, D − 1) give the ends of open ranges and percentiles.

    `cost` is "l1", or "percentile": the largest shift of a feature's percentile among the
    people. Each number may take `grid` evenly spaced values of its range, or stay; categories
    are whole.
    """

    asks_later_models = False

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
        program = grid_program(x0, actions, self.people, self.grid)
        if program is None:
            return Answer(None, "A category has no allowed value.")
        theta = self.current.theta
        accepted, low = theta[:-1] @ program.to_x, [SCORE - float(theta[-1])]
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
            block = np.vstack([np.append(accepted, 0.0), peaks])
            low += [0.0] * len(peaks)
        else:
            costs, block = shifts, accepted[None]
        w = program.solve(costs, block, np.array(low), np.full(len(low), np.inf))
        if w is None:
            return Answer(None, "No action on the grid makes today's model accept.")
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
