"""`dashboard` starts the screens in a browser, for this machine only by default."""

import argparse
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from dirrac_core.errors import MissingFile

PACKAGE = Path(__file__).resolve().parents[1]
# In a checkout the dashboard lies beside the core, in an installation in a folder of its own.
PLACES = (PACKAGE.parent, PACKAGE.parent / "dirrac_dashboard")


def add(commands: Any) -> None:
    """Describe the command."""
    dashboard = commands.add_parser(
        "dashboard",
        help="start the dashboard (also without a command)",
        description="Arguments go to streamlit: dirrac dashboard --server.port 8600",
    )
    dashboard.set_defaults(run=_dashboard, streamlit=[])


def app_file() -> Path:
    """The script Streamlit runs."""
    for place in PLACES:
        if (place / "app.py").is_file() and (place / "pages").is_dir():
            return place / "app.py"
    searched = " or ".join(str(place) for place in PLACES)
    raise MissingFile(f"The dashboard needs app.py with its pages, got none in {searched}")


def _dashboard(chosen: argparse.Namespace) -> int:
    if importlib.util.find_spec("streamlit") is None:
        raise MissingFile("The dashboard needs the package streamlit, got an environment without")
    # The matrices are small: one thread per process is fastest and leaves cores to other visitors.
    environment = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **os.environ}
    command = [sys.executable, "-m", "streamlit", "run", str(app_file()), *chosen.streamlit]
    try:
        return subprocess.run(command, env=environment, check=False).returncode
    except KeyboardInterrupt:
        return 0
