"""The plan of boosted trees as a letter; every sentence stands in `tree_letter.html.j2`."""

import datetime

import numpy as np

from dirrac_core.case.documents.letter import (
    amount,
    heading,
    reasons_of_rules,
    shown_changes,
    template,
)
from dirrac_core.case.futures import shifts_of
from dirrac_core.case.nonlinear.trees import TreeSolution
from dirrac_core.data.nearest import nearest_people
from dirrac_core.errors import InvalidInput
from dirrac_core.models.reasons import reasons_from
from dirrac_core.trees.reasons import tree_contributions
from dirrac_core.wording import joined

TEMPLATE = "tree_letter.html.j2"
# More reasons than these make a letter long.
MOST_REASONS = 3


def tree_letter(solution: TreeSolution, link: str, today: datetime.date, record: str = "") -> str:
    """A one-page letter in HTML without any outside resource; every text is escaped.

    `record` is the sentence on promises like this one that were checked.
    """
    case, plan, promise = solution.case, solution.plan, solution.promise
    if plan.x is None or promise is None:
        raise InvalidInput("A letter needs a plan, got a solution without one")
    dataset, scenario, share = case.dataset, case.scenario, case.scenario.plausibility
    pulls = tree_contributions(case.problem, dataset.present)
    return template(TEMPLATE).render(
        **shown_changes(dataset.schema, case.x0, plan.x, None),
        **heading(scenario, case.bundle, case.x0, today),
        reasons=[reason.sentence for reason in reasons_from(pulls, MOST_REASONS)],
        promised=True,
        horizon="",
        promise=promise.sentence,
        no_useful_promise=promise.at_most > 0.5,
        record=record,
        retrainings=len(plan.decisions),
        planned=plan.accepted,
        proof=plan.message.rstrip("."),
        declined=promise.declined,
        fresh=promise.fresh,
        later=len(solution.observed),
        later_declined=int((~solution.observed).sum()),
        shifts=joined(list(case.retrainings.stories)) if shifts_of(scenario, dataset) else "",
        widened=None,
        plausibility="" if share is None else f"1 in {1 / share:g}",
        rules=reasons_of_rules(dataset, scenario),
        effort=amount(plan.cost),
        budget=amount(plan.delta) if np.isfinite(plan.delta) else "",
        delta_min=amount(plan.delta_min) if np.isfinite(plan.delta_min) else "",
        neighbours=joined([str(each.row) for each in nearest_people(dataset, plan.x)]),
        link=link,
    )
