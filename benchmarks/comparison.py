"""Does the kernel answer like `certified`? Random problems and random settings for real people.

    python -m benchmarks.comparison FILE                  20,000 comparisons, written to FILE
    python -m benchmarks.comparison FILE --count 200      a quick look

Every block of comparisons is one line of FILE, so a run that was stopped goes on where it was.
Prints how many agree; the exit code is 1 when any differs. A random problem is one of the fuzzed
ones of every kind. A real person is a declined applicant of a shipped dataset under settings drawn
at random, planned for in whole units together with others.
"""

import argparse
import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.fuzz_problems import fuzz_problem
from dirrac_core import find_recourse
from dirrac_core.case.case import bundle_of, formulate
from dirrac_core.case.realism import Allowed
from dirrac_core.case.settings import Settings
from dirrac_core.data import with_constant
from dirrac_core.errors import BrokenPlan, SolverFailure
from dirrac_core.recourse import RecourseProblem
from dirrac_core.recourse.many import plan_many
from dirrac_core.recourse.whole_units import plan_in_real_units
from dirrac_core.studies.people.many_plans import ManyPlanner

GAP = 1e-3
BLOCK = 20
# What the last digits of δ_min alone may move a probability by, where deviations are tiny.
DIGITS = 1e-4
AGREES, LEFT, REFUSED, DIFFERS = "agrees", "left to certified", "refused", "differs"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=17)
    chosen = parser.parse_args()
    lines = chosen.file.read_text().splitlines() if chosen.file.exists() else []
    done = {(each["seed"], each["block"]): each for each in map(json.loads, lines)}
    blocks = -(-chosen.count // BLOCK)
    with chosen.file.open("a") as out:
        for block in range(blocks):
            if (chosen.seed, block) not in done:
                found = {"seed": chosen.seed, "block": block, **compared(chosen.seed, block)}
                done[chosen.seed, block] = found
                out.write(json.dumps(found) + "\n")
                out.flush()
    seen: Counter[str] = Counter()
    for block in range(blocks):
        kept = done[chosen.seed, block]
        seen.update({f"{kept['kind']}: {verdict}": n for verdict, n in kept["verdicts"].items()})
        for told in kept["differing"]:
            print(told)
    print("| kind and verdict | comparisons |\n|---|---|")
    for name, count in sorted(seen.items()):
        print(f"| {name} | {count:,} |")
    return int(any(name.endswith(DIFFERS) for name in seen))


def compared(seed: int, block: int) -> dict[str, object]:
    """The verdicts of one block, and what differs."""
    kind, judge = ("problem", fuzzed) if block % 2 else ("person", people)
    verdicts, differing = judge(seed, block)
    return {"kind": kind, "verdicts": Counter(verdicts), "differing": differing}


def fuzzed(seed: int, block: int) -> tuple[list[str], list[str]]:
    """Random problems, each asked alone."""
    verdicts, differing = [], []
    for index in range(block * BLOCK, (block + 1) * BLOCK):
        try:
            problem = fuzz_problem(seed, index).problem
            plans = plan_many([problem], GAP)
            if plans.one_by_one:
                verdicts.append(LEFT)
                continue
            wrong = difference(problem, plans.x[0], plans.lower_bound[0], plans.delta[0])
        except (SolverFailure, BrokenPlan):
            verdicts.append(REFUSED)
            continue
        verdicts.append(DIFFERS if wrong else AGREES)
        if wrong:
            differing.append(f"problem {seed}/{index}: {wrong}")
    return verdicts, differing


def people(seed: int, block: int) -> tuple[list[str], list[str]]:
    """Declined applicants under random settings, planned for together and in whole units."""
    rng = np.random.default_rng([seed, block])
    settings = random_settings(rng)
    bundle = bundle_of(settings)
    dirrac, _ = formulate(settings, bundle)
    allowed = Allowed.of(bundle.dataset, settings, dirrac)
    rows = rng.choice(bundle.declined, min(BLOCK, len(bundle.declined)), replace=False)
    X = bundle.dataset.present.X[rows]
    exact, whole = (ManyPlanner(dirrac, allowed, rounded)(X) for rounded in (False, True))
    verdicts, differing = [], []
    for place, row in enumerate(rows):
        if not whole.settled[place]:
            verdicts.append(LEFT)
            continue
        problem = dirrac.problem(with_constant(X[place]), allowed.actions(X[place]))
        budget = exact.delta_min[place] + dirrac.delta_add
        wrong = difference(problem, exact.x[place], exact.lower_bound[place], budget)
        if not wrong:
            alone = find_recourse(problem, gap=dirrac.gap)
            other = plan_in_real_units(bundle.dataset, problem, alone).plan
            wrong = worse(problem, whole.x[place], other.worst_case_probability)
        verdicts.append(DIFFERS if wrong else AGREES)
        if wrong:
            differing.append(f"row {row} of {settings}: {wrong}")
    return verdicts, differing


def random_settings(rng: np.random.Generator) -> Settings:
    """Settings the kernel knows, of every kind."""
    unit = str(rng.choice(["weights", "deviations"]))
    return Settings(
        str(rng.choice(["german", "sba", "student", "synthetic"])),
        components=int(rng.integers(1, 4)),
        link=str(rng.choice(["chebyshev", "gaussian"])),
        radii=float(rng.uniform(0.0, 0.2 if unit == "weights" else 1.0)),
        delta_add=float(rng.choice([0.0, 0.1, 0.3, 1.0, 2.0])),
        cost=str(rng.choice(["l1", "l2"])),
        weighting=str(rng.choice(["nominal", "worst-component"])),
        categories=str(rng.choice(["whole", "relaxed"])),
        radius_unit=unit,
        plausibility=None if rng.random() < 0.5 else float(rng.uniform(0.02, 0.3)),
        domain_rules=bool(rng.random() < 0.5),
    )


def difference(problem: RecourseProblem, x: np.ndarray, lower: float, delta: float) -> str:
    """What is wrong with the kernel's exact plan, by `certified` at the same budget; else ""."""
    twin = problem.variant(delta=float(delta))
    if not twin.feasible_set.contains(x):
        return f"breaks {twin.feasible_set.contains(x).broken[0]}"
    value = problem.objective.value(x)
    other = find_recourse(twin, gap=GAP)
    if other.x is None:
        # The cheapest plans of the two may differ by the slack of a budget, not by more.
        short = other.delta_min - delta
        return "" if short <= 2e-6 * other.delta_min else f"certified has no plan, {short:g} short"
    if value > other.worst_case_probability + GAP + DIGITS:
        return f"value {value:.9g}, certified {other.worst_case_probability:.9g}"
    if lower > other.worst_case_probability + DIGITS:
        return f"bound {lower:.9g} above certified's plan, {other.worst_case_probability:.9g}"
    if other.lower_bound > value + DIGITS:
        return f"value {value:.9g} below certified's bound {other.lower_bound:.9g}"
    return ""


def worse(problem: RecourseProblem, x: np.ndarray, other: float) -> str:
    """Whether the kernel's plan in whole units is worse than the one found alone, with the value
    `other`, or breaks a condition; else ""."""
    checks = problem.feasible_set.contains(x)
    if not checks:
        return f"in whole units breaks {replace(checks, checks=checks.broken)}"
    value = problem.objective.value(x)
    # Two exact plans within the gap may be rounded to different numbers.
    return "" if value <= other + 5.0 * GAP else f"in whole units {value:.9g}, alone {other:.9g}"


if __name__ == "__main__":
    sys.exit(main())
