"""How fast is the batched kernel? Every comparison is a ratio to `find_recourse` in this run.

    python benchmarks/kernel.py     plans of real people, K = 1 and 5; the plane

Run it from the top folder with the project's environment (.venv/bin/python), on a quiet machine.
"""

import argparse
import resource
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.solver import fresh, problems, table
from dirrac_core import find_recourse
from dirrac_core.recourse.many import plan_crowd
from dirrac_core.recourse.plane import plan_plane
from dirrac_core.solvers.batch.crowd import crowd_of

GAP = 1e-3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--people", type=int, default=4000, help="plans of the kernel per table row"
    )
    parser.add_argument("--one-by-one", type=int, default=30, help="plans of find_recourse")
    chosen = parser.parse_args()
    rows = []
    for name in ("german", "sba", "student"):
        for components in (1, 5):
            rows.append(against_one_by_one(name, components, chosen.people, chosen.one_by_one))
    table(
        "dataset|K|people|kernel µs per plan|find_recourse µs per plan|times faster"
        "|left to certified|largest gap|largest difference",
        rows,
    )
    the_plane()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nPeak memory of this run: {peak:.0f} MB")


def against_one_by_one(name: str, components: int, people: int, few: int) -> list[object]:
    """The declined people of a dataset, repeated to the number asked for."""
    declined = problems(name, components, people, categories="whole")
    crowd = crowd_of([p.unbounded for p in declined], declined[0].objective)
    crowd = crowd.chosen(np.arange(people) % len(declined))
    extra, free = np.ones(people), np.full(people, np.nan)
    objective = declined[0].objective
    begin = time.perf_counter()
    plans = plan_crowd(
        crowd, objective, extra, free, GAP, lambda place: declined[place % len(declined)]
    )
    kernel = (time.perf_counter() - begin) / people
    begin = time.perf_counter()
    singles = [find_recourse(fresh(problem), gap=GAP) for problem in declined[:few]]
    alone = (time.perf_counter() - begin) / len(singles)
    worst = max(
        abs(plan.worst_case_probability - plans.worst_case_probability[place])
        for place, plan in enumerate(singles)
    )
    return [
        *(name, components, people, f"{1e6 * kernel:.0f}", f"{1e6 * alone:.0f}"),
        *(f"{alone / kernel:.0f}", len(plans.one_by_one)),
        *(f"{np.nanmax(plans.gap):.1e}", f"{worst:.1e}"),
    ]


def the_plane() -> None:
    """60 × 60 pairs of ρ and δ_add for one applicant."""
    for name in ("german", "sba", "student"):
        problem = problems(name, 1, 1, categories="whole")[0]
        begin = time.perf_counter()
        plane = plan_plane(problem, np.linspace(0.0, 0.3, 60), np.linspace(0.02, 2.0, 60))
        seconds = time.perf_counter() - begin
        print(f"\n60 × 60 plane, {name}: {seconds:.2f} s; one by one: {plane.one_by_one}")


if __name__ == "__main__":
    main()
