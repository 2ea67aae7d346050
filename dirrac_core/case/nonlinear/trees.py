"""A scenario about boosted trees made ready and answered: re-trainings, plan, promise."""

import math
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from scipy.special import expit

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.case.case import bundle_of
from dirrac_core.case.futures import bootstrap_of, shifts_of
from dirrac_core.case.realism import allowed_actions
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import Dataset, with_constant
from dirrac_core.errors import InvalidInput
from dirrac_core.models.boosted.tree_model import TreeModel
from dirrac_core.models.classifiers import Decisions
from dirrac_core.models.training import ModelBundle
from dirrac_core.progress import Cancel, Progress, never
from dirrac_core.recourse.kinds.alternatives import AT_MOST, CHEAPEST, FEWEST, SAFEST, SPARING
from dirrac_core.recourse.kinds.levers import without_levers
from dirrac_core.trees.answer import INFEASIBLE, TreePlan, no_plan
from dirrac_core.trees.cp_sat.solving import Effort, Found, no_news
from dirrac_core.trees.problem import TreeProblem
from dirrac_core.trees.promise import Promise, promise_of
from dirrac_core.trees.retrainings import Retrainings, retrained
from dirrac_core.trees.search import cheapest_accepted, fewest_changes, most_accepted

TREES = "trees"
# Without a stated level the cheapest lasting plan is accepted by this share of the re-trainings.
USUAL_LEVEL = 0.1
KINDS = (SAFEST, CHEAPEST, FEWEST, SPARING, AT_MOST)


@dataclass(frozen=True, eq=False)
class TreeCase:
    """A scenario about boosted trees: its data, today's model, applicant x0 and re-trainings.

    `trained` are the re-trainings as they were trained, before the cut-off moved their thresholds.
    """

    scenario: Scenario
    dataset: Dataset
    bundle: ModelBundle
    x0: Array
    problem: TreeProblem
    retrainings: Retrainings
    trained: Retrainings

    @property
    def today(self) -> TreeModel:
        """Today's model."""
        return self.problem.today

    @property
    def needed(self) -> float:
        """The probability of a good outcome that it takes to be accepted."""
        return float(expit(self.today.threshold))


@dataclass(frozen=True, eq=False)
class TreeSolution:
    """The plan of a case, what fresh re-trainings promise, and what future models decided.

    `observed` are the decisions of models trained on the shifted people (or simulated ones).
    """

    case: TreeCase
    plan: TreePlan
    promise: Promise | None
    observed: Decisions


def make_tree_case(scenario: Scenario) -> TreeCase:
    """The re-trainings and the problem of a scenario."""
    _check(scenario)
    bundle = bundle_of(scenario)
    shifts = shifts_of(scenario, bundle.dataset)
    models = retrained(bundle.dataset, shifts, bootstrap_of(scenario), scenario.seed)
    # Only a cancel leaves no models, and nothing cancels here.
    assert models is not None
    return tree_case_of(scenario, bundle, models)


def tree_case_of(scenario: Scenario, bundle: ModelBundle, retrainings: Retrainings) -> TreeCase:
    """The problem of a scenario on models that are trained."""
    _check(scenario)
    dataset = bundle.dataset
    if scenario.applicant >= len(dataset.present):
        raise InvalidInput(
            f"The applicant must be from 0 to {len(dataset.present) - 1}, got {scenario.applicant}"
        )
    models = retrainings.at_threshold(bundle.threshold)
    x0 = frozen_array("x0", with_constant(dataset.present.X[scenario.applicant]), (None,))
    problem = TreeProblem(
        dataset.schema,
        x0,
        allowed_actions(dataset, scenario, x0, None),
        cast(TreeModel, bundle.current),
        models.planned,
        scenario.cost,
    )
    return TreeCase(scenario, dataset, bundle, x0, problem, models, retrainings)


def solve_trees(case: TreeCase, effort: Effort | None = None) -> TreeSolution:
    """The plan of the scenario's kind with its promise."""
    return judged_plan(case, search_plan(case.problem, case.scenario, effort))


