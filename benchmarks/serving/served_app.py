"""The dashboard served on a free port of this machine, for as long as it is needed."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 120


@contextmanager
def served_app(
    environment: Mapping[str, str] | None = None, script: str = "app.py", root: Path = ROOT
) -> Iterator[tuple[int, int]]:
    """Start the app (or another script) with these environment variables on top; its port and its
    process number. `root` is the checkout it is served from."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", script, f"--server.port={port}"]
    options = ["--server.headless=true", "--server.fileWatcherType=none"]
    with subprocess.Popen(
        [*command, *options],
        cwd=root,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as running:
        try:
            _wait_for(f"http://localhost:{port}/_stcore/health")
            yield port, running.pid
        finally:
            running.terminate()


def _wait_for(address: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            with urllib.request.urlopen(address, timeout=1):
                return
        except (URLError, ConnectionError, TimeoutError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
