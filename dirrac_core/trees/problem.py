"""One applicant's question to boosted trees: who asks, what may change, which models judge."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, checked_choice, checked_instance
from dirrac_core.data.schema.actions import Actions
from dirrac_core.data.schema.schema import Schema
from dirrac_core.errors import InvalidInput
from dirrac_core.feasible import Checklist
from dirrac_core.feasible.bounds import ColumnBounds, column_bounds
from dirrac_core.feasible.checks import ActionChecks
from dirrac_core.models.boosted.tree_model import TreeModel
from dirrac_core.models.classifiers import Decisions
from dirrac_core.robustness import checked_applicant

COSTS = ("l1", "l2")


@dataclass(frozen=True, eq=False)
class View:
    """How a model sees encoded people: `inputs` maps (n, D − 1) to (n, model columns).

    `driver[m]` is the encoded column whose feature decides model column m.
    """

    inputs: Callable[[Array], Array]
    driver: tuple[int, ...]


def encoded_view(columns: int) -> View:
    """Models trained on the encoded columns themselves."""
    return View(_unchanged, tuple(range(columns)))


def _unchanged(X: Array) -> Array:
    return X


@dataclass(frozen=True, eq=False)
class TreeProblem:
    """What is asked for one applicant x0 (D entries with the trailing 1).

    A plan must keep the `actions` and be accepted by `today`; `retrainings` are the N models that
    may follow it. `cost` is "l1" or "l2", the weighted length of the change on the encoded scale.
    """

    schema: Schema
    x0: Array
    actions: Actions
    today: TreeModel
    retrainings: tuple[TreeModel, ...]
    cost: str
    view: View = field(repr=False)

    def __init__(
        self,
        schema: Schema,
        x0: npt.ArrayLike,
        actions: Actions,
        today: TreeModel,
        retrainings: Sequence[TreeModel] = (),
        cost: str = "l1",
        view: View | None = None,
    ) -> None:
        columns = len(schema.columns)
        person = checked_applicant("x0", x0, columns + 1)
        checked_instance("actions", actions, Actions).check_columns(columns)
        seen = encoded_view(columns) if view is None else view
        for model in (today, *retrainings):
            if checked_instance("A model", model, TreeModel).columns != len(seen.driver):
                raise InvalidInput(
                    f"Every model must see {len(seen.driver)} columns, got one with {model.columns}"
                )
        set_field = object.__setattr__
        set_field(self, "schema", schema)
        set_field(self, "x0", person)
        set_field(self, "actions", actions)
        set_field(self, "today", today)
        set_field(self, "retrainings", tuple(retrainings))
        set_field(self, "cost", checked_choice("cost", cost, COSTS))
        set_field(self, "view", seen)

    def with_retrainings(self, retrainings: Sequence[TreeModel]) -> "TreeProblem":
        """The same question to other re-trainings."""
        return TreeProblem(
            self.schema, self.x0, self.actions, self.today, retrainings, self.cost, self.view
        )

    def with_actions(self, actions: Actions) -> "TreeProblem":
        """The same question where other changes are allowed."""
        return TreeProblem(
            self.schema, self.x0, actions, self.today, self.retrainings, self.cost, self.view
        )

    @cached_property
    def bounds(self) -> ColumnBounds:
        """The ends of every encoded column."""
        return column_bounds(self.x0, self.actions)

    @cached_property
    def thresholds(self) -> tuple[Array, ...]:
        """The thresholds any model asks about each of its columns, increasing."""
        trees = [tree for model in (self.today, *self.retrainings) for tree in model.trees]
        feature = np.concatenate([np.zeros(0, int), *(tree.feature for tree in trees)])
        threshold = np.concatenate([np.zeros(0), *(tree.threshold for tree in trees)])
        sharp = np.isfinite(threshold)
        return tuple(
            np.unique(threshold[sharp & (feature == m)]) for m in range(len(self.view.driver))
        )

    def encoded_thresholds(self, column: int) -> Array:
        """The thresholds about one encoded number, on its own scale.

        A model input is affine in the number that drives it.
        """
        ends = np.tile(self.x0[:-1], (2, 1))
        ends[:, column] = (0.0, 1.0)
        at_low, at_high = self.view.inputs(ends)
        found = [
            (self.thresholds[m] - at_low[m]) / (at_high[m] - at_low[m])
            for m, driver in enumerate(self.view.driver)
            if driver == column and at_low[m] != at_high[m]
        ]
        return np.concatenate([np.zeros(0), *found])

    def cost_of(self, x: Array) -> float:
        """The weighted ℓ1 or ℓ2 length of the change from x0 to x."""
        change = self.bounds.weights * (x[:-1] - self.x0[:-1])
        return float(np.abs(change).sum() if self.cost == "l1" else np.linalg.norm(change))

    def accepted_today(self, x: Array) -> bool:
        """Whether today's model accepts x (D,)."""
        return bool(self.decisions(x, (self.today,))[0])

    def decisions(self, x: Array, models: Sequence[TreeModel] | None = None) -> Decisions:
        """The decision of each model, by default of the re-trainings, on x (D,)."""
        judges = self.retrainings if models is None else models
        inputs = self.view.inputs(x[None, :-1])
        return np.array([bool(model.decision(inputs)[0]) for model in judges], dtype=bool)

    def margins(self, x: Array, models: Sequence[TreeModel] | None = None) -> Array:
        """How far the log-odds of each model, by default of the re-trainings, lie above its
        threshold."""
        inputs = self.view.inputs(x[None, :-1])
        judges = self.retrainings if models is None else models
        return np.array([model.log_odds(inputs)[0] - model.threshold for model in judges])

    def checks(self, x: Array) -> Checklist:
        """Every rule of the actionable set, judged from scratch."""
        return Checklist(tuple(ActionChecks(self.x0, self.actions, True, self.bounds)(x)))
