"""`datasets` lists what is shipped; `plan FILE` computes the plan of a scenario file."""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from dirrac_core.case.case import Solution, solve_scenario
from dirrac_core.case.documents.file import answer_of, recorded_answer
from dirrac_core.case.facts import facts_of
from dirrac_core.case.no_plan import ways_out
from dirrac_core.case.nonlinear.trees import TREES, make_tree_case, solve_trees, tree_answer
from dirrac_core.case.promise_kind import NO_PROMISE
from dirrac_core.case.recommended import with_model
from dirrac_core.case.scenario import Scenario
from dirrac_core.cli.own_table import PEOPLE_HELP, TABLE_HELP, add_companions, read_own_table
from dirrac_core.data import DATASETS, load_dataset
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.data.datasets.cards import dataset_card
from dirrac_core.errors import InvalidInput
from dirrac_core.models.bundle import MODELS
from dirrac_core.models.cut_off import CutOff
from dirrac_core.recourse.kinds.alternatives import AT_MOST, PLAN_KINDS, SAFEST
from dirrac_core.recourse.kinds.levers import changed_levers
from dirrac_core.recourse.kinds.menu import menu
from dirrac_core.wording import out_of


def add(commands: Any) -> None:
    """Describe the two commands."""
    datasets = commands.add_parser("datasets", help="list the shipped datasets")
    datasets.set_defaults(run=_datasets)
    plan = commands.add_parser("plan", help="compute the plan of a scenario file")
    plan.add_argument("file", help="a scenario JSON, as the dashboard exports it; - reads stdin")
    add_question(plan)
    plan.add_argument(
        "--at-most",
        type=float,
        metavar="X",
        help="the cheapest plan with a worst case of at most X, a probability, at any effort",
    )
    plan.add_argument("--menu", action="store_true", help="also print the other plans to choose")
    plan.add_argument("--table", type=Path, metavar="FILE", help=TABLE_HELP)
    plan.add_argument("--people", type=Path, metavar="FILE", help=PEOPLE_HELP)
    add_companions(plan)
    plan.add_argument("--json", action="store_true", help="print the answer as JSON only")
    plan.add_argument(
        "--model", choices=MODELS, help="the model to plan for, in place of the scenario's own"
    )
    plan.set_defaults(run=_plan)


def add_question(parser: argparse.ArgumentParser) -> None:
    """The options that say how decisions are cut and which kind of plan is wanted."""
    parser.add_argument(
        "--cut-off",
        type=_cut_off,
        metavar="CUT",
        help="what it takes to be accepted: a probability (0.6), score:1.2 in log-odds, or "
        "approval:0.8, the share of today's people to approve",
    )
    kinds = [kind for kind in PLAN_KINDS if kind != AT_MOST]
    parser.add_argument("--kind", choices=kinds, help="which plan of the menu to take")
    parser.add_argument(
        "--level", type=float, metavar="X", help="the worst case that kind of plan may have"
    )
    parser.add_argument(
        "--leave",
        action="append",
        default=[],
        metavar="FEATURE",
        help="leave this feature as it is; may be given several times",
    )


def asked_settings(chosen: argparse.Namespace, edits: tuple[FeatureRule, ...]) -> dict[str, Any]:
    """The fields of the settings that the options of `add_question` set; `edits` are kept."""
    fields: dict[str, Any] = {}
    if chosen.leave:
        kept = tuple(edit for edit in edits if edit.feature not in chosen.leave)
        left = (FeatureRule(name, "no") for name in dict.fromkeys(chosen.leave))
        fields["edits"] = (*kept, *left)
    if chosen.cut_off is not None:
        fields |= {"cut_off": chosen.cut_off.value, "cut_off_kind": chosen.cut_off.kind}
    if chosen.kind is not None:
        fields["plan_kind"] = chosen.kind
    if chosen.level is not None:
        fields["level"] = chosen.level
    return fields


def _cut_off(text: str) -> CutOff:
    kind, colon, value = text.partition(":")
    try:
        return CutOff(float(value), kind) if colon else CutOff(float(text))
    except InvalidInput as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, got {text!r}") from None


def _datasets(_: argparse.Namespace) -> int:
    for name in DATASETS:
        card = dataset_card(load_dataset(name))
        print(f"{name:12} {card.title}: {card.present.rows} people, {card.features} features")
    return 0


