"""The files of a German portfolio as the command line writes them."""

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-m", "dirrac_core", "portfolio", "--dataset", "german"]
FORMATS = ("csv", "parquet")


def answers() -> dict[str, Any]:
    """Of each format the sha256 and the size; of the CSV also the lines, to be read."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind in FORMATS:
            path = Path(folder) / f"german.{kind}"
            options = ["--out", str(path), "--jobs", "1"]
            subprocess.run([*COMMAND, *options], check=True, capture_output=True)
            content = path.read_bytes()
            found[kind] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            if kind == "csv":
                found["csv lines"] = content.decode().splitlines()
    return found
