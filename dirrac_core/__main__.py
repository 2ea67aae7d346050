"""The command line: `python -m dirrac_core datasets` and `python -m dirrac_core plan FILE`."""

import argparse
import json
import sys
from pathlib import Path

from dirrac_core.data import DATASETS, load_dataset
from dirrac_core.data.cards import dataset_card
from dirrac_core.errors import DirracError
from dirrac_core.scenario import Scenario, answer_of, recorded_answer, solve_scenario


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 0 when it worked, 1 when a recorded answer differs, 2 when refused."""
    parser = argparse.ArgumentParser(prog="python -m dirrac_core", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("datasets", help="list the shipped datasets")
    plan = commands.add_parser("plan", help="compute the plan of a scenario file")
    plan.add_argument("file", help="a scenario JSON, as the dashboard exports it; - reads stdin")
    plan.add_argument("--json", action="store_true", help="print the answer as JSON only")
    chosen = parser.parse_args(arguments)
    try:
        return _datasets() if chosen.command == "datasets" else _plan(chosen.file, chosen.json)
    except (DirracError, OSError, UnicodeDecodeError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2


def _datasets() -> int:
    for name in DATASETS:
        card = dataset_card(load_dataset(name))
        print(f"{name:12} {card.title}: {card.present.rows} people, {card.features} features")
    return 0


def _plan(file: str, as_json: bool) -> int:
    text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    recorded = recorded_answer(text)
    solution = solve_scenario(Scenario.from_json(text))
    answer = answer_of(solution)
    same = recorded is None or recorded == answer
    if as_json:
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


if __name__ == "__main__":
    sys.exit(main())
