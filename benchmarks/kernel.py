"""How fast is the batched kernel? Every comparison is a ratio to `find_recourse` in this run.

    python -m benchmarks.kernel     plans of real people, K = 1 and 5; the plane

Times are of CPU, which other work on the machine hardly moves, and by the clock. Kernel and
`find_recourse` take turns, so that both meet the same machine. With numba the kernel runs twice, as
plain numpy and as compiled loops. Run it from the top folder with the project's environment
(.venv/bin/python), on a quiet machine.
"""

import argparse
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from benchmarks.solver import fresh, problems, table
from dirrac_core import find_recourse
from dirrac_core.recourse.many import ManyPlans, plan_crowd
from dirrac_core.recourse.plane import plan_plane
from dirrac_core.solvers.batch.crowd import crowd_of
from dirrac_core.solvers.batch.linear import compile_loops, loops

GAP = 1e-3
# Kernel and `find_recourse` take turns so many times.
ROUNDS = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--people", type=int, default=4000, help="plans of the kernel per table row"
    )
    parser.add_argument("--one-by-one", type=int, default=30, help="plans of find_recourse")
    chosen = parser.parse_args()
    ways = [False, True] if compile_loops() else [False]
    rows = [
        row
        for name in ("german", "sba", "student")
        for components in (1, 5)
        for row in against_one_by_one(name, components, chosen.people, chosen.one_by_one, ways)
    ]
    table(
        "dataset|K|loops|plans|kernel CPU µs|find_recourse CPU µs|times faster, CPU"
        "|kernel clock µs|times faster, clock|left to certified|largest gap|largest difference",
        rows,
    )
    the_plane()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nPeak memory of this run: {peak:.0f} MB")


def against_one_by_one(
    name: str, components: int, people: int, few: int, ways: list[bool]
) -> list[list[object]]:
    """The declined people of a dataset, repeated to the number asked for; a row for each way."""
    declined = problems(name, components, people, categories="whole")
    crowd = crowd_of([p.unbounded for p in declined], declined[0].objective)
    crowd = crowd.chosen(np.arange(people) % len(declined))
    extra, free = np.ones(people), np.full(people, np.nan)
    objective = declined[0].objective
    first = np.array_split(np.arange(min(few, len(declined))), ROUNDS)
    parts = np.array_split(np.arange(people), ROUNDS)
    spent = {way: np.zeros(2) for way in ways}
    alone, singles = np.zeros(2), []
    found: dict[bool, list[ManyPlans]] = {way: [] for way in ways}

    def planned(who: np.ndarray) -> ManyPlans:
        return plan_crowd(
            *(crowd.chosen(who), objective, extra[who], free[who], GAP),
            lambda place: declined[who[place] % len(declined)],
        )

    for way in ways:
        # What is compiled, or loaded, at the first use is not part of a plan.
        with loops(way):
            planned(parts[0][:4])
    for part, one_by_one in zip(parts, first, strict=True):
        for way in ways:
            with loops(way), timed(spent[way]):
                found[way].append(planned(part))
        with timed(alone):
            singles += [find_recourse(fresh(declined[i]), gap=GAP) for i in one_by_one]
    rows = []
    for way in ways:
        values = np.concatenate([plans.worst_case_probability for plans in found[way]])
        worst = max(
            abs(plan.worst_case_probability - values[place]) for place, plan in enumerate(singles)
        )
        cpu, clock = spent[way] / people
        slow_cpu, slow_clock = alone / len(singles)
        rows.append(
            [
                *(name, components, "compiled" if way else "numpy", people),
                *(f"{1e6 * cpu:.0f}", f"{1e6 * slow_cpu:.0f}", f"{slow_cpu / cpu:.0f}"),
                *(f"{1e6 * clock:.0f}", f"{slow_clock / clock:.0f}"),
                sum(len(plans.one_by_one) for plans in found[way]),
                f"{max(np.nanmax(plans.gap) for plans in found[way]):.1e}",
                f"{worst:.1e}",
            ]
        )
    return rows


@contextmanager
def timed(spent: np.ndarray) -> Iterator[None]:
    """Add the seconds of CPU and of the clock to `spent`."""
    begin = np.array([time.process_time(), time.perf_counter()])
    yield
    spent += np.array([time.process_time(), time.perf_counter()]) - begin


def the_plane() -> None:
    """60 × 60 pairs of ρ and δ_add for one applicant."""
    for name in ("german", "sba", "student"):
        problem = problems(name, 1, 1, categories="whole")[0]
        spent = np.zeros(2)
        with loops(False), timed(spent):
            plane = plan_plane(problem, np.linspace(0.0, 0.3, 60), np.linspace(0.02, 2.0, 60))
        print(
            f"\n60 × 60 plane, {name}: {spent[0]:.2f} s of CPU, {spent[1]:.2f} s by the clock; "
            f"one by one: {plane.one_by_one}"
        )


if __name__ == "__main__":
    main()
