"""The files of a German portfolio as the command line writes them."""

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd

COMMAND = [sys.executable, "-m", "dirrac_core", "portfolio", "--dataset", "german"]
FORMATS = ("csv", "parquet")


def answers() -> dict[str, Any]:
    """Of each format the sha256 and the size; of the CSV also what to read a
    difference from: a digest of every column and of every person declined."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind in FORMATS:
            path = Path(folder) / f"german.{kind}"
            options = ["--out", str(path), "--jobs", "1"]
            subprocess.run([*COMMAND, *options], check=True, capture_output=True)
            content = path.read_bytes()
            found[kind] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            if kind == "csv":
                table = pd.read_csv(path, dtype=str, keep_default_na=False)
                found["columns"] = {name: _digest(table[name]) for name in table}
                declined = table[table["decision"] == "declined"].set_index("row")
                found["people"] = {
                    row: f"{each['status']} {each['cost']} {_digest(each)}"
                    for row, each in declined.iterrows()
                }
    return found


def _digest(values: "pd.Series[str]") -> str:
    return hashlib.sha256("\n".join(values).encode()).hexdigest()[:8]
