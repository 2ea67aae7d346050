"""Any number of people, read in chunks: a CSV or Parquet file in real units, or a table."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from dirrac_core.arrays import brief, checked_choice, checked_instance
from dirrac_core.data.schema.feature import Feature, category_texts
from dirrac_core.data.schema.schema import Schema
from dirrac_core.errors import InvalidTable

FORMATS = (".csv", ".parquet")
# A byte order mark, as spreadsheets write it, is not part of the first name.
ENCODING = "utf-8-sig"
# Numbers this far beyond an end, on the encoded scale, are on it.
TOLERANCE = 1e-9
_BLOCK = 1 << 20


@dataclass(frozen=True, eq=False)
class People:
    """People to be judged, in chunks of any size; every pass gives the same chunks.

    `digest` is the sha256 of the content. `rows` is for estimates of time: a line break inside a
    cell of a CSV file counts too. A chunk holds the features, and an `id` when people are `named`.
    """

    name: str
    digest: str
    rows: int
    chunks: Callable[[int], Iterator[pd.DataFrame]]
    named: bool = False


def people_in_file(path: str | Path, schema: Schema, id_column: str | None = None) -> People:
    """The people of a file: columns named like the features, in their units, in any order.

    CSV is UTF-8 with commas. `id_column` names a further column that is copied as text.
    """
    checked_instance("schema", schema, Schema)
    if id_column is not None:
        checked_instance("id_column", id_column, str)
    file = checked_path("The file of people", path)
    parquet = file_format(file) == ".parquet"
    if not file.is_file():
        raise InvalidTable(f"The file of people must exist, got {str(file)!r}")
    texts = [feature.name for feature in schema.features if feature.is_categorical]
    wanted = [feature.name for feature in schema.features]
    if id_column is not None:
        wanted, texts = list(dict.fromkeys([*wanted, id_column])), [*texts, id_column]
    with _refused(file):
        stored = pq.read_schema(file) if parquet else None
        header = _csv_names(file) if stored is None else stored.names
    missing = [name for name in wanted if name not in header]
    if missing:
        raise InvalidTable(
            f"Column {missing[0]!r} is needed in {file.name!r}, got {', '.join(header)}"
        )
    if stored is not None:
        _check_cells(stored, wanted, file)
    digest, lines = _digest(file)
    rows = pq.read_metadata(file).num_rows if parquet else max(lines - 1, 0)

    def chunks(size: int) -> Iterator[pd.DataFrame]:
        with _refused(file):
            for chunk in (
                _parquet_chunks(file, wanted, size)
                if parquet
                else _csv_chunks(file, wanted, texts, size)
            ):
                if id_column is not None:
                    chunk = chunk.assign(id=chunk[id_column].astype(str))
                yield chunk

    return People(file.name, digest, rows, chunks, named=id_column is not None)


def people_in_table(frame: pd.DataFrame, name: str, named: bool = False) -> People:
    """The people of a table that is in memory already; with an `id` column when `named`."""
    checked_instance("The people", frame, pd.DataFrame)
    checked_instance("name", name, str)
    try:
        hashes = pd.util.hash_pandas_object(frame, index=False)
    except TypeError:
        message = f"The people of {name!r} must be given by one number or text for each cell"
        raise InvalidTable(message) from None
    digest = hashlib.sha256(hashes.to_numpy().tobytes())

    def chunks(size: int) -> Iterator[pd.DataFrame]:
        return (frame.iloc[start : start + size] for start in range(0, len(frame), size))

    return People(name, digest.hexdigest(), len(frame), chunks, named)


def checked_path(name: str, path: str | Path) -> Path:
    """`path` as a path."""
    if not isinstance(path, str | Path):
        message = f"{name} must be a path, got {brief(path)}"
        raise InvalidTable(message)
    return Path(path)


def file_format(path: Path) -> str:
    """ ".csv" or ".parquet"; anything else is refused."""
    return checked_choice("The ending of a file of people", path.suffix.lower(), FORMATS)


def unreadable(people: pd.DataFrame, schema: Schema) -> pd.DataFrame:
    """Who cannot be encoded: `cause` (the first such feature) and `reason`, by place; else empty.

    The index holds the places, counted from 0, of the people in the chunk.
    """
    cause: dict[int, str] = {}
    reason: dict[int, str] = {}
    for feature in schema.features:
        values = people[feature.name]
        for place in np.flatnonzero(_wrong(values, feature)):
            if int(place) not in cause:
                value = values.iloc[place]
                text = f"{value!r:.60}" if isinstance(value, str) else str(value)
                found = "nothing" if pd.isna(value) or value == "" else text
                cause[int(place)] = feature.name
                reason[int(place)] = f"{feature.name} must be {_rule(feature)}, got {found}"
    return pd.DataFrame({"cause": cause, "reason": reason}).sort_index()


def outside(X: npt.NDArray[np.float64], schema: Schema) -> pd.DataFrame:
    """Who has a number the models have never seen: `cause` and `reason` by place, as above."""
    ends = [(0.0, 1.0)] * X.shape[1]
    for feature in schema.features:
        if not feature.is_categorical:
            (column,) = schema.columns_of(feature.name)
            least, most = feature.extremes
            ends[column] = (feature.scaled(least), feature.scaled(most))
    least_seen, most_seen = np.array(ends).T
    beyond = np.maximum(least_seen - X, X - most_seen) > TOLERANCE
    cause: dict[int, str] = {}
    reason: dict[int, str] = {}
    for place in np.flatnonzero(beyond.any(axis=1)):
        column = int(np.argmax(beyond[place]))
        feature = next(f for f in schema.features if column in schema.columns_of(f.name))
        value = feature.real(float(X[place, column]))
        cause[int(place)] = feature.name
        reason[int(place)] = (
            f"{feature.name} lies outside what the models were fitted on, {_rule(feature)}: "
            f"{feature.format_value(value)}"
        )
    return pd.DataFrame({"cause": cause, "reason": reason})


def _wrong(values: "pd.Series[Any]", feature: Feature) -> npt.NDArray[np.bool_]:
    if feature.is_categorical:
        known = category_texts(values).isin(feature.categories) & values.notna()
        return ~known.to_numpy(dtype=bool)
    numbers = pd.to_numeric(values, errors="coerce").to_numpy(np.float64)
    return np.asarray(~np.isfinite(numbers))


def _rule(feature: Feature) -> str:
    if feature.is_categorical:
        return f"one of {', '.join(feature.categories)}"
    least, most = feature.extremes
    return f"{feature.number(least)} to {feature.format_value(most)}"


def _check_cells(stored: pa.Schema, wanted: list[str], file: Path) -> None:
    """Every wanted column is there once, with one value for each person."""
    for name in wanted:
        if stored.names.count(name) > 1:
            message = f"Column {name!r} must be in {file.name!r} once, got it more often"
            raise InvalidTable(message)
        kind = stored.field(name).type
        if pa.types.is_nested(kind):
            message = (
                f"Column {name!r} of {file.name!r} must hold one number or text for each person, "
                f"got {kind}"
            )
            raise InvalidTable(message)


def _digest(file: Path) -> tuple[str, int]:
    """The sha256 of a file, and how many lines it has."""
    content, lines, last = hashlib.sha256(), 0, b"\n"
    with file.open("rb") as stream:
        while block := stream.read(_BLOCK):
            content.update(block)
            lines += block.count(b"\n")
            last = block[-1:]
    return content.hexdigest(), lines + (last != b"\n")


@contextmanager
def _refused(file: Path) -> Iterator[None]:
    """A file that cannot be read is refused with a sentence."""
    try:
        yield
    except (
        pd.errors.ParserError,
        pd.errors.EmptyDataError,
        UnicodeDecodeError,
        pa.ArrowInvalid,
    ) as problem:
        raise InvalidTable(
            f"{file.name!r} must be a Parquet file, or CSV in UTF-8 with commas, as its ending "
            f"says: {problem}"
        ) from None


def _csv_names(file: Path) -> list[str]:
    return [str(name) for name in pd.read_csv(file, nrows=0, encoding=ENCODING).columns]


def _csv_chunks(
    file: Path, wanted: list[str], texts: list[str], size: int
) -> Iterator[pd.DataFrame]:
    # All columns are read, because only then is a line with too many entries noticed.
    with pd.read_csv(
        file,
        chunksize=size,
        dtype=dict.fromkeys(texts, str),
        keep_default_na=False,
        low_memory=False,
        encoding=ENCODING,
    ) as reader:
        for chunk in reader:
            if not isinstance(chunk.index, pd.RangeIndex):
                raise InvalidTable(
                    f"Every line of {file.name!r} must have as many entries as the first"
                )
            yield chunk[wanted]


def _parquet_chunks(file: Path, wanted: list[str], size: int) -> Iterator[pd.DataFrame]:
    with pq.ParquetFile(file) as stored:
        for batch in stored.iter_batches(batch_size=size, columns=wanted):
            yield batch.to_pandas()
