"""Work beside the pages: one run at a time, progress, stopping, failing, leaving."""

import os
import threading

from joblib import Parallel, delayed

from dirrac_core.errors import SolverFailure
from pages.shared import background

PATIENCE = 180


def until_stopped(progress, cancel):
    """Work that ends only when it is told to, with what it has by then."""
    steps = 0
    progress(0.25, "begun")
    while not cancel():
        steps += 1
        threading.Event().wait(0.005)
    return steps


def begun(run):
    """Wait for the first word of a run."""
    for _ in range(PATIENCE * 100):
        if run.words:
            return True
        threading.Event().wait(0.01)
    return False


def test_a_run_hands_over_its_result(runs):
    run = background.start("sum", (1, 2), lambda progress, cancel: 3)
    assert run.wait(PATIENCE) and run.state == background.FINISHED
    assert (run.result, run.about, run.active, run.problem) == (3, (1, 2), False, "")
    assert background.run_of("sum") is run and background.run_of("other") is None


def test_progress_is_kept_within_its_scale(runs):
    def work(progress, cancel):
        progress(1.5, "almost")

    run = background.start("work", None, work)
    assert run.wait(PATIENCE) and (run.part, run.words) == (1.0, "almost")


def test_a_stopped_run_keeps_what_its_work_returns(runs):
    run = background.start("work", None, until_stopped)
    assert begun(run) and run.state == background.RUNNING and run.part == 0.25
    run.stop()
    assert run.wait(PATIENCE) and run.state == background.STOPPED and run.result >= 0


def test_one_run_works_and_the_next_waits_its_turn(runs):
    first = background.start("first", None, until_stopped)
    assert begun(first)
    second = background.start("second", None, lambda progress, cancel: "done")
    assert not second.wait(0.3) and second.state == background.WAITING
    assert background._TURNS.ahead(second) == 1 and background._TURNS.ahead(first) == 0
    first.stop()
    assert second.wait(PATIENCE) and second.result == "done"


def test_a_waiting_run_can_leave_the_queue(runs):
    first = background.start("first", None, until_stopped)
    assert begun(first)
    second = background.start("second", None, lambda progress, cancel: "done")
    second.stop()
    assert second.wait(PATIENCE) and second.state == background.STOPPED and second.result is None
    assert first.active


def test_a_new_run_takes_the_place_of_the_one_before(runs):
    first = background.start("work", 1, until_stopped)
    assert begun(first)
    second = background.start("work", 2, lambda progress, cancel: "done")
    assert second.wait(PATIENCE) and first.state == background.STOPPED
    assert background.run_of("work") is second


def test_a_named_error_is_told_in_its_words(runs):
    def fails(progress, cancel):
        message = "The cone program must end solved"
        raise SolverFailure(message)

    run = background.start("work", None, fails)
    assert run.wait(PATIENCE) and run.state == background.FAILED
    assert run.problem == "The cone program must end solved"
    after = background.start("work", None, lambda progress, cancel: "done")
    assert after.wait(PATIENCE) and after.result == "done"


def test_an_unexpected_error_is_logged_ends_the_run_and_frees_the_turn(runs, monkeypatch):
    logged = []
    monkeypatch.setattr(threading, "excepthook", lambda told: logged.append(told.exc_type))
    run = background.start("work", None, lambda progress, cancel: {}["unexpected"])
    assert run.wait(PATIENCE) and run.state == background.FAILED
    assert run.problem == background.UNEXPECTED
    after = background.start("work", None, lambda progress, cancel: "done")
    assert after.wait(PATIENCE) and after.state == background.FINISHED
    assert logged == [KeyError]


def test_a_server_without_worker_processes_says_so(monkeypatch):
    kept = {}
    monkeypatch.setattr(background, "_runs", lambda: kept)
    # What joblib finds where semaphores cannot be made.
    monkeypatch.setattr(background, "multiprocessing", None)
    run = background.start("work", None, lambda progress, cancel: "in this process")
    assert run.wait(PATIENCE) and run.state == background.FAILED and run.result is None
    assert "/dev/shm" in run.problem


def test_the_runs_of_a_visitor_who_left_are_stopped(runs):
    run = background.start("work", None, until_stopped)
    assert begun(run)
    background._stop_all(runs)
    assert run.wait(PATIENCE) and run.state == background.STOPPED


def test_the_work_is_done_by_polite_processes_of_their_own(monkeypatch):
    kept = {}
    monkeypatch.setattr(background, "_runs", lambda: kept)

    def where(progress, cancel):
        asked = (delayed(_place)() for _ in range(2))
        return Parallel(n_jobs=None)(asked)

    run = background.start("work", None, where)
    assert run.wait(3 * PATIENCE) and run.state == background.FINISHED
    if (os.cpu_count() or 1) > 1:
        assert all(pid != os.getpid() for pid, _ in run.result)
        least = min(os.nice(0) + background.POLITENESS, 19)
        assert all(niceness >= least for _, niceness in run.result)


def _place():
    return os.getpid(), os.nice(0)
