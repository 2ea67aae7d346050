"""Boosted trees in one run: proof and time, promises against observations, effort against LIME.

    python -m benchmarks.trees [--applicants 20] [--placebo 40] [--datasets german student]

Per dataset, with 100 trees of depth 3 and N = 10 re-trainings:

proved     share of applicants answered with a proof within 5 seconds of CPU time
M1         share of plans that today's model accepts
fresh      declined by fresh re-trainings, next to the promise
shifted    declined by models that saw shifted people
placebo    plans and promises of one half of the people, judged by models of the other half, in
           several random halves; broken: a larger share declines than was promised
effort     our effort over that of LIME-DiRRAc, for plans accepted by as many re-trainings
"""

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dirrac_core import load_dataset
from dirrac_core.case.case import bundle_for, bundle_of, make_case, solve
from dirrac_core.case.nonlinear.trees import TREES, TreeCase, judged_plan, tree_case_of
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import Dataset
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.studies.evidence.backtest import asked_of, promises
from dirrac_core.studies.evidence.pasts import placebo as halves
from dirrac_core.studies.evidence.tree_pasts import as_promises, tree_past_case
from dirrac_core.studies.people.tree_portfolio import tree_portfolio
from dirrac_core.trees import Retrainings, cheapest_accepted, most_accepted, retrained
from dirrac_core.trees.cp_sat.solving import Effort

N, FRESH = 10, 100
SECONDS = 5.0
DELTA_ADD = 0.5
# A promise above this is shown as "no useful promise".
USEFUL = 0.5
DATASETS = ("german", "sba", "sba-no-leak", "student")


def trained(dataset: Dataset, seed: int) -> Retrainings:
    """N models to plan on and fresh ones, at today's training size."""
    models = retrained(dataset, (), Bootstrap(), seed, N, FRESH)
    assert models is not None
    return models


def measured(case: TreeCase) -> dict[str, float]:
    """One applicant: proof, time, acceptance, and the effort LIME-DiRRAc needs for as much."""
    begin = time.process_time()
    plan = most_accepted(case.problem, DELTA_ADD, Effort())
    row = {"seconds": time.process_time() - begin, "proved": float(plan.proved)}
    if plan.x is None:
        return {**row, "plan": 0.0}
    solution = judged_plan(case, plan)
    assert solution.promise is not None
    row |= {
        "plan": 1.0,
        "today": float(case.problem.accepted_today(plan.x)),
        "accepted": float(plan.accepted),
        "fresh": solution.promise.observed,
        "promised": solution.promise.at_most,
        "shifted": 1.0 - float(solution.observed.mean()),
    }
    lime = solve(make_case(case.scenario)).plan
    if lime.x is not None:
        accepted = int(case.problem.decisions(lime.x).sum())
        ours = cheapest_accepted(case.problem, accepted, effort=Effort())
        row |= {
            "lime_today": float(case.problem.accepted_today(lime.x)),
            "lime_accepted": float(accepted),
        }
        if ours.x is not None and lime.cost > 0.0:
            row["effort_ratio"] = ours.cost / lime.cost
    return row


def placebo(name: str, applicants: int, splits: range, seed: int) -> dict[str, Any]:
    """Promises made on one half of the people against models of the other half, split by split.

    The plans of a split are judged by the models of one sample, so they share its luck.
    """
    dataset, settings = load_dataset(name), replace(recommended(name, TREES), seed=seed)
    each = -(-applicants // len(splits))
    told: list[dict[str, float]] = []
    for split in splits:
        begin = time.process_time()
        past = halves(dataset, seed, split)
        asked = asked_of(bundle_for(past.dataset, settings), each)
        plans = tree_portfolio(tree_past_case(past, settings, asked, N), asked, jobs=1)
        made = promises(as_promises(plans), past)
        made = made[made["plan"]]
        useful = made[made["promised"] <= USEFUL]
        told.append(
            {
                "split": split,
                "asked": len(asked),
                "plans": len(made),
                "promised": float(made["promised"].mean()),
                "declined": float(made["observed"].mean()),
                "broken": int(made["broken"].sum()),
                "useful": len(useful),
                "useful_broken": int(useful["broken"].sum()),
                "cpu_seconds": time.process_time() - begin,
            }
        )
        print(json.dumps(told[-1]), flush=True)
    total = {key: sum(row[key] for row in told) for key in ("plans", "broken", "useful")}
    return {f"placebo_{key}": value for key, value in total.items()} | {"placebo_splits": told}


def proofs(name: str, applicants: int, seed: int) -> dict[str, Any]:
    """Proof, time, promise and effort of some applicants of one dataset."""
    settings = replace(recommended(name, TREES), seed=seed, delta_add=DELTA_ADD)
    bundle = bundle_of(settings)
    models = trained(load_dataset(name), seed)
    rng = np.random.default_rng(seed)
    rows = rng.choice(bundle.declined, min(applicants, len(bundle.declined)), replace=False)
    found = [
        measured(tree_case_of(Scenario.of(settings, int(row)), bundle, models))
        for row in sorted(rows)
    ]

    def mean(key: str) -> float:
        return float(np.mean([row[key] for row in found if key in row] or [np.nan]))

    quick = [row["proved"] and row["seconds"] <= SECONDS for row in found]
    return {
        "applicants": len(found),
        "proved_within_5_s": float(np.mean(quick)),
        "median_seconds": float(np.median([row["seconds"] for row in found])),
        "slowest_seconds": max(row["seconds"] for row in found),
        "with_plan": mean("plan"),
        "M1": mean("today"),
        "accepted_of_10": mean("accepted"),
        "fresh_declined": mean("fresh"),
        "promised_at_most": mean("promised"),
        "promise_below_fresh": float(
            np.mean([row["fresh"] > row["promised"] for row in found if "fresh" in row] or [np.nan])
        ),
        "shifted_declined": mean("shifted"),
        "lime_M1": mean("lime_today"),
        "effort_over_lime": float(
            np.median([row["effort_ratio"] for row in found if "effort_ratio" in row] or [np.nan])
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--applicants", type=int, default=20, help="0: the placebo alone")
    parser.add_argument("--placebo", type=int, default=40, help="plans judged by other people")
    parser.add_argument("--splits", type=int, default=4, help="random halves of the placebo")
    parser.add_argument("--first-split", type=int, default=0)
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    splits = range(chosen.first_split, chosen.first_split + chosen.splits)
    table = {}
    for name in chosen.datasets:
        row: dict[str, Any] = {}
        if chosen.applicants:
            row |= proofs(name, chosen.applicants, chosen.seed)
        if chosen.placebo:
            row |= placebo(name, chosen.placebo, splits, chosen.seed)
        table[name] = row
        print(name, json.dumps(row, indent=2), flush=True)
    if chosen.out is not None:
        chosen.out.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
