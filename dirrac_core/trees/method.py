"""The plan proved over re-trainings, asked like every other method."""

from dataclasses import dataclass, field

from dirrac_core.arrays import Array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.data.schema.schema import Schema
from dirrac_core.methods.protocol import Answer, SearchMethod
from dirrac_core.models.boosted.tree_model import TreeModel
from dirrac_core.trees.cp_sat.solving import Effort
from dirrac_core.trees.problem import TreeProblem
from dirrac_core.trees.search import most_accepted

EXACT_TREES = "Exact on trees"


@dataclass(frozen=True, eq=False)
class ExactTrees(SearchMethod):
    """Within the budget δ_min + `delta_add` the plan that most of the `retrainings` accept."""

    NAME = EXACT_TREES

    current: TreeModel
    schema: Schema
    retrainings: tuple[TreeModel, ...]
    delta_add: float
    cost: str = "l1"
    effort: Effort = field(default_factory=Effort)

    @property
    def parameter(self) -> float:
        """What the plan may cost more than the cheapest one that today's model accepts."""
        return self.delta_add

    def search(self, x0: Array, actions: Actions) -> Answer:
        """The plan and how far it is proved."""
        problem = TreeProblem(self.schema, x0, actions, self.current, self.retrainings, self.cost)
        plan = most_accepted(problem, self.delta_add, self.effort)
        if plan.x is None:
            return Answer(None, plan.message)
        number = len(self.retrainings)
        return Answer(plan.x, f"{plan.accepted} of {number} re-trainings accept. {plan.message}")
