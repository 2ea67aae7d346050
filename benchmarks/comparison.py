"""Does the kernel answer like `certified`? Random problems and random settings for real people.

    python -m benchmarks.comparison FILE                  20,000 comparisons, written to FILE
    python -m benchmarks.comparison FILE --seconds 240    as many as fit; the next run goes on
    python -m benchmarks.comparison FILE --count 200      a quick look

Every block of comparisons is one line of FILE, so a run that was stopped goes on where it was.
Prints how many agree; the exit code is 1 when any differs, 2 when some are still to be made. A
random problem is one of the fuzzed ones of every kind. A real person is a declined applicant of a
shipped dataset under settings drawn at random, planned for in whole units together with others.
Compared are whether there is a plan, its cheapest cost, its value, its bound, every condition, and
the plan in whole units. "Within the tolerance" are the problems on the very edge, where one of the
two plans is valid only up to the tolerance of the checklist, which makes it cheaper or better.
"""

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.fuzzing.problems import fuzz_problem
from dirrac_core import find_recourse
from dirrac_core.case.case import bundle_of, formulate
from dirrac_core.case.realism import Allowed
from dirrac_core.case.settings import Settings
from dirrac_core.data import with_constant
from dirrac_core.errors import BrokenPlan, SolverFailure
from dirrac_core.recourse import RecourseProblem
from dirrac_core.recourse.many import settle_crowd
from dirrac_core.recourse.whole_units import plan_in_real_units
from dirrac_core.solvers.batch.crowd import crowd_of
from dirrac_core.studies.people.many_plans import ManyPlanner

GAP = 1e-3
BLOCK = 20
# What the last digits of δ_min alone may move a probability by, where deviations are tiny.
DIGITS = 1e-4
# How far the two costs of the cheapest plan may lie apart, relative to them.
COST_DIGITS = 2e-6
# What rounding may cost of validity, relative to its terms; the checklist's tolerance is 1e-6.
ROUNDING = 1e-9
# Seconds for `certified` on one random problem; its plan and its bound count as far as it came.
LIMIT = 3.0
AGREES, LEFT, REFUSED = "agrees", "left to certified", "refused"
ROUNDED_ALONE = "agrees, rounded one by one"
EDGE, DIFFERS = "within the tolerance", "differs"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--seconds", type=float, default=np.inf, help="of CPU, for this run")
    chosen = parser.parse_args()
    lines = chosen.file.read_text().splitlines() if chosen.file.exists() else []
    done = {(each["seed"], each["block"]): each for each in map(json.loads, lines)}
    blocks = -(-chosen.count // BLOCK)
    with chosen.file.open("a") as out:
        for block in range(blocks):
            if (chosen.seed, block) not in done and time.process_time() < chosen.seconds:
                found = {"seed": chosen.seed, "block": block, **compared(chosen.seed, block)}
                done[chosen.seed, block] = found
                out.write(json.dumps(found) + "\n")
                out.flush()
    seen: Counter[str] = Counter()
    made = [done[chosen.seed, block] for block in range(blocks) if (chosen.seed, block) in done]
    for kept in made:
        seen.update({f"{kept['kind']}: {verdict}": n for verdict, n in kept["verdicts"].items()})
        for told in kept["differing"]:
            print(told)
    print("| kind and verdict | comparisons |\n|---|---|")
    for name, count in sorted(seen.items()):
        print(f"| {name} | {count:,} |")
    if len(made) < blocks:
        print(f"\n{len(made):,} of {blocks:,} blocks of {BLOCK} so far.")
    differs = any(name.endswith(DIFFERS) for name in seen)
    return 1 if differs else 2 if len(made) < blocks else 0


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
            objective = problem.objective
            fixed = np.nan if problem.delta is None else problem.delta
            crowd = crowd_of([problem.unbounded], objective)
            found = settle_crowd(
                crowd, objective, np.array([problem.delta_add]), np.array([fixed]), GAP
            )
            if not found.settled[0]:
                verdicts.append(LEFT)
                continue
            x, delta = found.x[:, 0], float(found.delta[0])
            wrong = cost_difference(problem, found.delta_min[0]) or difference(
                problem, x, found.lower_bound[0], delta
            )
            edge = bool(wrong) and on_the_edge(problem, x, delta)
        except (SolverFailure, BrokenPlan):
            verdicts.append(REFUSED)
            continue
        verdicts.append(EDGE if edge else DIFFERS if wrong else AGREES)
        if wrong and not edge:
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
        if not exact.settled[place]:
            verdicts.append(LEFT)
            continue
        problem = dirrac.problem(with_constant(X[place]), allowed.actions(X[place]))
        budget = exact.delta_min[place] + dirrac.delta_add
        wrong = cost_difference(problem, exact.delta_min[place]) or difference(
            problem, exact.x[place], exact.lower_bound[place], budget
        )
        if not wrong and whole.settled[place]:
            alone = find_recourse(problem, gap=dirrac.gap)
            other = plan_in_real_units(bundle.dataset, problem, alone)
            wrong = worse(problem, whole.x[place], other.worst_case_probability)
        rounded = AGREES if whole.settled[place] else ROUNDED_ALONE
        verdicts.append(DIFFERS if wrong else rounded)
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
        preset=str(rng.choice(["sensible", "free"])),
    )


def cost_difference(problem: RecourseProblem, delta_min: float) -> str:
    """What is wrong with the kernel's cost of the cheapest plan, by `certified`; else ""."""
    other, unit = problem.unbounded.cheapest, problem.unbounded.cost_unit
    if other is None:
        return f"cheapest plan at {delta_min:.9g}, certified proves that there is none"
    slack = COST_DIGITS * max(delta_min, other.cost, unit)
    if other.bound - slack <= delta_min <= other.cost + slack:
        return ""
    return f"cheapest plan at {delta_min:.9g}, certified's at {other.bound:.9g} to {other.cost:.9g}"


def on_the_edge(problem: RecourseProblem, x: np.ndarray, delta: float) -> bool:
    """Whether a plan of the two is valid by the checklist's tolerance alone."""
    kept = problem.unbounded
    plans = [x, find_recourse(problem.variant(delta=delta), gap=GAP, time_limit=LIMIT).x]
    if kept.cheapest is not None:
        plans.append(kept.cheapest.x)

    def short(plan: np.ndarray) -> bool:
        m, r = kept.mixture.means @ plan, kept.doubt.terms(plan)
        terms = np.abs(kept.mixture.means) @ np.abs(plan) + r
        return bool((m - r < kept.margins - ROUNDING * terms).any())

    return any(short(plan) for plan in plans if plan is not None)


def difference(problem: RecourseProblem, x: np.ndarray, lower: float, delta: float) -> str:
    """What is wrong with the kernel's exact plan, by `certified` at the same budget; else ""."""
    twin = problem.variant(delta=float(delta))
    if not twin.feasible_set.contains(x):
        return f"breaks {twin.feasible_set.contains(x).broken[0]}"
    value = problem.objective.value(x)
    other = find_recourse(twin, gap=GAP, time_limit=LIMIT)
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
