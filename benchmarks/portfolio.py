"""How fast is a portfolio? The full SBA file: score everybody, plan for the declined.

    python scripts/rebuild_data.py --full-sba DIR            build DIR/sba_full.csv (once)
    python -m benchmarks.portfolio DIR/sba_full.csv          everybody, beside 2,000 one by one
    python -m benchmarks.portfolio DIR/sba_full.csv --plans 5000       a quick look

Prints Markdown: the kernel with 1 and with 2 workers, the same people one by one in the same run
as the way it was done before, and where the time goes. Each run has its own process, so that its
peak memory is its own; "together" counts once what the processes share, such as libraries. Plans
are in whole units, re-checked, and judged by 100 future models, as the dashboard shows them. Run it
from the top folder with the project's environment (.venv/bin/python), on a quiet machine.
"""

import argparse
import cProfile
import os
import pstats
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import pandas as pd
from joblib.externals.loky import get_reusable_executor

from dirrac_core import load_dataset
from dirrac_core.bulk.people import people_in_file
from dirrac_core.bulk.stream import DECLINED, Bulk, stream_portfolio
from dirrac_core.case.settings import Settings
from dirrac_core.models.bundle import prepare
from dirrac_core.studies.people.many_plans import ManyPlanner
from dirrac_core.version import version

MILLION = 1_000_000
# Functions whose time, with all they call, is a stage of the work: (file, function, words).
STAGES = (
    ("many.py", "settle_crowd", "cheapest and best plans, proved"),
    ("many_plans.py", "_cheapest_today", "cheapest plan of today's model, for the price"),
    ("many_units.py", "in_whole_units", "whole units, checked again"),
    ("build.py", "crowd_from", "bounds and rules"),
    ("many_actions.py", "many_actions", "what each may change"),
    ("many_plans.py", "measure_together", "M1, M2, features, plausibility"),
    ("many_people.py", "sentences", "sentences"),
    ("schema.py", "encode", "encoding"),
    ("people.py", "unreadable", "who can be read"),
    ("people.py", "outside", "who lies in the fitted ranges"),
    ("people.py", "_csv_chunks", "reading"),
    ("parts.py", "write", "Parquet, on the disk"),
    ("parts.py", "join", "joining the parts"),
)


@dataclass(frozen=True)
class Run:
    """One run: seconds without the training, by the clock and of CPU in all processes; megabytes
    of the main process and of a worker."""

    jobs: int
    together: bool
    seconds: float
    cpu: float
    people: int
    plans: int
    one_by_one: int
    main_mb: float
    worker_mb: float
    together_mb: float
    counts: pd.DataFrame


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help="sba_full.csv; see scripts/rebuild_data.py")
    parser.add_argument("--plans", type=int, help="of the kernel; without it, for everybody")
    parser.add_argument("--one-by-one", type=int, default=2_000, help="plans without the kernel")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--components", type=int, default=1)
    parser.add_argument("--chunk", type=int, default=20_000)
    chosen = parser.parse_args()
    settings = Settings("sba", components=chosen.components)
    scores = in_a_process(chosen.file, Bulk(settings, chunk=chosen.chunk, most_plans=0), 1)
    bulk = Bulk(settings, chunk=chosen.chunk, most_plans=chosen.plans)
    runs = [in_a_process(chosen.file, bulk, jobs) for jobs in chosen.jobs]
    few = Bulk(settings, chunk=chosen.chunk, most_plans=chosen.one_by_one)
    before = in_a_process(chosen.file, few, chosen.jobs[-1], False)
    report(scores, runs, before, chosen.components)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        stages = pool.submit(where_the_time_goes, chosen.file, bulk).result()
    print("\n| where the time of one worker goes | share |\n|---|---|")
    for words, share in stages:
        print(f"| {words} | {share:.0%} |")


def in_a_process(file: Path, bulk: Bulk, jobs: int, together: bool = True) -> Run:
    """A run in a process of its own."""
    how = "together" if together else "one by one"
    most = "all" if bulk.most_plans is None else f"at most {bulk.most_plans:,}"
    print(f"{jobs} workers, {most} plans, {how} ...", file=sys.stderr, flush=True)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, file, bulk, jobs, together).result()


def measure(file: Path, bulk: Bulk, jobs: int, together: bool = True) -> Run:
    """Run once; training comes before the clock starts, the start of the workers after it."""
    dataset = load_dataset(bulk.settings.dataset)
    prepare(dataset, "logistic", bulk.settings.components, bulk.settings.seed)
    if not together:
        # The question is asked in this process only, before anything goes to a worker.
        ManyPlanner.applies = property(lambda _: False)  # type: ignore[assignment]
    with tempfile.TemporaryDirectory() as folder, watched_memory() as most:
        begin, used = time.perf_counter(), cpu_seconds()
        people = people_in_file(file, dataset.schema)
        done = stream_portfolio(people, Path(folder) / "out.parquet", bulk, version(), jobs=jobs)
        seconds = time.perf_counter() - begin
    # Ended workers are those whose memory the system reports.
    get_reusable_executor().shutdown(wait=True)
    return Run(
        jobs,
        together,
        seconds,
        cpu_seconds() - used,
        done.people,
        done.plans,
        done.one_by_one,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024 if jobs > 1 else 0.0,
        most[0],
        done.counts,
    )


