"""`table`, `figure` and `reproduce`: the paper's tables and figures, computed again."""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from dirrac_core.arrays import checked_choice
from dirrac_core.cli.progress_line import progress_line
from dirrac_core.cli.stopping import exit_code
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.export import SUFFIXES, write_figure
from dirrac_core.figures.drawing.palette import INK
from dirrac_core.paper.catalogue import EXPERIMENTS, experiment
from dirrac_core.paper.experiment import Experiment, Settings
from dirrac_core.paper.store import FORMATS, RESULTS, as_text, is_done, keep, stored
from dirrac_core.parallel import ALL_CORES
from dirrac_core.progress import never

ALL = "all"
ROWS_SUFFIX = ".csv"
# How long an experiment takes when no earlier run tells, in seconds.
UNKNOWN_SECONDS = 60.0
BAR = 20


def add(commands: Any) -> None:
    """Describe the three commands."""
    table = commands.add_parser("table", help="compute a table of the paper, beside its numbers")
    table.add_argument("name", choices=_names("table"), metavar="NAME", help=_listed("table"))
    table.add_argument("--format", choices=FORMATS, default="markdown")
    table.add_argument("--out", type=Path, metavar="FILE", help="write there, not on the screen")
    _add_settings(table)
    table.set_defaults(run=_table)

    figure = commands.add_parser("figure", help="compute and draw a figure of the paper")
    figure.add_argument("name", choices=_names("figure"), metavar="NAME", help=_listed("figure"))
    figure.add_argument(
        "--out", type=Path, metavar="FILE", help=".html, .png, .svg or .csv; NAME.html by default"
    )
    figure.add_argument("--theme", choices=tuple(INK), default="light")
    _add_settings(figure)
    figure.set_defaults(run=_figure)

    reproduce = commands.add_parser("reproduce", help="compute tables and figures into a folder")
    reproduce.add_argument(
        "names", nargs="+", choices=(ALL, *EXPERIMENTS), metavar="NAME", help="all, or names"
    )
    reproduce.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    reproduce.add_argument("--again", action="store_true", help="also what is already there")
    reproduce.add_argument(
        "--rows-only", action="store_true", help="no .html of figures, no .md of tables"
    )
    _add_settings(reproduce)
    reproduce.set_defaults(run=_reproduce)


def _names(kind: str) -> tuple[str, ...]:
    return tuple(each.name for each in EXPERIMENTS.values() if each.kind == kind)


def _listed(kind: str) -> str:
    return ", ".join(_names(kind))


def _add_settings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--applicants", type=int, metavar="N", help="ask at most N people per dataset"
    )
    parser.add_argument(
        "--draws",
        type=int,
        default=Settings.draws,
        metavar="N",
        help="class-balancing draws of the published protocol",
    )
    parser.add_argument("--seed", type=int, default=Settings.seed)
    parser.add_argument("--jobs", type=int, default=ALL_CORES, help="processes; -1 is every core")


def _settings(chosen: argparse.Namespace) -> Settings:
    for name, least in (("applicants", 1), ("draws", 1), ("seed", 0)):
        value = getattr(chosen, name)
        if value is not None and value < least:
            message = f"--{name} must be ≥ {least}, got {value}"
            raise InvalidInput(message)
    return Settings(chosen.seed, chosen.applicants, chosen.draws, chosen.jobs)


def _table(chosen: argparse.Namespace) -> int:
    rows = _computed(experiment(chosen.name), _settings(chosen))
    text = as_text(rows, chosen.format)
    if chosen.out is None:
        print(text, end="")
    else:
        chosen.out.write_text(text, encoding="utf-8")
    return 0


def _figure(chosen: argparse.Namespace) -> int:
    drawn = experiment(chosen.name)
    path = chosen.out or Path(f"{chosen.name}.html")
    checked_choice("The ending of --out", path.suffix.lower(), (*SUFFIXES, ROWS_SUFFIX))
    rows = _computed(drawn, _settings(chosen))
    if path.suffix.lower() == ROWS_SUFFIX:
        path.write_text(as_text(rows, "csv"), encoding="utf-8")
    elif drawn.draw is not None:
        write_figure(drawn.draw(rows, chosen.theme), path, drawn.title)
    print(path)
    return 0


def _computed(chosen: Experiment, settings: Settings) -> pd.DataFrame:
    """The rows of one experiment."""
    rows = chosen.compute(settings, _with_bar(progress_line()), never)
    print(file=sys.stderr)
    return rows


def _reproduce(chosen: argparse.Namespace) -> int:
    settings, folder = _settings(chosen), chosen.out
    asked = [name for name in EXPERIMENTS if ALL in chosen.names or name in chosen.names]
    done = [name for name in asked if not chosen.again and is_done(name, settings, folder)]
    waiting = [name for name in asked if name not in done]
    if done:
        print(f"Already there, not computed again: {', '.join(done)}", file=sys.stderr)
    expected = {name: _expected_seconds(name) for name in waiting}
    total = sum(expected.values())
    words = f"{len(waiting)} to compute, in about {total / 60:.0f} min as this project's own run"
    print(words, file=sys.stderr)
    tell = _with_bar(progress_line())
    before = 0.0
    for name in waiting:

        def within(part: float, words: str, name: str = name, before: float = before) -> None:
            tell((before + part * expected[name]) / total, f"{name}: {words}")

        begin = time.perf_counter()
        try:
            rows = EXPERIMENTS[name].compute(settings, within, never)
            seconds = time.perf_counter() - begin
            keep(name, rows, settings, seconds, folder)
            if not chosen.rows_only:
                _write_readable(EXPERIMENTS[name], rows, folder)
        except KeyboardInterrupt as stop:
            words = f"\nStopped in {name}. What is finished is in {folder}; run again to go on."
            print(words, file=sys.stderr)
            return exit_code(stop)
        before += expected[name]
        print(f"\n{name}: {len(rows)} rows in {seconds:.0f} s", file=sys.stderr)
    print(f"{len(asked)} tables and figures in {folder}")
    return 0


def _write_readable(finished: Experiment, rows: pd.DataFrame, folder: Path) -> None:
    """What people read: a table as Markdown, a figure as a page."""
    if finished.draw is None:
        path = folder / f"{finished.name}.md"
        path.write_text(as_text(rows, "markdown"), encoding="utf-8")
    else:
        write_figure(finished.draw(rows, "light"), folder / f"{finished.name}.html", finished.title)


def _expected_seconds(name: str) -> float:
    """How long it took when the shipped results were computed."""
    if not (RESULTS / f"{name}.json").is_file():
        return UNKNOWN_SECONDS
    return max(stored(name)[1].seconds, 0.1)


def _with_bar(tell: Callable[[float, str], None]) -> Callable[[float, str], None]:
    """The same progress line with a bar before the words."""

    def show(part: float, words: str) -> None:
        full = round(BAR * part)
        tell(part, f"[{'#' * full}{'.' * (BAR - full)}] {words}")

    return show
