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
from dirrac_core.bulk.parts import Parts
from dirrac_core.recourse.kinds.alternatives import FEWEST

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


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_is_resumed_to_the_same_file(whole, tmp_path, monkeypatch, stop):
    out = tmp_path / "out.csv"
    folder = tmp_path / "out.csv.parts"
    process = started(arguments(out))
    wait_for(process, lambda: len(list(folder.glob("part-*.parquet"))) >= 3)
    os.kill(process.pid, stop)
    _, words = process.communicate(timeout=PATIENCE)
    if stop != signal.SIGKILL:
        assert process.returncode == 128 + stop and "The same command goes on from here." in words
    else:
        assert process.returncode == -signal.SIGKILL
    assert "Traceback" not in words and not out.exists()
    finished = {int(path.name.split("-")[1]) for path in folder.glob("part-*.parquet")}
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


def test_without_resume_a_terminated_run_leaves_nothing_behind(tmp_path):
    out = tmp_path / "out.csv"
    process = started([*arguments(out)[:-1], "--jobs", "2"])
    wait_for(process, lambda: list((tmp_path / "out.csv.parts").glob("part-*")))
    os.kill(process.pid, signal.SIGTERM)
    _, words = process.communicate(timeout=PATIENCE)
    assert process.returncode == 128 + signal.SIGTERM
    assert "Stopped, and nothing was kept." in words and "Traceback" not in words
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_their_parent(tmp_path, stop):
    # A kind of plan that is asked person by person, so that there are workers.
    one_by_one = ["--kind", FEWEST, "--jobs", "2"]
    process = started([*arguments(tmp_path / "out.csv"), *one_by_one])
    wait_for(process, lambda: list((tmp_path / "out.csv.parts").glob("part-*")))
    workers = children(process.pid)
    assert len(workers) >= 2
    os.kill(process.pid, stop)
    process.communicate(timeout=PATIENCE)
    end = time.monotonic() + 15.0
    while left := [pid for pid in workers if running(pid)]:
        assert time.monotonic() < end, f"orphans: {left}"
        time.sleep(0.1)


def started(given):
    return subprocess.Popen(
        [sys.executable, "-m", "dirrac_core", *given],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        # A shell starts its background jobs deaf to Ctrl-C, and they hand that on.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )


def wait_for(process, happened):
    end = time.monotonic() + PATIENCE
    while not happened():
        assert process.poll() is None and time.monotonic() < end, "the run was not to be caught"
        time.sleep(0.002)


def children(parent):
    """The processes `parent` started, from the list of the operating system."""
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True, check=True
    )
    return [int(pid) for pid in listed.stdout.split()]


def running(pid):
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return listed.stdout.strip()[:1] not in ("", "Z")
