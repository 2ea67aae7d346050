"""Random problems through the solvers: does everything that must hold of an answer hold?

    python -m benchmarks.fuzz --problems 20000 --seed 1 --log own.jsonl
    python -m benchmarks.fuzz --generator foreign --problems 20000 --seed 1 --log foreign.jsonl
    python -m benchmarks.fuzz --generator misuse --problems 20000 --seed 1 --log misuse.jsonl

Problem i depends only on the seed and i. With a log, every finished problem is a line in it, and
a later run with the same seed goes on where the first one stopped. The exit code is 1 when
anything was violated. "own" plants a plan, "foreign" draws as somebody else would, and "misuse"
calls the public functions with what they are not made for. Every `--algorithm-1`-th problem is
solved by Algorithm 1 too, and the two answers are held against each other.

Run it from the top folder with the project's environment (.venv/bin/python).
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from benchmarks.fuzzing.checks import Finding, examine
from benchmarks.fuzzing.foreign import foreign_problem
from benchmarks.fuzzing.misuse import misuse
from benchmarks.fuzzing.problems import fuzz_problem

GENERATORS = ("own", "foreign", "misuse")
SLOWEST = 5
MOST_VIOLATIONS = 40
MOST_TAGS = 40


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, help="JSON lines; finished problems are skipped")
    parser.add_argument("--jobs", type=int, default=-1, help="processes; all cores unless given")
    parser.add_argument("--generator", choices=GENERATORS, default="own")
    parser.add_argument("--algorithm-1", type=int, default=4, metavar="EVERY", dest="every")
    asked = parser.parse_args()
    findings = logged(asked.log, asked.seed, asked.problems) if asked.log else {}
    missing = [index for index in range(asked.problems) if index not in findings]
    print(f"{len(findings)} problems in the log, {len(missing)} to do.", flush=True)
    for finding in examined(asked.generator, asked.seed, missing, asked.jobs, asked.every):
        findings[finding.index] = finding
        if asked.log:
            with asked.log.open("a", encoding="utf-8") as log:
                log.write(json.dumps({"seed": asked.seed, **asdict(finding)}) + "\n")
    ordered = [findings[index] for index in sorted(findings)]
    summary(ordered)
    return int(any(finding.violations for finding in ordered))


def one(generator: str, seed: int, index: int, every: int) -> Finding:
    """What is found on one problem."""
    if generator == "misuse":
        return misuse(seed, index)
    draw = fuzz_problem if generator == "own" else foreign_problem
    return examine(seed, index, draw, both=index % every == 0)


def logged(path: Path, seed: int, problems: int) -> dict[int, Finding]:
    """The finished problems of this seed; a last line cut short by a kill is not one of them."""
    if not path.exists():
        return {}
    found = {}
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    for line in whole.splitlines():
        entry = json.loads(line)
        if entry.pop("seed") == seed and entry["index"] < problems:
            found[entry["index"]] = Finding(**entry)
    return found


def examined(
    generator: str, seed: int, indices: list[int], jobs: int, every: int
) -> Iterator[Finding]:
    """Every finding as soon as it is there."""
    work = (delayed(one)(generator, seed, index, every) for index in indices)
    yield from Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=8)(work)


def summary(findings: list[Finding]) -> None:
    """Counts by status and by formulation, the slowest problems, and everything violated."""
    if not findings:
        return
    print(f"\n{len(findings)} problems")
    for title, name in (("ended", "status"), ("Algorithm 1", "paper_status")):
        ends = [getattr(finding, name) for finding in findings]
        counts = Counter(end for end in ends if end)
        print(f"  {title}: " + ", ".join(f"{n} {status}" for status, n in counts.most_common()))
    drawn = Counter(tag for finding in findings for tag in finding.tags)
    print("  drawn: " + ", ".join(f"{n} {tag}" for tag, n in drawn.most_common(MOST_TAGS)))
    groups: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        groups[finding.formulation].append(finding)
    print("\n| formulation | problems | with a plan | median ms | largest gap |")
    print("|---|---|---|---|---|")
    for name, group in sorted(groups.items()):
        planned = [f for f in group if f.status in ("optimal", "time limit", "stalled")]
        milliseconds = 1e3 * float(np.median([f.seconds for f in group]))
        gap = max((f.gap for f in planned), default=0.0)
        print(f"| {name} | {len(group)} | {len(planned)} | {milliseconds:.1f} | {gap:.2g} |")
    mean = float(np.mean([finding.seconds for finding in findings]))
    print(f"\nMean {1e3 * mean:.0f} ms a problem. Slowest:")
    for finding in sorted(findings, key=lambda f: -f.seconds)[:SLOWEST]:
        print(f"  {finding.index}: {finding.seconds:.2f} s, {finding.formulation}")
    broken = [finding for finding in findings if finding.violations]
    print(f"\nViolations: {sum(len(f.violations) for f in broken)} in {len(broken)} problems")
    for finding in broken[:MOST_VIOLATIONS]:
        tags = ", ".join(finding.tags)
        print(f"  {finding.index} ({finding.formulation}; {tags}): {'; '.join(finding.violations)}")


if __name__ == "__main__":
    sys.exit(main())
