"""Track records by settings: stored with the package, or computed here and kept in memory.

`dirrac backtest --store` writes the stored ones: for each shipped dataset, every declined applicant
at the recommended settings, as `records/NAME.csv` with a stamp `records/NAME.json`.
"""

from collections import OrderedDict
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock

import pandas as pd

from dirrac_core.case.nonlinear.trees import TREES
from dirrac_core.case.recommended import WIDENED
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.errors import InvalidTable
from dirrac_core.studies.evidence.backtest import COLUMNS, Record
from dirrac_core.studies.evidence.pasts import DATES, GROUPS, PAST, PLACEBO
from dirrac_core.studies.stamps import read_stamp, store_stamped

RECORDS = Path(__file__).parent / "records"
# Digits that count; fewer than a float has, so that the files stay small.
DIGITS = "%.6g"
MOST_REMEMBERED = 64
# Radii that differ by at most this part of the larger one are alike.
NEAR = 0.25
# Strongest evidence first.
STRENGTH = (PAST, DATES, GROUPS, PLACEBO)
STAMP = ("kind", "seconds", "complete", "skipped")

# A promise is called a guarantee when at least so many like it were checked on later people, at so
# many different times (applicants of one time share their judges), at most this share of them was
# broken, and on average no more failed than was promised.
FEWEST_PROMISES = 20
FEWEST_PASTS = 2
MOST_BROKEN = 0.05
GUARANTEE = "Guarantee"
# What boosted trees promise rests on bell curves, whatever became of it so far.
ASSUMPTION = "Assumption"
WORST_CASE = "Worst case within what was declared"


def track_record(settings: Settings, folder: Path = RECORDS) -> Record | None:
    """The strongest record of settings like these: remembered or stored; None without any."""
    return next(iter(records_like(settings, folder)), None)


def records_like(settings: Settings, folder: Path = RECORDS) -> tuple[Record, ...]:
    """All complete records of settings like these, the strongest first.

    Like means equal in all that decides the futures and the promise, whatever the seed, the solver
    and what people may change, with a radius that differs by at most a quarter.
    """
    found = [
        record
        for record in (*_MEMORY.all(), *stored_records(folder))
        if alike(record.settings, settings) and record.complete
    ]

    def order(record: Record) -> tuple[int, float, int]:
        miss = abs(_radius(record.settings) - _radius(settings))
        return STRENGTH.index(record.kind), miss, -len(record.rows)

    return tuple(sorted(found, key=order))


def remember(record: Record) -> None:
    """Keep a record in memory, for `track_record`."""
    _MEMORY.put(record)


def alike(one: Settings, other: Settings) -> bool:
    """Whether a record of the one says something about promises of the other."""
    if isinstance(one.radii, tuple) or isinstance(other.radii, tuple):
        same = one.radii == other.radii
    else:
        same = abs(one.radii - other.radii) <= NEAR * max(one.radii, other.radii)
    return same and _kept(one) == _kept(other)


def promise_word(record: Record | None) -> str:
    """What a promise may be called after its record: a guarantee only where the record bears it."""
    if record is not None and record.settings.model == TREES:
        return ASSUMPTION
    if record is None or record.kind not in (PAST, DATES):
        return WORST_CASE
    found = record.tally
    bears = (
        not decided_a_setting(record)
        and found.promises >= FEWEST_PROMISES
        and record.rows.loc[record.rows["plan"], "date"].nunique() >= FEWEST_PASTS
        and found.share.value <= MOST_BROKEN
        and found.observed <= found.promised
    )
    return GUARANTEE if bears else WORST_CASE


def decided_a_setting(record: Record) -> bool:
    """Whether a setting was chosen by what became of such plans with these very people.

    How far the limits of Student give way was: 1 in 20 was taken after the shifted students had
    judged four targets. (On SBA such a record spoke against limits that were not taken.)
    """
    settings = record.settings
    return record.kind == PAST and settings.widen and settings.dataset in WIDENED


def store(record: Record, seconds: float, folder: Path = RECORDS) -> Path:
    """Write a record and then its stamp; the same dataset, model and kind take the same name."""
    model = "-trees" if record.settings.model == TREES else ""
    path = folder / f"{record.settings.dataset}{model}-{record.kind}.csv"
    write = partial(record.rows.to_csv, index=False, float_format=DIGITS)
    told = (record.kind, round(seconds, 1), record.complete, list(record.skipped))
    store_stamped(path, write, _plain(record.settings), dict(zip(STAMP, told, strict=True)))
    stored_records.cache_clear()
    return path


@lru_cache(maxsize=4)
def stored_records(folder: Path = RECORDS) -> tuple[Record, ...]:
    """All records in a folder, by name."""
    return tuple(_read(stamp) for stamp in sorted(folder.glob("*.json")))


def _read(stamp: Path) -> Record:
    content, settings = read_stamp(stamp, STAMP)
    rows = pd.read_csv(
        stamp.with_suffix(".csv"),
        dtype={"date": str},
        keep_default_na=False,
        na_values={"promised": "", "observed": "", "cost": ""},
    )
    if tuple(rows.columns) != COLUMNS:
        message = f"A record must have the columns {', '.join(COLUMNS)}, got {list(rows.columns)}"
        raise InvalidTable(message)
    return Record(settings, content["kind"], rows, tuple(content["skipped"]), content["complete"])


def _plain(settings: Settings) -> Settings:
    """The settings without an applicant."""
    return settings.settings if isinstance(settings, Scenario) else settings


@lru_cache(maxsize=256)
def _kept(settings: Settings) -> Settings:
    """The settings with everything that records are compared without at its default."""
    return replace(
        _plain(settings),
        seed=Settings.seed,
        gap=Settings.gap,
        solver=Settings.solver,
        preset=Settings.preset,
        edits=(),
        radii=0.0,
    )


def _radius(settings: Settings) -> float:
    return max(settings.radii) if isinstance(settings.radii, tuple) else settings.radii


class _Memory:
    """The last records computed, shared by all threads."""

    def __init__(self) -> None:
        self._records: OrderedDict[tuple[Settings, str], Record] = OrderedDict()
        self._lock = Lock()

    def put(self, record: Record) -> None:
        with self._lock:
            self._records[_plain(record.settings), record.kind] = record
            while len(self._records) > MOST_REMEMBERED:
                self._records.popitem(last=False)

    def all(self) -> tuple[Record, ...]:
        with self._lock:
            return tuple(self._records.values())


_MEMORY = _Memory()
