"""Plans a person could follow: version 1.0.0's defaults against today's.

python -m benchmarks.plans [--people N] [--oracle N] [dataset ...]
python -m benchmarks.plans --dial [--people N] [dataset ...]

For every dataset: plans at the edge of the data, instalments beyond what real people carry, the
distance to the nearest real favourable person, how many plans the menu offers and in what time,
and what is lost against the same constraints solved by cvxpy. With more declined people than
`--people`, that many are drawn at random; the first column of numbers says how many of how many.
With `--dial`, what nearness costs: distance, worst case and menus as the dial of likeness is
turned.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dirrac_core import DATASETS, load_dataset
from dirrac_core.case.case import Case, bundle_of, make_case
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.nearest import distances_in_what_may_move, distances_to_favourable
from dirrac_core.data.plausibility import favourable_people, real_people
from dirrac_core.data.schema.plan_rules import RatioRule
from dirrac_core.models.classifiers import Classifier
from dirrac_core.recourse import find_recourse
from dirrac_core.recourse.kinds.menu import menu
from dirrac_core.recourse.whole_units import plan_in_real_units
from dirrac_core.solvers import second_opinion as oracle

OLD, OURS = "1.0.0", "today"
# A plan that lasts need not lie where most people are: so many real people whose score is nearest
# to that of the plan are as safe as it is, and show how near to each other such people are.
EQUALLY_SAFE = 30
# Kinds of people and their spread, which the distance needs, do not depend on the dial.
ANY_SHARE = 0.05
DIAL = (None, 0.05, 0.1, 0.2, 1 / 3, 0.5)


@dataclass(frozen=True)
class Menus:
    """Of menus with K components: the share with three or more plans, and the median time."""

    three_or_more: float
    milliseconds: float


def settings_of(name: str, version: str, components: int | None = None) -> Settings:
    """The defaults of a version; with `components`, its settings for a mixture of so many.

    Today's defaults name their components by stories, as many as there are; K = 1 is luck alone.
    """
    settings = Settings(name) if version == OLD else recommended(name)
    if components is None:
        return settings
    if version == OLD:
        return replace(settings, components=components)
    return replace(settings, futures="sampling", components=components)


def asked(settings: Settings, row: int) -> Case:
    """The case of one applicant."""
    return make_case(Scenario.of(settings, int(row)))


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


class Nearness:
    """How far plans are from the nearest real favourable person, and such people from each other.

    As a whole, and in what the plans of these settings may move (see `data.nearest`).
    """

    def __init__(self, dataset: Dataset, locked: tuple[int, ...], model: Classifier) -> None:
        self.dataset, self.locked, self.model = dataset, locked, model
        self.kinds = real_people(dataset, ANY_SHARE)
        people = favourable_people(dataset)
        # The nearest of all is the person.
        self.people = np.array(
            [[np.partition(each, 1)[1] for each in self._to_all(x)] for x in people]
        )
        self.kind_of_each = [self.kinds.kind_of(x) for x in people]
        self.scores = model.log_odds(people)

    def _to_all(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        moving = distances_in_what_may_move(self.dataset, self.kinds, x, self.locked)
        return distances_to_favourable(self.dataset, x), moving

    def of(self, x: np.ndarray) -> tuple[float, float]:
        """The distances to the nearest, as a whole and in what may move."""
        whole, moving = self._to_all(x)
        return float(whole.min()), float(moving.min())

    def between_equally_safe(self, x: np.ndarray) -> float:
        """The median distance, in what may move, of real people who are as safe as x is today.

        They are of the kind of x, and each is compared with the nearest of everybody of that kind.
        """
        kind = self.kinds.kind_of(x)
        same = np.flatnonzero([kind in ((), each) for each in self.kind_of_each])
        gaps = np.abs(self.scores[same] - self.model.log_odds(x[None]))
        alike = same[np.argsort(gaps, kind="stable")[:EQUALLY_SAFE]]
        return float(np.median(self.people[alike, 1]))

    def columns(
        self, now: list[tuple[float, float]], plans: list[tuple[float, float]], safe: list[float]
    ) -> dict[str, str]:
        """The cells of the table: medians today, under the plan and between people."""
        before, after = np.array(now), np.array(plans)
        far = np.quantile(self.people[:, 1], 0.95)
        cells = [
            f"{np.median(before[:, i]):.2f} → {np.median(after[:, i]):.2f} / "
            f"{np.median(self.people[:, i]):.2f}"
            for i in range(2)
        ]
        return {
            "nearest": cells[0],
            "what may move": cells[1],
            "as near as 19 in 20": f"{np.mean(after[:, 1] <= far):.0%}",
            "equally safe": f"{np.median(safe):.2f} ({np.mean(after[:, 1] <= safe):.0%})",
        }


def declined_of(settings: Settings, people: int) -> tuple[np.ndarray, int]:
    """Some of the declined, drawn at random, and how many there are."""
    declined = bundle_of(settings).declined
    if people >= declined.size:
        return declined, declined.size
    drawn = np.random.default_rng(0).choice(declined, people, replace=False)
    return np.sort(drawn), declined.size


def loss_against_oracle(case: Case) -> float:
    """How much smaller the worst case of cvxpy's own best plan is (K = 1)."""
    plan = find_recourse(case.problem, gap=1e-6)
    if plan.x is None:
        return 0.0
    best = oracle.best_common_score(case.problem.feasible_set, range(1))
    reached = float(case.problem.objective.link.probability(best.score))
    return plan.worst_case_probability - reached


