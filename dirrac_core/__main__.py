"""The command line: `dirrac --help` lists the commands; alone it starts the dashboard."""

import argparse
import sys

from threadpoolctl import threadpool_limits

from dirrac_core.cli import (
    backtest,
    dashboard,
    frontier,
    paper,
    plan,
    portfolio,
    review,
    still_holds,
)
from dirrac_core.cli.stopping import (
    STOPPED,
    end_at_once,
    exit_code,
    terminated_as_interrupted,
    unread,
)
from dirrac_core.errors import DirracError
from dirrac_core.version import version

COMMANDS = (dashboard, plan, frontier, portfolio, review, paper, backtest, still_holds)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 0 when it worked, 1 when a recorded answer differs, 2 when refused."""
    code = _run(sys.argv[1:] if arguments is None else arguments)
    if arguments is None and code in STOPPED:
        end_at_once(code)
    return code


def _run(given: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="dirrac")
    parser.add_argument("--version", action="version", version=f"%(prog)s {version()}")
    commands = parser.add_subparsers(metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    chosen, others = parser.parse_known_args(given or ["dashboard"])
    if others and not hasattr(chosen, "streamlit"):
        parser.error(f"unrecognized arguments: {' '.join(others)}")
    chosen.streamlit = others
    try:
        # As ./run does: sums in one order, so that answers agree to the last digit in any shell.
        with threadpool_limits(1), terminated_as_interrupted():
            code: int = chosen.run(chosen)
            sys.stdout.flush()
    except BrokenPipeError:
        return unread()
    except KeyboardInterrupt as stop:
        print("\nStopped; nothing was written.", file=sys.stderr)
        return exit_code(stop)
    except (DirracError, OSError, UnicodeDecodeError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    return code


if __name__ == "__main__":
    sys.exit(main())