def _plan(chosen: argparse.Namespace) -> int:
    stdin = chosen.file == "-"
    text = sys.stdin.read() if stdin else Path(chosen.file).read_text(encoding="utf-8")
    scenario, recorded = _asked(text, chosen.model)
    asked = asked_settings(chosen, scenario.edits)
    own = read_own_table(chosen)
    if own is None and chosen.people is not None:
        raise InvalidInput("--people needs --table, the table file that describes it, got none")
    if own is not None and own.dataset.name != scenario.dataset:
        raise InvalidInput(
            "The table, its table file and its --coefficients must be those the scenario was made "
            f"with ({scenario.dataset}), got {own.dataset.name}"
        )
    if chosen.at_most is not None:
        if chosen.kind is not None or chosen.level is not None:
            raise InvalidInput("--at-most is a question of its own, got --kind or --level as well")
        asked |= {"plan_kind": AT_MOST, "level": chosen.at_most}
    # Another question than the recorded one has another answer.
    recorded = None if asked else recorded
    scenario = replace(scenario, **asked)
    if scenario.model == TREES:
        return _tree_plan(scenario, recorded, chosen.json)
    solution = solve_scenario(scenario)
    answer = answer_of(solution)
    if chosen.json:
        print(json.dumps(answer, indent=2))
    else:
        plan, case = solution.plan, solution.case
        if plan.x is None:
            _print_ways_out(solution)
        else:
            print(case.dataset.schema.sentence(case.x0, plan.x))
            if case.promise_of(plan.x) is None:
                print(NO_PROMISE)
            else:
                print(f"Worst-case probability of failing: {plan.worst_case_probability!r}")
                print(f"No plan can do better than:        {plan.lower_bound!r}")
            print(f"Cost: {plan.cost!r} of at most {plan.delta!r}")
            if scenario.plan_kind not in (SAFEST, AT_MOST):
                print(plan.message)
            if case.at_most is not None:
                print(case.at_most.sentence)
        if chosen.menu:
            _print_menu(solution)
    return _compared(recorded, answer, chosen.json)


def _asked(text: str, model: str | None) -> tuple[Scenario, dict[str, Any] | None]:
    """The scenario and its recorded answer; another model asks a new question."""
    scenario, recorded = Scenario.from_json(text), recorded_answer(text)
    if model is None or model == scenario.model:
        return scenario, recorded
    return with_model(scenario, model), None


def _tree_plan(scenario: Scenario, recorded: dict[str, Any] | None, only_json: bool) -> int:
    case = make_tree_case(scenario)
    solution = solve_trees(case)
    answer, plan, promise = tree_answer(solution), solution.plan, solution.promise
    if only_json:
        print(json.dumps(answer, indent=2))
    elif plan.x is None or promise is None:
        print(plan.message)
    else:
        print(case.dataset.schema.sentence(case.x0, plan.x))
        print(f"Accepted by today's model and by {plan.accepted} of {len(plan.decisions)} ", end="")
        print(f"re-trainings it was planned on. {plan.message}")
        print(f"Of {promise.fresh} fresh re-trainings {promise.declined} decline it. ", end="")
        print(promise.sentence)
        print(f"Cost: {plan.cost!r} of at most {plan.delta!r}")
    return _compared(recorded, answer, only_json)


def _compared(recorded: dict[str, Any] | None, answer: dict[str, Any], only_json: bool) -> int:
    same = recorded is None or recorded == answer
    if recorded is not None and not only_json:
        print("Reproduced the recorded answer." if same else "Differs from the recorded answer!")
    if not same:
        print("error: the recorded answer was not reproduced", file=sys.stderr)
    return 0 if same else 1


def _print_ways_out(solution: Solution) -> None:
    """Why there is no plan, in the visitor's own terms where something would open one."""
    ways = ways_out(solution.case)
    if not ways:
        print(solution.plan.message)
        return
    print("No plan satisfies all conditions. Any one of these would open one:")
    for way in ways:
        print(f"  {way}")


def _print_menu(solution: Solution) -> None:
    """The plans to choose from, in whole units, with their kind for --kind."""
    case = solution.case
    judges = "simulated models" if case.bundle.future.simulated else "models of later people"
    print("Plans to choose from:")
    for entry in menu(case.dataset, case.problem, gap=case.scenario.gap):
        plan, x = entry.plan, entry.plan.x
        assert x is not None
        promise = out_of(plan.worst_case_probability, at_most=True)
        facts, changes = facts_of(case, x), len(changed_levers(case.problem, x))
        print(f"  {entry.kind}: {case.dataset.schema.sentence(case.x0, x)}")
        print(
            f"    worst case {promise} (no such plan below {out_of(plan.lower_bound)}), "
            f"effort {plan.cost:.3f}, {changes} change{'' if changes == 1 else 's'}, "
            f"{facts.declined} of {len(facts.observed)} {judges} decline it"
        )
        level = out_of(entry.room.level, at_most=True)
        print(f"    room to move, at most {level} decline: {entry.room.sentence}")
