"""Runs treelite on one file in a process of its own: `python FILE FORMAT PATH` prints JSON.

A damaged file may end the process; the caller sees that and says so. The limits hold for this
process alone.
"""

import re
import resource
import sys

# treelite says when and in which of its files something failed before it says what.
_WHERE = re.compile(r"^\[[\d:]+\] \S+:\d+: ")
MOST_MEMORY = 2 * 1024**3
MOST_SECONDS = 20


def main(kind: str, path: str) -> None:
    """Print the model in the file as treelite's JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    import treelite

    try:
        if kind == "lightgbm":
            model = treelite.frontend.load_lightgbm_model(path)
        else:
            model = treelite.frontend.load_xgboost_model(path, format_choice=kind)
        sys.stdout.write(model.dump_as_json(pretty_print=False))
    except (treelite.TreeliteError, MemoryError, ValueError) as problem:
        lines = [line for line in str(problem).splitlines() if line.strip()]
        sys.exit(_WHERE.sub("", lines[0])[:200] if lines else type(problem).__name__)


if __name__ == "__main__":
    main(*sys.argv[1:])
