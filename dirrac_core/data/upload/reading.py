"""A table from a DataFrame, a path, bytes or an open file, with checked names, or refused."""

import csv
import io
import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pandas as pd

from dirrac_core.errors import InvalidTable

Source = pd.DataFrame | str | os.PathLike[str] | bytes | BinaryIO

SEPARATORS = (",", ";", "\t", "|")
# What people write for "not known". "None" and "-" may be answers, so they are not among them.
MISSING = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "?", "#N/A", "<NA>")
# A longer name or category is a text, and nothing that fits on a screen.
LONGEST_TEXT = 80
_SAMPLE = 1_000_000
_SAMPLE_LINES = 50
_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_NOT_WINDOWS = re.compile(b"[\x81\x8d\x8f\x90\x9d]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
# How files begin that people take for tables; none of them is ever unpacked.
_SIGNATURES = {
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"\x1f\x8b": "a gzip archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"(\xb5/\xfd": "a zstd archive",
    b"PAR1": "a Parquet file",
    b"%PDF": "a PDF document",
    b"\x80\x04": "a pickle",
    b"\x80\x05": "a pickle",
}


@dataclass(frozen=True)
class Limits:
    """How large a table may be: the file, its rows and columns, and the columns after encoding.

    `entries` are rows × encoded columns of a sample; the usual ones take 400 MB.
    """

    file_bytes: int = 200_000_000
    rows: int = 5_000_000
    columns: int = 2_000
    encoded_columns: int = 5_000
    entries: int = 50_000_000

    def check(self, what: str, which: str, most: int, got: int) -> None:
        """Refuse a table that has more of something than it may."""
        if got > most:
            raise InvalidTable(f"The {which} table may have at most {most:,} {what}, got {got:,}")


USUAL_LIMITS = Limits()


def read_table(
    source: Source,
    which: str,
    notes: list[str],
    as_text: Collection[str] = (),
    limits: Limits = USUAL_LIMITS,
) -> pd.DataFrame:
    """The table with checked column names; what had to be handled is added to `notes`.

    Plain numbers of a file are read as numbers, except in the columns `as_text` (a code such as
    007 keeps its zeros); everything else is text, NaN where missing. A DataFrame keeps its types.
    """
    if isinstance(source, pd.DataFrame):
        frame = _from_frame(source, which, notes, limits)
    else:
        text = read_text(read_content(source, which, limits), which, notes)
        frame = _from_text(text, which, notes, as_text, limits)
    limits.check("rows", which, limits.rows, len(frame))
    return frame


def _from_frame(source: pd.DataFrame, which: str, notes: list[str], limits: Limits) -> pd.DataFrame:
    if source.columns.nlevels > 1:
        raise InvalidTable(
            f"The {which} table needs one line of column names, got {source.columns.nlevels}"
        )
    frame = source.reset_index(drop=True)
    names = [_one_line(str(name)) for name in source.columns]
    _check_names(names, which, limits)
    return _without_row_numbers(frame.set_axis(names, axis=1), which, notes)


def read_content(
    source: str | os.PathLike[str] | bytes | BinaryIO, which: str, limits: Limits
) -> bytes:
    """The bytes of a file that is not too large."""
    largest = limits.file_bytes
    if isinstance(source, bytes):
        content, size = source, len(source)
    elif isinstance(source, str | os.PathLike):
        path = Path(source)
        if not path.is_file():
            raise InvalidTable(f"The {which} table must be a file that exists, got {path.name!r}")
        size = path.stat().st_size
        content = path.read_bytes() if size <= largest else b""
    elif hasattr(source, "read"):
        content = source.read(largest + 1)
        size = len(content)
    else:
        raise InvalidTable(
            f"The {which} table must be a DataFrame, a path, bytes or an open file, "
            f"got {type(source).__name__}"
        )
    if size > largest:
        raise InvalidTable(
            f"The {which} table must be at most {largest / 1e6:g} MB, got {size / 1e6:,.1f} MB"
        )
    if not isinstance(content, bytes):
        raise InvalidTable(f"The {which} table must be opened in binary mode, got text")
    return content


def read_text(content: bytes, which: str, notes: list[str]) -> str:
    """The text of a file that must be text; how it was decoded is added to `notes`."""
    for signature, kind in _SIGNATURES.items():
        if content.startswith(signature):
            raise InvalidTable(
                f"The {which} table must be a text file (CSV), got {kind}; save it as CSV"
            )
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        notes.append(f"The {which} table is UTF-16 text; it was read as such.")
        encoding = "utf-16"
    elif content.startswith(b"\xef\xbb\xbf"):
        notes.append(f"The {which} table starts with a byte order mark, which was removed.")
        encoding = "utf-8-sig"
    else:
        encoding = "utf-8"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        notes.append(
            f"The {which} table is not UTF-8 text; it was read as Latin-1 (Windows-1252). "
            "Check letters with accents."
        )
        # Windows-1252 leaves five bytes without a meaning; Latin-1 does not.
        text = content.decode("cp1252" if not _NOT_WINDOWS.search(content) else "latin-1")
    # Old systems end a file with ^Z.
    text = text.removesuffix("\x1a")
    if _CONTROL.search(text):
        raise InvalidTable(f"The {which} table must be a text file (CSV), got binary content")
    if not text.strip():
        raise InvalidTable(f"The {which} table must not be empty")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # A spreadsheet may announce the separator in a line of its own; it is found without that.
    return re.sub(r"\Asep=.\n", "", text)


def _from_text(
    text: str, which: str, notes: list[str], as_text: Collection[str], limits: Limits
) -> pd.DataFrame:
    sample = text if len(text) <= _SAMPLE else text[: text.rfind("\n", 0, _SAMPLE) + 1]
    if not sample:
        raise InvalidTable(
            f"The first line of the {which} table must be at most {_SAMPLE:,} characters long, "
            "got a longer one"
        )
    separator = _separator(sample)
    if separator is None:
        first = text.lstrip().splitlines()[0][:60]
        raise InvalidTable(
            f"The {which} table needs at least two columns separated by commas, semicolons, tabs "
            f"or vertical bars, got {first!r}"
        )
    if separator != ",":
        notes.append(f"The {which} table is separated by {_NAMES[separator]}.")
    rows = _rows(sample, separator)
    names = [_one_line(name) for name in next(rows)]
    _check_names(names, which, limits)
    _check_width(next(rows, None), names, which, whole=sample == text)
    if all(_is_number(name) for name in names):
        raise InvalidTable(
            f"The first line of the {which} table must name the columns, got {names[:5]}"
        )
    try:
        frame = pd.read_csv(
            io.StringIO(text),
            sep=separator,
            dtype={name: str for name in names if name in as_text},
            low_memory=False,
            header=0,
            names=names,
            index_col=False,
            keep_default_na=False,
            na_values=list(MISSING),
            skipinitialspace=True,
            on_bad_lines="error",
        )
    except pd.errors.ParserError as error:
        reason = str(error).rpartition("C error: ")[2].strip()
        raise InvalidTable(
            f"Every line of the {which} table must have {len(names)} entries: {reason}"
        ) from None
    return _without_row_numbers(frame, which, notes)


def _check_width(first: list[str] | None, names: list[str], which: str, whole: bool) -> None:
    """Refuse a first line with more entries than names: pandas would drop what has no name."""
    if first is None and not whole:
        raise InvalidTable(
            f"The lines of the {which} table must be at most {_SAMPLE:,} characters long, got a "
            "longer one after the names of the columns"
        )
    if first is not None and len(first) > len(names):
        raise InvalidTable(
            f"Every line of the {which} table must have {len(names)} entries, one for each name "
            f"in the first line, got {len(first):,} in the line after it"
        )


def _separator(text: str) -> str | None:
    """The separator that cuts the first lines into the most columns, equally many in each."""
    widths = {}
    for candidate in SEPARATORS:
        try:
            found = [len(row) for row in islice(_rows(text, candidate), _SAMPLE_LINES)]
        except csv.Error:
            # Cut this way, an entry is longer than any sensible one.
            continue
        if found[0] > 1:
            widths[candidate] = (len(set(found)) == 1, found[0])
    return max(widths, key=lambda candidate: widths[candidate]) if widths else None


def _rows(text: str, separator: str) -> Iterator[list[str]]:
    # Spaces after a separator are left out, as they are when the whole table is read.
    reader = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True)
    return (row for row in reader if row)


def _one_line(name: str) -> str:
    """A column name without line breaks, surplus spaces and invisible characters."""
    return "".join(letter for letter in " ".join(name.split()) if letter.isprintable())


def _check_names(names: Sequence[str], which: str, limits: Limits) -> None:
    limits.check("columns", which, limits.columns, len(names))
    repeated = [name for name, count in Counter(names).items() if count > 1 and name]
    if repeated:
        raise InvalidTable(
            f"Every column of the {which} table needs its own name, got {repeated[0]!r} twice"
        )
    if "" in names[1:]:
        place = names.index("", 1) + 1
        raise InvalidTable(
            f"Every column of the {which} table needs a name, got none for column {place}"
        )
    longest = max(names, key=len)
    if len(longest) > LONGEST_TEXT:
        raise InvalidTable(
            f"The names of the columns of the {which} table may have at most {LONGEST_TEXT} "
            f"characters, got {len(longest):,} in {longest[:40] + '…'!r}"
        )


def _without_row_numbers(frame: pd.DataFrame, which: str, notes: list[str]) -> pd.DataFrame:
    """Drop the nameless first column that spreadsheets and pandas write, if it counts the rows."""
    first = str(frame.columns[0])
    if first != "" and not first.startswith("Unnamed: 0"):
        return frame
    numbers = pd.to_numeric(frame[first], errors="coerce").to_numpy(np.float64)
    if not (np.diff(numbers) == 1).all():
        raise InvalidTable(f"Every column of the {which} table needs a name, got none for column 1")
    notes.append(f"The first column of the {which} table only counts the rows and was left out.")
    return frame.drop(columns=first)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
