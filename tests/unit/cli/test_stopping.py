"""A command whose reader leaves early ends without a word, as other tools do."""

import os
import subprocess
import sys

from dirrac_core.cli.stopping import UNREAD


def test_a_reader_that_has_enough_hears_no_complaint():
    reader, writer = os.pipe()
    # Nobody reads: the first line already finds the pipe broken.
    os.close(reader)
    ended = subprocess.run(
        [sys.executable, "-m", "dirrac_core", "datasets"],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (UNREAD, "")


def test_a_full_disk_is_an_error_all_the_same():
    with open("/dev/full", "w", encoding="utf-8") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "dirrac_core", "datasets"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ended.returncode == 2 and "No space left" in ended.stderr