@contextmanager
def watched_memory() -> Iterator[list[float]]:
    """The most megabytes this process and its workers have held together, looked at twice a second.

    What several processes share is counted once (the proportional set size of Linux).
    """
    most, ended = [0.0], threading.Event()

    def watch() -> None:
        while not ended.wait(0.5):
            most[0] = max(most[0], sum(map(_proportional_mb, [os.getpid(), *_descendants()])))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield most
    finally:
        ended.set()
        watcher.join()


def _descendants() -> list[int]:
    """The processes started by this one, and by those."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parents[int(folder.name)] = int(
                (folder / "stat").read_text().rpartition(")")[2].split()[1]
            )
    found, new = set(), {os.getpid()}
    while new:
        new = {child for child, parent in parents.items() if parent in new} - found
        found |= new
    return sorted(found)


def _proportional_mb(process: int) -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return float(line.split()[1]) / 1024
    return 0.0


def cpu_seconds() -> float:
    """What this process and its ended workers have used."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def where_the_time_goes(file: Path, bulk: Bulk) -> list[tuple[str, float]]:
    """The share of each stage in the first hundred thousand people, largest first."""
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / "first.csv"
        with file.open() as lines, part.open("w") as first:
            first.writelines(line for line, _ in zip(lines, range(100_001), strict=False))
        profile = cProfile.Profile()
        profile.runcall(measure, part, bulk, 1)
    found = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    total = next(each[3] for (_, _, name), each in found.items() if name == "stream_portfolio")
    stages = [
        (words, sum(each[3] for (path, _, name), each in found.items() if _is(path, name, stage)))
        for *stage, words in STAGES
    ]
    shares = [(words, seconds / total) for words, seconds in stages]
    shares.append(("everything else", 1.0 - sum(share for _, share in shares)))
    return sorted(shares, key=lambda each: -each[1])


def _is(path: str, name: str, stage: list[str]) -> bool:
    return Path(path).name == stage[0] and name == stage[1]


def report(scores: Run, runs: list[Run], before: Run, components: int) -> None:
    """The tables, and what a million would take."""
    declined = int(scores.counts.loc[scores.counts["decision"] == DECLINED, "people"].sum())
    print(f"Full SBA file, K = {components}: {scores.people:,} loans, {declined:,} declined.\n")
    print(
        "| how | workers | plans | left to certified | seconds | plans per second "
        "| times one by one | CPU µs per plan | times one by one | peak memory |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    print(f"| scored only | 1 | 0 | – | {scores.seconds:.0f} | – | – | – | – | {memory(scores)} |")
    for run in (*runs, before):
        faster = speed(run, scores) / speed(before, scores)
        how = "together" if run.together else "one by one"
        print(
            f"| {how} | {run.jobs} | {run.plans:,} | {run.one_by_one:,} | {run.seconds:.0f} "
            f"| {speed(run, scores):,.0f} | {faster:.1f} | {1e6 * effort(run, scores):,.0f} "
            f"| {effort(before, scores) / effort(run, scores):.1f} | {memory(run)} |"
        )
    best = max(runs, key=lambda run: speed(run, scores))
    scoring = scores.seconds * MILLION / scores.people
    planning = MILLION / speed(best, scores)
    share = declined / scores.people
    print(
        f"\nA million people scored take {scoring:.0f} s; a million plans take "
        f"{planning / 60:.1f} min on {best.jobs} workers. A million loans like these "
        f"({100 * share:.1f} in 100 declined) take {(scoring + share * planning) / 60:.1f} min."
    )
    print("\n| decision | status | because of | loans |")
    print("|---|---|---|---|")
    for row in best.counts.fillna("").itertuples():
        print(f"| {row.decision} | {row.status} | {row.cause} | {row.people:,} |")


def speed(run: Run, scores: Run) -> float:
    """Plans per second, with the time for reading, scoring and writing taken off."""
    return run.plans / (run.seconds - scores.seconds)


def effort(run: Run, scores: Run) -> float:
    """Seconds of CPU per plan: hardly moved by what else the machine does."""
    return (run.cpu - scores.cpu) / run.plans


def memory(run: Run) -> str:
    workers = f" + {run.jobs} × {run.worker_mb:.0f}" if run.jobs > 1 else ""
    return f"{run.main_mb:.0f}{workers} MB; together {run.together_mb:.0f} MB"


if __name__ == "__main__":
    main()