def menus(settings: Settings, rows: np.ndarray) -> Menus:
    """The menus of some people, each plan with its room; who has no plan counts as having none."""
    seconds, sizes = [], []
    for row in rows:
        case = asked(settings, row)
        # Processor time: other work on the machine must not count.
        begin = time.process_time()
        plans = menu(case.dataset, case.problem)
        for each in plans:
            _ = each.room
        seconds.append(time.process_time() - begin)
        sizes.append(len(plans))
    return Menus(float(np.mean(np.array(sizes) >= 3)), 1e3 * float(np.median(seconds)))


def plans_of(settings: Settings, rows: np.ndarray, declined: int) -> dict[str, str]:
    """The plans at these settings: where they end, how near to real people, what they promise."""
    dataset = load_dataset(settings.dataset)
    nearness: Nearness | None = None
    edge = beyond = 0
    now, then, safe, worst = [], [], [], []
    for row in rows:
        case = asked(settings, row)
        real = plan_in_real_units(dataset, case.problem, find_recourse(case.problem))
        x = real.x
        if x is None:
            continue
        edge += at_the_edge(dataset, case.x0, x)
        beyond += beyond_real_ratios(dataset, x)
        if nearness is None:
            nearness = Nearness(dataset, case.actions.locked, bundle_of(settings).current)
        now.append(nearness.of(case.x0[:-1]))
        then.append(nearness.of(x[:-1]))
        safe.append(nearness.between_equally_safe(x[:-1]))
        worst.append(real.worst_case_probability)
    cells = {
        "plans": f"{len(worst)} of {len(rows)} ({declined})",
        "edge": f"{edge / max(len(worst), 1):.0%}",
        "beyond": str(beyond),
    }
    if nearness is not None:
        cells |= nearness.columns(now, then, safe) | {"worst": f"{np.mean(worst):.3f}"}
    return cells


def measure(name: str, version: str, people: int, checked: int) -> dict[str, str]:
    """One row of the table."""
    settings = settings_of(name, version)
    rows, declined = declined_of(settings, people)
    found = plans_of(settings, rows, declined)
    one, five = (menus(settings_of(name, version, k), rows) for k in (1, 5))
    default = menus(settings, rows)
    single = settings_of(name, version, 1)
    losses = [loss_against_oracle(asked(single, row)) for row in rows[:checked]]
    return found | {
        "three": f"{default.three_or_more:.0%}",
        "three K=1": f"{one.three_or_more:.0%}",
        "three K=5": f"{five.three_or_more:.0%}",
        "ms": f"{default.milliseconds:.0f}",
        "ms K=1": f"{one.milliseconds:.0f}",
        "ms K=5": f"{five.milliseconds:.0f}",
        "lost": f"{max(losses):.0e}" if losses else "–",
    }


def main() -> None:
    """The whole table, one line as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="*", default=list(DATASETS))
    parser.add_argument("--people", type=int, default=40)
    parser.add_argument("--oracle", type=int, default=4)
    parser.add_argument("--dial", action="store_true")
    given = parser.parse_args()
    print(
        "plans: of how many asked (of how many declined) · edge: plans that move a number to the "
        "edge of the data ·\nbeyond: instalments 98 % of real borrowers stay below · nearest: "
        "median distance to the nearest real favourable\nperson, today → plan / between such "
        "people; what may move: the same among people of the same kind, in what a\nplan may "
        "change · as near as 19 in 20: plans that are no farther from somebody than 19 in 20 real "
        "people are ·\nequally safe: median distance, in what may move, between real people of the "
        "kind and score of the plan, and plans\nno farther from somebody than that · worst: mean "
        "worst case · three: menus with three or more plans, at the\ndefaults and for K · ms: the "
        "whole menu with room, median processor time · lost: promise lost against cvxpy,\nK = 1"
    )
    titled = False
    for name in given.datasets:
        for version, row in _rows(name, given):
            if not titled:
                print("| dataset | defaults | " + " | ".join(row) + " |")
                print("|---|---|" + "---|" * len(row))
                titled = True
            print(f"| {name} | {version} | " + " | ".join(row.values()) + " |", flush=True)


def _rows(name: str, given: argparse.Namespace) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of one dataset, each as soon as it is known."""
    if not given.dial:
        for version in (OLD, OURS):
            yield version, measure(name, version, given.people, given.oracle)
        return
    for share in DIAL:
        settings = replace(settings_of(name, OURS), plausibility=share)
        if share is None:
            settings = replace(settings, widen=False)
        rows, declined = declined_of(settings, given.people)
        title = "off" if share is None else f"1 in {1 / share:g}"
        found, menu_of_each = plans_of(settings, rows, declined), menus(settings, rows)
        yield (
            f"likeness {title}",
            found
            | {
                "three": f"{menu_of_each.three_or_more:.0%}",
                "ms": f"{menu_of_each.milliseconds:.0f}",
            },
        )


if __name__ == "__main__":
    main()
