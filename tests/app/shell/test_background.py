"""Work beside the pages: turns, progress, stopping at once, failing, leaving, kept results."""

import os
import threading
import time
from functools import partial
from pathlib import Path

import pytest
from by_workers import Heavy, place, slept
from small_tables import people

from dirrac_core import load_dataset
from dirrac_core.data import table_dataset
from dirrac_core.data.upload.visitor_tables import open_only, register_table
from dirrac_core.errors import SolverFailure
from dirrac_core.parallel import by_worker, mapped, own_workers
from pages.runs import background
from pages.runs.drawing import PAGES
from pages.runs.kept import KeptResults
from pages.runs.turns import Turns

PATIENCE = 180
LONG = 120


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


@pytest.fixture
def one_place(monkeypatch):
    """A server on which one run works at a time."""
    monkeypatch.setattr(background, "_TURNS", Turns(1, 1))


def test_one_run_works_and_the_next_waits_its_turn(runs, one_place):
    first = background.start("first", None, until_stopped)
    assert begun(first)
    second = background.start("second", None, lambda progress, cancel: "done")
    assert not second.wait(0.3) and second.state == background.WAITING
    assert background.places_ahead(second) == 1 and background.places_ahead(first) == 0
    first.stop()
    assert second.wait(PATIENCE) and second.result == "done"


def test_a_waiting_run_can_leave_the_queue(runs, one_place):
    first = background.start("first", None, until_stopped)
    assert begun(first)
    second = background.start("second", None, lambda progress, cancel: "done")
    second.stop()
    assert second.wait(PATIENCE) and second.state == background.STOPPED and second.result is None
    assert first.active


def test_runs_of_two_visitors_work_at_the_same_time(runs, monkeypatch):
    monkeypatch.setattr(background, "_TURNS", Turns(2, 2))
    first = background.start("work", None, until_stopped)
    assert begun(first)
    other = {}
    monkeypatch.setattr(background, "_runs", lambda: other)
    second = background.start("work", None, lambda progress, cancel: "done")
    assert second.wait(PATIENCE) and second.result == "done" and first.active


def test_work_nobody_asked_for_begins_when_the_pages_are_at_rest(runs, monkeypatch):
    monkeypatch.setattr(background, "LONGEST_WAIT", float("inf"))
    with PAGES.drawn():
        waiting = background.start("work", 1, lambda progress, cancel: "done", rest=0.2)
        asked = background.start("asked", 1, lambda progress, cancel: "done")
        assert asked.wait(PATIENCE) and asked.result == "done"
        assert not waiting.wait(0.5) and waiting.state == background.WAITING
        ended = time.monotonic()
    assert waiting.wait(PATIENCE) and waiting.result == "done"
    assert time.monotonic() - ended >= 0.2


def test_pages_that_are_drawn_all_the_time_do_not_hold_it_up_for_ever(runs, monkeypatch):
    monkeypatch.setattr(background, "LONGEST_WAIT", 0.3)
    with PAGES.drawn():
        run = background.start("work", 1, lambda progress, cancel: "done", rest=PATIENCE)
        assert run.wait(PATIENCE) and run.result == "done"


def test_a_run_that_is_overtaken_while_it_waits_never_works(runs, monkeypatch):
    monkeypatch.setattr(background, "LONGEST_WAIT", float("inf"))
    worked = []
    with PAGES.drawn():
        first = background.start("work", 1, lambda progress, cancel: worked.append(1), rest=0.1)
        second = background.start("work", 2, lambda progress, cancel: worked.append(2), rest=0.1)
    assert second.wait(PATIENCE) and first.wait(PATIENCE)
    assert worked == [2] and first.state == background.STOPPED


def test_turns_are_fair_between_visitors():
    turns, busy, late = Turns(3, 8), "busy", "late"
    for run in ("b1", "b2", "b3"):
        turns.join(run, busy)
    assert turns.take("b2") == 0
    assert turns.take("b1") == 2 and turns.take("b2") == 2
    # One place is left for somebody else, and the newcomer goes before what waits already.
    assert turns.take("b3") == 0
    turns.join("n1", late)
    assert turns.ahead("n1") == 2 and turns.ahead("b3") == 3
    assert turns.take("n1") == 2 and turns.take("b3") == 0
    turns.leave("b1")
    assert turns.take("b3") == 2 and turns.ahead("b3") == 0


def test_a_run_that_is_alone_has_every_core():
    turns = Turns(4, 8)
    turns.join("alone", "visitor")
    assert turns.take("alone") == 8


