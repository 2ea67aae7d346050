"""A long result on disk: finished parts beside the output, joined at the end, resumable."""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from dirrac_core.data.safe_csv import safe_csv
from dirrac_core.errors import InvalidInput, OutputFailure

Manifest = Mapping[str, object]
MANIFEST = "manifest.json"


class Parts:
    """The work folder `OUT.parts`: a manifest of what is computed, and one file a finished part.

    A part is written under a temporary name, forced to the disk and renamed, so after a kill it
    is whole or not there. Used as a context: when the work ends without `join`, the folder stays
    only if `keep` was asked for.
    """

    def __init__(self, out: Path, manifest: Manifest, schema: pa.Schema, keep: bool) -> None:
        self.out, self.schema, self.keep = out, schema, keep
        self.folder = out.with_name(out.name + ".parts")
        with _in_words(self.folder):
            if self.folder.exists():
                self._check_same(manifest)
            else:
                self.folder.mkdir()
                self._begin(manifest)

    def __enter__(self) -> "Parts":
        return self

    def __exit__(self, *_: object) -> None:
        if not self.keep:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __contains__(self, number: int) -> bool:
        return self._path(number).is_file()

    def read(self, number: int, columns: list[str] | None = None) -> pa.Table:
        """A finished part."""
        return pq.read_table(self._path(number), columns=columns)

    def write(self, number: int, table: pa.Table) -> None:
        """Keep a finished part."""
        with _in_words(self.folder):
            sink = pa.BufferOutputStream()
            pq.write_table(table.cast(self.schema), sink)
            self._write(self._path(number).name, sink.getvalue())

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
            shutil.rmtree(self.folder)

    def _path(self, number: int) -> Path:
        return self.folder / f"part-{number:07d}.parquet"

    def _write(self, name: str, content: bytes | pa.Buffer) -> None:
        # The number of this process keeps two runs by mistake out of each other's way.
        temporary = self.folder / f"{name}.{os.getpid()}.tmp"
        temporary.write_bytes(content)
        _to_disk(temporary)
        temporary.replace(self.folder / name)
        _to_disk(self.folder)

    def _begin(self, manifest: Manifest) -> None:
        try:
            self._write(MANIFEST, json.dumps(manifest, indent=2).encode())
        except OSError:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def _check_same(self, manifest: Manifest) -> None:
        """Only what was begun the same way may be continued."""
        if not self.keep:
            message = (
                f"The results must not be begun twice, got an unfinished run in {self.folder}: "
                "go on with it (--resume), or remove that folder"
            )
            raise InvalidInput(message)
        path = self.folder / MANIFEST
        if not path.is_file():
            # Killed before anything was computed.
            self._begin(manifest)
            return
        try:
            begun = dict(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, TypeError):
            message = f"A run is resumed by its manifest, got something else in {path}"
            raise InvalidInput(message) from None
        now = json.loads(json.dumps(manifest))
        for name in sorted({*begun, *now}):
            if begun.get(name) != now.get(name):
                message = (
                    f"A run is resumed only as it was begun, got {name} {now.get(name)!r} where "
                    f"{self.folder} was begun with {begun.get(name)!r}"
                )
                raise InvalidInput(message)


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
        message = f"The results must go to a place that can be written, got {path}: {problem}"
        raise OutputFailure(message) from problem
