"""A portfolio run that is killed without warning is resumed to the same file."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from dirrac_core.__main__ import main
from dirrac_core.evaluation.parts import Parts

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0
# Many small parts, each with plans to make, so that the run is surely caught in the middle.
PARTS, CHUNK = 40, 25
PEOPLE = PARTS * CHUNK


def arguments(out):
    plans = ["--components", "1"]
    run = ["--out", str(out), "--chunk", str(CHUNK), "--jobs", "1", "--resume"]
    return ["portfolio", "--dataset", "german", *plans, *run]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a run that nobody stops."""
    out = tmp_path_factory.mktemp("whole") / "out.csv"
    assert main(arguments(out)) == 0
    content = out.read_bytes()
    assert content.count(b"\r\n") == PEOPLE + 1
    return content


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_is_resumed_to_the_same_file(whole, tmp_path, monkeypatch, stop):
    out = tmp_path / "out.csv"
    folder = tmp_path / "out.csv.parts"
    process = subprocess.Popen(
        [sys.executable, "-m", "dirrac_core", *arguments(out)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        # A shell starts its background jobs deaf to Ctrl-C, and they hand that on.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    end = time.monotonic() + PATIENCE
    while len(list(folder.glob("part-*.parquet"))) < 3:
        assert process.poll() is None and time.monotonic() < end, "the run was not to be caught"
        time.sleep(0.002)
    os.kill(process.pid, stop)
    _, words = process.communicate(timeout=PATIENCE)
    if stop == signal.SIGINT:
        assert process.returncode == 130 and "The same command goes on from here." in words
    else:
        assert process.returncode == -signal.SIGKILL
    assert "Traceback" not in words and not out.exists()
    finished = {int(path.stem.removeprefix("part-")) for path in folder.glob("part-*.parquet")}
    assert 3 <= len(finished) < PARTS
    again = []
    write = Parts.write
    monkeypatch.setattr(
        Parts,
        "write",
        lambda parts, number, table: again.append(number) or write(parts, number, table),
    )
    assert main(arguments(out)) == 0
    assert set(again) == set(range(PARTS)) - finished and len(again) == PARTS - len(finished)
    assert out.read_bytes() == whole
    assert list(tmp_path.iterdir()) == [out]