def test_finished_results_are_kept_for_everyone_and_bounded(runs, monkeypatch):
    monkeypatch.setattr(background, "_KEPT", KeptResults(most=2))
    for number in (1, 2, 3):
        work = lambda progress, cancel, number=number: 10 * number  # noqa: E731
        assert background.start("sum", number, work, keep=True).wait(PATIENCE)
    kept = [background.kept_result("sum", number) for number in (1, 2, 3)]
    assert kept == [None, 20, 30] and background.kept_result("other", 3) is None
    assert background.start("sum", 4, lambda progress, cancel: 40).wait(PATIENCE)
    assert background.kept_result("sum", 4) is None


def test_a_stopped_result_is_not_kept(runs):
    run = background.start("work", 1, until_stopped, keep=True)
    assert begun(run)
    run.stop()
    assert run.wait(PATIENCE) and background.kept_result("work", 1) is None


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


def test_a_run_opens_the_tables_of_whoever_started_it(runs):
    name = register_table(table_dataset(people(), label="paid", favourable="yes")[0])
    run = background.start("work", None, lambda progress, cancel: load_dataset(name).name)
    assert run.wait(PATIENCE) and run.result == name
    open_only(())
    run = background.start("work", None, lambda progress, cancel: load_dataset(name).name)
    assert run.wait(PATIENCE) and run.state == background.FAILED and run.result is None
    assert "which you have not uploaded" in run.problem


def test_the_runs_of_a_visitor_who_left_are_stopped(runs):
    run = background.start("work", None, until_stopped)
    assert begun(run)
    background._stop_all(runs)
    assert run.wait(PATIENCE) and run.state == background.STOPPED


@pytest.mark.slow
def test_the_work_is_done_by_polite_processes_of_their_own(monkeypatch):
    kept = {}
    monkeypatch.setattr(background, "_runs", lambda: kept)

    def where(progress, cancel):
        return mapped(place, [1, 2], None, progress, cancel).results

    run = background.start("work", None, where)
    assert run.wait(3 * PATIENCE) and run.state == background.FINISHED
    assert all(pid != os.getpid() for pid, _ in run.result)
    least = min(os.nice(0) + background.POLITENESS, 19)
    assert all(niceness >= least for _, niceness in run.result)


@pytest.mark.slow
@pytest.mark.parametrize("wait_for", ["start-up", "work"])
def test_stopping_takes_effect_at_once_and_keeps_what_is_finished(monkeypatch, wait_for):
    kept = {}
    monkeypatch.setattr(background, "_runs", lambda: kept)

    def work(progress, cancel):
        return mapped(slept, [0, LONG, LONG, LONG], None, progress, cancel).results

    run = background.start("work", None, work)
    if wait_for == "work":
        assert begun(run)
    else:
        time.sleep(0.2)
    run.stop()
    # Long before the items would have ended by themselves.
    assert run.wait(LONG / 2) and run.state == background.STOPPED
    assert run.result == ([0] if wait_for == "work" else [])


def test_one_long_step_of_a_run_is_done_by_a_worker_and_can_be_stopped():
    assert by_worker(os.getpid) == os.getpid()
    with own_workers(1):
        assert by_worker(os.getpid, None) != os.getpid()
        asked = iter([False])
        assert by_worker(partial(slept, PATIENCE), None, lambda: next(asked, True)) is None
        # Nothing of it is left, and the next step has workers again.
        assert by_worker(os.getpid, None) != os.getpid()
        # What travels with every batch is written down once, however much it holds.
        heavy = Heavy()
        assert mapped(heavy, range(20), None).results == [2 * item for item in range(20)]
        assert heavy.written == 1


@pytest.mark.slow
def test_a_stopped_run_leaves_no_process(monkeypatch):
    kept = {}
    monkeypatch.setattr(background, "_runs", lambda: kept)
    run = background.start("work", None, _reported)
    assert begun(run)
    (worker,) = {int(word) for word in run.words.split()[:1]}
    run.stop()
    assert run.wait(PATIENCE) and run.state == background.STOPPED
    for _ in range(PATIENCE * 10):
        if not _lives(worker):
            return
        time.sleep(0.1)
    pytest.fail("The worker is still there")


def _reported(progress, cancel):
    """Say which process works, and go on for long."""
    pid = by_worker(os.getpid, None, cancel)
    progress(0.1, f"{pid} works")
    return by_worker(partial(slept, PATIENCE), None, cancel)


def _lives(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
