"""`datasets` lists what is shipped; `plan FILE` computes the plan of a scenario file."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from dirrac_core.data import DATASETS, load_dataset
from dirrac_core.data.cards import dataset_card
from dirrac_core.scenario import Scenario, answer_of, recorded_answer, solve_scenario


def add(commands: Any) -> None:
    """Describe the two commands."""
    datasets = commands.add_parser("datasets", help="list the shipped datasets")
    datasets.set_defaults(run=_datasets)
    plan = commands.add_parser("plan", help="compute the plan of a scenario file")
    plan.add_argument("file", help="a scenario JSON, as the dashboard exports it; - reads stdin")
    plan.add_argument("--json", action="store_true", help="print the answer as JSON only")
    plan.set_defaults(run=_plan)


def _datasets(_: argparse.Namespace) -> int:
    for name in DATASETS:
        card = dataset_card(load_dataset(name))
        print(f"{name:12} {card.title}: {card.present.rows} people, {card.features} features")
    return 0


def _plan(chosen: argparse.Namespace) -> int:
    stdin = chosen.file == "-"
    text = sys.stdin.read() if stdin else Path(chosen.file).read_text(encoding="utf-8")
    recorded = recorded_answer(text)
    solution = solve_scenario(Scenario.from_json(text))
    answer = answer_of(solution)
    same = recorded is None or recorded == answer
    if chosen.json:
        print(json.dumps(answer, indent=2))
    else:
        plan, case = solution.real.plan, solution.case
        if plan.x is None:
            print(plan.message)
        else:
            print(case.dataset.schema.sentence(case.x0, plan.x))
            print(f"Worst-case probability of failing: {plan.worst_case_probability!r}")
            print(f"No plan can do better than:        {plan.lower_bound!r}")
            print(f"Cost: {plan.cost!r} of at most {plan.delta!r}")
        if recorded is not None:
            print(
                "Reproduced the recorded answer." if same else "Differs from the recorded answer!"
            )
    if not same:
        print("error: the recorded answer was not reproduced", file=sys.stderr)
    return 0 if same else 1
