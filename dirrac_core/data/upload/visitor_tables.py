"""Tables of visitors: kept in memory only, named after their content, the oldest forgotten first.

A name is a digest of the people, the schema and the words, so everything that is cached under it
stays right, and the same file uploaded again with the same settings gets the same name. Knowing a
name opens nothing: a table is opened by whoever registered it, in the same context (a thread, or
one that was started with a copy of it), and by a context that `open_only` gave its name to.
"""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from dataclasses import replace
from threading import Lock

from dirrac_core.data.dataset import Dataset, Sample
from dirrac_core.data.upload.reading import Limits
from dirrac_core.errors import UnknownName

# What a visitor may upload: read in seconds, and trained on in half a minute of one core at most
# (rows are drawn for training where there are too many; rare categories are put together).
UPLOAD_LIMITS = Limits(
    file_bytes=50_000_000, rows=500_000, columns=250, encoded_columns=150, entries=12_000_000
)
# What all visitors together may keep.
MOST_TABLES = 20
MOST_BYTES = 1_000_000_000

_NAME = re.compile(r"table-[0-9a-f]{32}")
# What may be opened here: a new thread opens nothing until it is given names.
_OWN: ContextVar[frozenset[str]] = ContextVar("tables that may be opened", default=frozenset())


def is_table_name(name: object) -> bool:
    """Whether this is the name of a visitor's table, kept or forgotten."""
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def register_table(dataset: Dataset) -> str:
    """Keep the dataset under the name of its content; the oldest tables make room for it.

    Whoever has the content may open the table.
    """
    digest = hashlib.sha256()
    for part in _content(dataset):
        digest.update(len(part).to_bytes(8, "big") + part)
    name = f"table-{digest.hexdigest()[:32]}"
    _TABLES.put(name, replace(dataset, name=name))
    _OWN.set(_OWN.get() | {name})
    return name


def open_only(names: Iterable[str]) -> None:
    """From here on this context opens these tables and no others: those of one visitor."""
    _OWN.set(frozenset(names))


def visitor_table(name: str) -> Dataset:
    """The table kept under `name`, for those who may open it.

    A table of somebody else is refused in the same words as one that was forgotten: a name says
    nothing about what others have uploaded.
    """
    dataset = _TABLES.get(name) if name in _OWN.get() else None
    if dataset is None:
        raise UnknownName(
            f"A table must be uploaded before it is opened, got {name!r}, which you have not "
            "uploaded or which is not in memory any more; "
            "upload the same file with the same settings and its links work again"
        )
    return dataset


def is_kept(name: str) -> bool:
    """Whether the table called `name` is in memory and may be opened here."""
    return name in _OWN.get() and _TABLES.get(name) is not None


def _content(dataset: Dataset) -> Iterator[bytes]:
    schema = dataset.schema
    words: tuple[str | None, ...] = (dataset.title, dataset.favourable, dataset.unfavourable)
    words += (dataset.shift_description, dataset.futures)
    words += (str(dataset.cut_off), dataset.cut_off_kind)
    # What was noted while reading is left out: a table file says more than the first upload did.
    described = (words, schema.features, schema.rules, schema.derived, dict(schema.presets))
    yield repr(described).encode("utf-8", "surrogatepass")
    for sample in (dataset.present, dataset.shifted):
        if sample is not None:
            yield from (sample.X.tobytes(), sample.y.tobytes())
    if dataset.periods is not None:
        yield from (dataset.periods.index.tobytes(), repr(dataset.periods.names).encode())
    if dataset.given_model is not None:
        yield dataset.given_model.tobytes()


def _size(dataset: Dataset) -> int:
    def of(sample: Sample) -> int:
        return sample.X.nbytes + sample.y.nbytes + int(sample.people.memory_usage(deep=True).sum())

    return sum(of(sample) for sample in (dataset.present, dataset.shifted) if sample is not None)


class _Tables:
    """The last tables used, shared by all threads; what it hands out is immutable."""

    def __init__(self, most_tables: int, most_bytes: int) -> None:
        self._most_tables, self._most_bytes = most_tables, most_bytes
        self._kept: OrderedDict[str, tuple[Dataset, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, name: str) -> Dataset | None:
        with self._lock:
            if name not in self._kept:
                return None
            self._kept.move_to_end(name)
            return self._kept[name][0]

    def put(self, name: str, dataset: Dataset) -> None:
        size = _size(dataset)
        with self._lock:
            # The same content again keeps the object, and with it what was trained on it.
            self._kept.setdefault(name, (dataset, size))
            self._kept.move_to_end(name)
            while len(self._kept) > 1 and self._too_much():
                self._kept.popitem(last=False)

    def _too_much(self) -> bool:
        used = sum(size for _, size in self._kept.values())
        return len(self._kept) > self._most_tables or used > self._most_bytes


_TABLES = _Tables(MOST_TABLES, MOST_BYTES)