def search_plan(
    problem: TreeProblem,
    scenario: Scenario,
    effort: Effort | None = None,
    cancel: Cancel = never,
    found: Found = no_news,
) -> TreePlan:
    """The plan of the scenario's kind.

    "safest": within the budget, accepted by most re-trainings. "cheapest" and "at most": the
    cheapest that the share 1 − level of them accept. "fewest": within the budget, the fewest
    changes that this share accepts. "sparing": the safest that leaves one feature alone which the
    safest of all would change.
    """
    work = replace(effort or Effort(), seed=scenario.seed)
    at_least = accepting(scenario.level, len(problem.retrainings))
    if scenario.plan_kind == FEWEST:
        return fewest_changes(problem, at_least, scenario.delta_add, work, cancel, found)
    if scenario.plan_kind == SPARING:
        return _sparing(problem, scenario.delta_add, work, cancel, found)
    if scenario.plan_kind in (CHEAPEST, AT_MOST):
        return cheapest_accepted(problem, at_least, effort=work, cancel=cancel, found=found)
    return most_accepted(problem, scenario.delta_add, work, cancel, found)


def search_with_news(
    problem: TreeProblem, scenario: Scenario, effort: Effort, progress: Progress, cancel: Cancel
) -> TreePlan:
    """`search_plan`, whose progress is the best plan so far."""
    progress(0.1, "Searching for a plan")

    def better(x: Array, cost: float) -> None:
        sentence = problem.schema.sentence(problem.x0, x)
        progress(0.5, f"Best plan so far (effort {cost:.3g}): {sentence}")

    return search_plan(problem, scenario, effort, cancel, better)


def _sparing(
    problem: TreeProblem, delta_add: float, effort: Effort, cancel: Cancel, found: Found
) -> TreePlan:
    """The features that the safest plan changes are left alone one by one; the best plan counts.

    Of plans that as many re-trainings accept, the cheapest. All have the budget of the safest.
    """
    safest = most_accepted(problem, delta_add, effort, cancel, found)
    if safest.x is None:
        return safest
    schema = problem.schema
    best: TreePlan | None = None
    for change in schema.describe_change(problem.x0, safest.x):
        kept = without_levers(problem.actions, (schema.columns_of(change.feature),))
        spared = problem.with_actions(kept)
        plan = most_accepted(spared, delta_add, effort, cancel, found, safest.delta)
        if plan.x is None:
            continue
        if best is None or (plan.accepted, -plan.cost) > (best.accepted, -best.cost):
            best = replace(plan, delta_min=safest.delta_min)
    if best is None:
        message = "Within the budget no plan leaves alone a feature that the safest changes."
        spent = safest.seconds, safest.work
        return no_plan(INFEASIBLE, safest.delta_min, safest.delta, *spent, message)
    return best


def judged_plan(case: TreeCase, plan: TreePlan) -> TreeSolution:
    """A plan with its promise and the decisions of the future models."""
    if plan.x is None:
        return TreeSolution(case, plan, None, np.zeros(0, dtype=bool))
    promise = promise_of(case.problem, plan.x, case.retrainings)
    return TreeSolution(case, plan, promise, case.bundle.future.accepts(plan.x))


def accepting(level: float | None, number: int) -> int:
    """How many of `number` re-trainings must accept so that at most the share `level` declines."""
    share = USUAL_LEVEL if level is None else level
    return math.ceil(number * (1.0 - share) - 1e-9)


def tree_answer(solution: TreeSolution) -> dict[str, Any]:
    """The numbers of an answer that a second run must reproduce to the last digit."""
    plan, promise = solution.plan, solution.promise
    return {
        "status": plan.status,
        "x": None if plan.x is None else plan.x.tolist(),
        "cost": None if plan.x is None else plan.cost,
        "accepted": plan.accepted,
        "retrainings": len(solution.case.problem.retrainings),
        "fresh_declined": None if promise is None else promise.declined,
        "fresh": None if promise is None else promise.fresh,
        "decline_at_most": None if promise is None else promise.at_most,
    }


def _check(scenario: Scenario) -> None:
    if scenario.model != TREES:
        raise InvalidInput(f"The model must be {TREES!r} here, got {scenario.model!r}")
    if scenario.plan_kind not in KINDS:
        raise InvalidInput(
            f"Boosted trees have the kinds of plan {' and '.join(KINDS)}, got "
            f"{scenario.plan_kind!r}"
        )
