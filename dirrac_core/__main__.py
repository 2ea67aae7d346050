"""The command line: `python -m dirrac_core --help` lists the commands."""

import argparse
import sys

from dirrac_core.commands import experiments, frontier, planning, portfolio
from dirrac_core.errors import DirracError

COMMANDS = (planning, frontier, portfolio, experiments)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 0 when it worked, 1 when a recorded answer differs, 2 when refused."""
    parser = argparse.ArgumentParser(prog="python -m dirrac_core")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    chosen = parser.parse_args(arguments)
    try:
        code: int = chosen.run(chosen)
    except (DirracError, OSError, UnicodeDecodeError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    return code


if __name__ == "__main__":
    sys.exit(main())
