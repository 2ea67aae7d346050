"""A long result on disk: finished parts beside the output, joined at the end, resumable."""

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from dirrac_core.data.safe_csv import safe_csv
from dirrac_core.errors import DamagedPart, InvalidInput, OutputFailure

Manifest = Mapping[str, object]
MANIFEST = "manifest.json"
# A part carries the checksum of its bytes in its name, so that one rename brings both.
PART = re.compile(r"part-(\d{7,})-([0-9a-f]{64})\.parquet")
# What this module writes into the folder, and hence all it ever removes from it.
OWN = re.compile(rf"({PART.pattern}|{re.escape(MANIFEST)}|joined\.\w+)(\.\d+\.tmp)?")


class Parts:
    """The work folder `OUT.parts`: a manifest of what is computed, one file for each finished part.

    A part is written under a temporary name, forced to the disk and renamed, so after a kill it
    is whole or not there; its checksum is compared whenever it is read. Used as a context: when
    the work ends without `join`, the folder stays only with `keep`. Files of others
    in the folder are never touched.
    """

    def __init__(self, out: Path, manifest: Manifest, schema: pa.Schema, keep: bool) -> None:
        check_place(out)
        self.out, self.schema, self.keep = out, schema, keep
        self.folder = parts_folder(out)
        with _in_words(self.folder):
            if self.folder.exists():
                self._check_same(manifest)
            else:
                self._begin(manifest)
            self._finished = self._found()
            self._check_finished()

    def __enter__(self) -> "Parts":
        return self

    def __exit__(self, *_: object) -> None:
        if not self.keep:
            # What ended the work is being raised; a folder that cannot go must not hide it.
            try:
                self._remove()
            except OSError:
                return

    def __contains__(self, number: int) -> bool:
        return number in self._finished

    def read(self, number: int, columns: list[str] | None = None) -> pa.Table:
        """A finished part, as it was written."""
        path = self._finished[number]
        with _in_words(path):
            content = path.read_bytes()
        if not _as_written(path, content):
            raise _damaged([path])
        return pq.read_table(pa.BufferReader(content), columns=columns)

    def write(self, number: int, table: pa.Table) -> None:
        """Keep a finished part."""
        with _in_words(self.folder):
            sink = pa.BufferOutputStream()
            pq.write_table(table.cast(self.schema), sink)
            content = sink.getvalue()
            name = f"part-{number:07d}-{hashlib.sha256(content).hexdigest()}.parquet"
            _write(self.folder, name, content)
            self._finished[number] = self.folder / name

    def join(self, count: int) -> None:
        """The parts 0 … count − 1 as the output, in one rename; then the folder goes."""
        joined = self.folder / f"joined{self.out.suffix}"
        with _in_words(self.out):
            if self.out.suffix.lower() == ".parquet":
                with pq.ParquetWriter(joined, self.schema) as writer:
                    for number in range(count):
                        writer.write_table(self.read(number))
            else:
                with joined.open("w", encoding="utf-8", newline="") as text:
                    text.write(safe_csv(self.schema.empty_table().to_pandas()))
                    for number in range(count):
                        text.write(safe_csv(self.read(number).to_pandas(), header=False))
            _to_disk(joined)
            joined.replace(self.out)
            _to_disk(self.out.parent)
            self._remove()

    def _found(self) -> dict[int, Path]:
        matches = ((PART.fullmatch(path.name), path) for path in sorted(self.folder.iterdir()))
        return {int(match[1]): path for match, path in matches if match is not None}

    def _check_finished(self) -> None:
        """Before the work goes on: every part of an earlier run is still as it was written."""
        paths = self._finished.values()
        damaged = [path for path in paths if not _as_written(path, path.read_bytes())]
        if damaged:
            raise _damaged(damaged)

    def _remove(self) -> None:
        """Remove our own files, and the folder when nothing else is in it."""
        for path in self.folder.iterdir():
            if OWN.fullmatch(path.name) and (path.is_symlink() or not path.is_dir()):
                path.unlink()
        if not any(self.folder.iterdir()):
            self.folder.rmdir()

    def _begin(self, manifest: Manifest) -> None:
        # The folder gets its name once the manifest is in it, so none is ever without.
        fresh = self.folder.with_name(f"{self.folder.name}.{os.getpid()}.tmp")
        fresh.mkdir()
        try:
            _write(fresh, MANIFEST, json.dumps(manifest, indent=2).encode())
            fresh.rename(self.folder)
        except BaseException:
            for path in fresh.iterdir():
                path.unlink()
            fresh.rmdir()
            raise

    def _check_same(self, manifest: Manifest) -> None:
        """Only what was begun the same way may be continued."""
        path = self.folder / MANIFEST
        if not path.is_file():
            message = (
                f"A folder of parts must hold its {MANIFEST}, got {self.folder} without one: "
                "remove that folder, or write to another place"
            )
            raise InvalidInput(message)
        if not self.keep:
            raise InvalidInput(
                f"The results must not be begun twice, got an unfinished run in {self.folder}: "
                "go on with it (--resume), or remove that folder"
            )
        try:
            begun = dict(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, TypeError):
            raise InvalidInput(
                f"A run is resumed by its manifest, got something else in {path}"
            ) from None
        now = json.loads(json.dumps(manifest))
        for name in sorted({*begun, *now}):
            if begun.get(name) != now.get(name):
                raise InvalidInput(
                    f"A run is resumed only as it was begun, got {name} {now.get(name)!r} where "
                    f"{self.folder} was begun with {begun.get(name)!r}"
                )


def parts_folder(out: Path) -> Path:
    """Where the finished parts of an output lie until it is whole."""
    return out.with_name(out.name + ".parts")


def check_place(out: Path) -> None:
    """Refuse an output that could not be written at the end; asked before the work begins."""
    reason = None
    if out.is_dir():
        reason = "a folder has that name"
    elif not out.parent.is_dir():
        reason = "its folder is not there"
    elif not os.access(out.parent, os.W_OK | os.X_OK):
        reason = "its folder is read-only"
    elif parts_folder(out).exists() and not parts_folder(out).is_dir():
        reason = f"{parts_folder(out)} is not a folder"
    if reason is not None:
        message = f"The results must go to a place that can be written, got {out}: {reason}"
        raise OutputFailure(message)


def _as_written(path: Path, content: bytes) -> bool:
    match = PART.fullmatch(path.name)
    return match is not None and hashlib.sha256(content).hexdigest() == match[2]


def _damaged(paths: list[Path]) -> DamagedPart:
    names = ", ".join(str(path) for path in paths)
    message = (
        f"A finished part must be as it was written, got other content in {names}: remove what is "
        "damaged, and the same command (--resume) computes it again"
    )
    return DamagedPart(message)


def _write(folder: Path, name: str, content: bytes | pa.Buffer) -> None:
    # The number of this process keeps two runs by mistake out of each other's way.
    temporary = folder / f"{name}.{os.getpid()}.tmp"
    temporary.write_bytes(content)
    _to_disk(temporary)
    temporary.replace(folder / name)
    _to_disk(folder)


def _to_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """A full disk, a read-only or missing folder: the named error, with the path."""
    try:
        yield
    except OSError as problem:
        raise OutputFailure(
            f"The results must go to a place that can be written, got {path}: {problem}"
        ) from problem
