"""Write down what the project answers today, or hold today's answers against those written down.

    python -m tests.golden regenerate [PART ...] [--first N]
    python -m tests.golden compare [PART ...] [--first N]

Without a part every part is computed. Run it from the top folder with the project's environment.
The exit code is 1 when anything differs.
"""

import argparse
import os
import sys

# Before numpy is imported: the last digit of a sum depends on how many threads share it.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

from tests.golden import differences, figures, fuzz, links, pages, portfolio, scenarios, store

PARTS = {
    "scenarios": scenarios.answers,
    "fuzz": fuzz.answers,
    "portfolio": portfolio.answers,
    "pages": pages.answers,
    "figures": figures.answers,
    "links": links.answers,
}
# Parts that take minutes: they can be computed, written down and compared in part.
LONG = ("fuzz", "pages")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("task", choices=("regenerate", "compare"))
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--first", type=int, metavar="N", help="only so many problems or pages")
    asked = parser.parse_args()
    unknown = [part for part in asked.parts if part not in PARTS]
    if unknown:
        parser.error(f"a part must be one of {', '.join(PARTS)}, got {', '.join(unknown)}")
    if asked.first is not None and asked.first < 1:
        parser.error(f"--first must be at least 1, got {asked.first}")
    summary, differing = [], 0
    for part in asked.parts or PARTS:
        begin = sum(os.times()[:4])
        options = {"first": asked.first} if part in LONG and asked.first else {}
        found = PARTS[part](**options)
        seconds = f"{sum(os.times()[:4]) - begin:.0f} s of CPU"
        if asked.task == "regenerate":
            store.write(part, found)
            summary.append(f"{part}: {len(found)} answers written ({seconds})")
            continue
        kept = store.read(part)
        unwritten = len(found.keys() - kept.keys())
        if part in LONG:
            # Fewer may be computed, or written down, than there are.
            kept = {name: each for name, each in kept.items() if name in found}
            found = {name: found[name] for name in kept}
        lines = differences.between(kept, found)
        count = len(lines)
        for name, told in lines.items():
            print(f"{part} · {name}")
            print("\n".join(f"    {line}" for line in told))
        differing += count
        verdict = f"{count} of {len(kept)} differ" if count else f"all {len(kept)} are equal"
        if part in LONG and unwritten:
            verdict += f", {unwritten} are not written down"
        summary.append(f"{part}: {verdict} ({seconds})")
    print("\n".join(summary))
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
