"""The scenario file: a scenario with the answer that a second run must reproduce."""

import json
from dataclasses import asdict
from typing import Any

from dirrac_core.case.case import Solution
from dirrac_core.case.horizon import horizon_of
from dirrac_core.case.scenario import read_json
from dirrac_core.errors import InvalidInput


def answer_of(solution: Solution) -> dict[str, Any]:
    """The numbers of an answer that a second run must reproduce to the last digit.

    Where a network declines its own plan, there is no worst case to hold it to.
    """
    plan = solution.plan
    promised = plan.x is None or solution.case.promise_of(plan.x) is not None
    return {
        "status": plan.status,
        "x": None if plan.x is None else plan.x.tolist(),
        "cost": None if plan.x is None else plan.cost,
        "worst_case_probability": plan.worst_case_probability if promised else None,
        "lower_bound": plan.lower_bound if promised else None,
    }


def scenario_file(solution: Solution) -> str:
    """The scenario with its answer and how far its evidence reaches, as `dirrac plan` reads it."""
    case = solution.case
    content = json.loads(case.scenario.to_json())
    content["answer"] = answer_of(solution)
    content["horizon"] = asdict(horizon_of(case.scenario, case.dataset))
    return json.dumps(content, indent=2, ensure_ascii=False)


def recorded_answer(text: str) -> dict[str, Any] | None:
    """The answer stored in a scenario file, if it holds one."""
    answer = read_json(text).get("answer")
    if answer is not None and not isinstance(answer, dict):
        message = f"The answer in a scenario must be a JSON object, got {type(answer).__name__}"
        raise InvalidInput(message)
    return answer
