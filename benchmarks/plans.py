"""Plans a person could follow: version 1.0.0's defaults against the recommended ones.

python -m benchmarks.plans [--people N] [--oracle N] [dataset ...]

For every dataset: plans at the edge of the data, instalments beyond what real people carry, the
distance to the nearest real favourable person, how many plans the menu offers and in what time,
and what is lost against the same constraints solved by cvxpy.
"""

import argparse
import time
from dataclasses import replace

import numpy as np

from dirrac_core import DATASETS, load_dataset
from dirrac_core.case.case import Case, bundle_of, make_case
from dirrac_core.case.realism import RECOMMENDED_DOMAIN_RULES, RECOMMENDED_PLAUSIBILITY
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.plausibility import distances_to_favourable, nearest_people
from dirrac_core.data.schema.plan_rules import RatioRule
from dirrac_core.recourse import find_recourse
from dirrac_core.recourse.menu import menu
from dirrac_core.recourse.whole_units import plan_in_real_units
from dirrac_core.solvers import second_opinion as oracle

VERSIONS = {
    "1.0.0": {},
    "ours": {
        "plausibility": RECOMMENDED_PLAUSIBILITY,
        "domain_rules": RECOMMENDED_DOMAIN_RULES,
    },
}


def at_the_edge(dataset: Dataset, x0: np.ndarray, x: np.ndarray) -> bool:
    """Whether the plan moves a number to the smallest or largest value in the data."""
    for change in dataset.schema.describe_change(x0, x):
        feature = dataset.schema.feature(change.feature)
        if not feature.is_categorical and not feature.low < change.after < feature.high:
            return True
    return False


def beyond_real_ratios(dataset: Dataset, x: np.ndarray) -> bool:
    """Whether an instalment of the plan lies outside what the sensible rules allow."""
    person = dataset.schema.decode(x)
    rules = dataset.preset("sensible").rules if "sensible" in dataset.schema.presets else ()
    ratios = [rule for rule in rules if isinstance(rule, RatioRule)]
    return any(person[r.top] > r.most * person[r.bottom] * (1 + 1e-9) for r in ratios)


def usual_distance(dataset: Dataset) -> tuple[float, float]:
    """Medians over favourable people: the distance to the nearest other one, and to all others."""
    people = dataset.present.X[dataset.present.y == 1]
    distances = [np.sort(distances_to_favourable(dataset, person)) for person in people]
    return (
        float(np.median([row[1] for row in distances])),
        float(np.median([np.median(row[1:]) for row in distances])),
    )


def loss_against_oracle(case: Case, components: int) -> float:
    """How much smaller the worst case of cvxpy's own best plan is (K = 1)."""
    plan = find_recourse(case.problem, gap=1e-6)
    if plan.x is None:
        return 0.0
    best = oracle.best_common_score(case.problem.feasible_set, range(components))
    reached = float(case.problem.objective.link.probability(best.score))
    return plan.worst_case_probability - reached


def measure(name: str, version: str, people: int, checked: int) -> None:
    """One line of the table."""
    scenario = Scenario(name, 0, **VERSIONS[version])
    dataset, rows = load_dataset(name), bundle_of(scenario).declined[:people]
    edge = beyond = 0
    found, distances, worst = 0, [], []
    for row in rows:
        case = make_case(replace(scenario, applicant=int(row)))
        real = plan_in_real_units(dataset, case.problem, find_recourse(case.problem))
        x = real.plan.x
        if x is None:
            continue
        found += 1
        edge += at_the_edge(dataset, case.x0, x)
        beyond += beyond_real_ratios(dataset, x)
        distances.append(nearest_people(dataset, x, 1)[0].distance)
        worst.append(real.plan.worst_case_probability)
    between = usual_distance(dataset)
    print(
        f"{name:12} {version:6} plans {found}/{len(rows)}  at the edge {edge / max(found, 1):.0%}  "
        f"beyond {beyond}  nearest person {np.median(distances):.2f} (between people "
        f"{between[0]:.2f} nearest, {between[1]:.2f} median)  mean worst case {np.mean(worst):.2f}",
        flush=True,
    )
    for components in (1, 5):
        _menu_line(replace(scenario, components=components), rows)
    single = replace(scenario, components=1)
    cases = (make_case(replace(single, applicant=int(row))) for row in rows[:checked])
    losses = [loss_against_oracle(case, 1) for case in cases]
    if losses:
        print(f"{'':19} lost against cvxpy at most {max(losses):.1e} ({len(losses)} people, K = 1)")


def _menu_line(scenario: Scenario, rows: np.ndarray) -> None:
    # Processor time: other work on the machine must not count.
    seconds, sizes = [], []
    for row in rows:
        case = make_case(replace(scenario, applicant=int(row)))
        begin = time.process_time()
        plans = menu(case.dataset, case.problem)
        seconds.append(time.process_time() - begin)
        if plans:
            sizes.append(len(plans))
    many, (half, slow) = np.mean(np.array(sizes) >= 3), 1e3 * np.quantile(seconds, (0.5, 0.9))
    print(
        f"{'':19} K = {scenario.components}: three or more plans {many:.0%}, whole menu with room "
        f"{half:.0f} ms median, {slow:.0f} ms at 90 %",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="*", default=list(DATASETS))
    parser.add_argument("--people", type=int, default=60)
    parser.add_argument("--oracle", type=int, default=2)
    asked = parser.parse_args()
    for name in asked.datasets:
        for version in VERSIONS:
            measure(name, version, asked.people, asked.oracle if version == "ours" else 0)


if __name__ == "__main__":
    main()
