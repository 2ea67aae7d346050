"""How fast is a portfolio? The full SBA file: score everybody, plan for the first declined.

    python scripts/rebuild_data.py --full-sba DIR            build DIR/sba_full.csv (once)
    python benchmarks/portfolio.py DIR/sba_full.csv          10,000 plans with 1 and with 2 workers
    python benchmarks/portfolio.py DIR/sba_full.csv --plans 500        a quick look

Prints Markdown. Each run has its own process, so that its peak memory is its own. Plans are in
whole units, re-checked, and judged by 100 future models, as the dashboard shows them. Run it from
the top folder with the project's environment (.venv/bin/python), on a quiet machine.
"""

import argparse
import resource
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import pandas as pd
from joblib.externals.loky import get_reusable_executor

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from dirrac_core import load_dataset
from dirrac_core.evaluation.bulk import DECLINED, Bulk, stream_portfolio
from dirrac_core.evaluation.people_chunks import people_in_file
from dirrac_core.experiments.store import version
from dirrac_core.models.bundle import prepare
from dirrac_core.scenario import Scenario

MILLION = 1_000_000


@dataclass(frozen=True)
class Run:
    """One run: seconds without the training, megabytes of the main process and of a worker."""

    jobs: int
    seconds: float
    people: int
    plans: int
    main_mb: float
    worker_mb: float
    counts: pd.DataFrame


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help="sba_full.csv; see scripts/rebuild_data.py")
    parser.add_argument("--plans", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--components", type=int, default=1)
    parser.add_argument("--chunk", type=int, default=20_000)
    chosen = parser.parse_args()
    scenario = Scenario("sba", 0, components=chosen.components)
    scores = in_a_process(chosen.file, Bulk(scenario, chunk=chosen.chunk, most_plans=0), 1)
    bulk = Bulk(scenario, chunk=chosen.chunk, most_plans=chosen.plans)
    runs = [in_a_process(chosen.file, bulk, jobs) for jobs in chosen.jobs]
    report(scores, runs, chosen.components)


def in_a_process(file: Path, bulk: Bulk, jobs: int) -> Run:
    """A run in a process of its own."""
    print(f"{jobs} workers, at most {bulk.most_plans:,} plans ...", file=sys.stderr, flush=True)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, file, bulk, jobs).result()


def measure(file: Path, bulk: Bulk, jobs: int) -> Run:
    """Run once; training comes before the clock starts, the start of the workers after it."""
    dataset = load_dataset(bulk.scenario.dataset)
    prepare(dataset, "logistic", bulk.scenario.components, bulk.scenario.seed)
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        people = people_in_file(file, dataset.schema)
        done = stream_portfolio(people, Path(folder) / "out.parquet", bulk, version(), jobs=jobs)
        seconds = time.perf_counter() - begin
    # Ended workers are those whose memory the system reports.
    get_reusable_executor().shutdown(wait=True)
    return Run(
        jobs,
        seconds,
        done.people,
        done.plans,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024 if jobs > 1 else 0.0,
        done.counts,
    )


def report(scores: Run, runs: list[Run], components: int) -> None:
    """The tables, and what a million would take."""
    declined = int(scores.counts.loc[scores.counts["decision"] == DECLINED, "people"].sum())
    print(f"Full SBA file, K = {components}: {scores.people:,} loans, {declined:,} declined.\n")
    print("| workers | scored | plans | seconds | plans a second | times 1 worker | peak memory |")
    print("|---|---|---|---|---|---|---|")
    print(f"| 1 | {scores.people:,} | 0 | {scores.seconds:.0f} | – | – | {memory(scores)} |")
    for run in runs:
        faster = speed(run, scores) / speed(runs[0], scores)
        print(
            f"| {run.jobs} | {run.people:,} | {run.plans:,} | {run.seconds:.0f} "
            f"| {speed(run, scores):.0f} | {faster:.2f} | {memory(run)} |"
        )
    best = max(runs, key=lambda run: speed(run, scores))
    scoring = scores.seconds * MILLION / scores.people
    planning = MILLION / speed(best, scores)
    share = declined / scores.people
    print(
        f"\nA million people scored take {scoring:.0f} s; a million plans take "
        f"{planning / 3600:.1f} h on {best.jobs} workers. A million loans like these "
        f"({100 * share:.1f} in 100 declined) take {(scoring + share * planning) / 60:.0f} min."
    )
    print("\n| decision | status | because of | loans |")
    print("|---|---|---|---|")
    for row in best.counts.fillna("").itertuples():
        print(f"| {row.decision} | {row.status} | {row.cause} | {row.people:,} |")


def speed(run: Run, scores: Run) -> float:
    """Plans a second, with the time for reading, scoring and writing taken off."""
    return run.plans / (run.seconds - scores.seconds)


def memory(run: Run) -> str:
    workers = f" + {run.jobs} × {run.worker_mb:.0f}" if run.jobs > 1 else ""
    return f"{run.main_mb:.0f}{workers} MB"


if __name__ == "__main__":
    main()
