"""What worker processes are given to do in the tests, apart from them: whoever carries out a
function imports its module, and a worker needs none of what the tests do."""

import os
import threading
import time

from dirrac_core.errors import SolverFailure

# Longer than any test waits.
LONG = 180


def where(number, progress):
    progress(0.5, "half")
    watching = [thread.name for thread in threading.enumerate()]
    return os.getpid(), os.nice(0), number, watching


def fails(progress):
    message = "The cone program must end solved"
    raise SolverFailure(message)


def ends(progress):
    os._exit(1)


def sleeps(progress):
    progress(0.1, "asleep")
    time.sleep(LONG)


def best_so_far(progress, cancel):
    progress(0.1, "found something")
    while not cancel():
        time.sleep(0.01)
    return "the best so far", os.getpid()


def stubborn(progress, cancel):
    progress(0.1, "asleep")
    time.sleep(LONG)
    return "too late"


def place(_):
    return os.getpid(), os.nice(0)


def slept(seconds):
    time.sleep(seconds)
    return seconds


class Heavy:
    """A function that counts how often it is pickled."""

    def __init__(self):
        self.written = 0

    def __reduce__(self):
        self.written += 1
        return Heavy, ()

    def __call__(self, item):
        return 2 * item
