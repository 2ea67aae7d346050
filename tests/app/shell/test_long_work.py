"""Long work on the pages: in a process of its own, with progress, a stop, and plain failures."""

import multiprocessing
import os
import time
from threading import Event

import pytest
from by_workers import best_so_far, ends, fails, sleeps, stubborn, where
from screen import button, charts, ready, said

from dirrac_core import load_dataset
from dirrac_core.errors import SolverFailure, WorkerFailure
from dirrac_core.models import bundle as bundles
from dirrac_core.models.bundle import is_prepared, keep_prepared, prepare
from dirrac_core.models.futures.bootstrap import Bootstrap
from pages.runs import background, clicks, panel
from pages.runs.processes import POLITENESS, run_apart
from pages.shared import notices
from pages.shared.notices import show_last_resort
from pages.sidebar import controls

PATIENCE = 180


def never():
    return False


def test_a_function_runs_in_a_polite_process_of_its_own():
    told = []
    answer = run_apart(where, (3,), lambda *words: told.append(words), never)
    pid, niceness, number, watching = answer
    assert pid != os.getpid() and niceness >= min(os.nice(0) + POLITENESS, 19)
    assert number == 3 and told == [(0.5, "half")]
    # A server that is killed takes its workers along.
    assert "end with parent" in watching


@pytest.mark.slow
def test_a_named_error_comes_back_and_a_killed_process_is_one():
    with pytest.raises(SolverFailure, match="must end solved"):
        run_apart(fails, (), lambda *words: None, never)
    with pytest.raises(WorkerFailure, match="until its work is done"):
        run_apart(ends, (), lambda *words: None, never)


def test_cancelling_ends_the_process_at_once():
    told = []
    begin = time.monotonic()
    result = run_apart(sleeps, (), lambda *words: told.append(words), lambda: bool(told))
    assert result is None and time.monotonic() - begin < PATIENCE / 2


def test_work_with_a_grace_hands_back_what_it_has_and_ends():
    told = []
    result, pid = run_apart(
        best_so_far, (), lambda *words: told.append(words), lambda: bool(told), grace=PATIENCE
    )
    assert result == "the best so far"
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_work_that_does_not_use_its_grace_is_ended():
    told = []
    result = run_apart(
        stubborn, (), lambda *words: told.append(words), lambda: bool(told), grace=0.2
    )
    assert result is None


class SlowToRead:
    """An argument that keeps whoever receives it busy, so that what follows it is not read."""

    def __reduce__(self):
        return time.sleep, (PATIENCE,)


def test_a_process_that_is_still_starting_is_ended_too():
    before = set(multiprocessing.active_children())
    begin, more_than_a_pipe_holds = time.monotonic(), bytes(10**7)
    asked = iter([False, False])
    result = run_apart(
        sleeps,
        (SlowToRead(), more_than_a_pipe_holds),
        lambda *words: pytest.fail("It has begun"),
        lambda: next(asked, True),
    )
    assert result is None and set(multiprocessing.active_children()) <= before
    assert time.monotonic() - begin < PATIENCE / 2


def test_stop_does_not_wait_for_a_page_that_still_computes(open_app, runs, monkeypatch):
    """The button belongs to the page, whose clicks interrupt it, and the page looks for clicks."""
    looks = []
    monkeypatch.setattr(clicks, "_look", lambda: looks.append(None))
    at = ready(open_app(dataset="synthetic", tab="Why it holds", k="1", delta_add="0.37"))
    assert looks
    monkeypatch.setattr(panel.st, "fragment", lambda drawn, run_every: lambda run: None)
    button(at, "Check this plan independently").click().run()
    button(at, "Stop").click().run()
    run = runs["second opinion"]
    assert run.is_stopping() and run.wait(PATIENCE) and run.state == background.STOPPED
    ready(at.run())
    assert "Stopped before there was an answer" in said(at)


def test_a_second_opinion_is_given_by_another_process(open_app, runs):
    at = ready(open_app(dataset="synthetic", tab="Why it holds", k="1"))
    button(at, "Check this plan independently").click().run()
    run = runs["second opinion"]
    assert button(at, "Check this plan independently").disabled
    assert run.wait(PATIENCE)
    ready(at.run())
    assert at.success[0].value.startswith("It agrees: the plan keeps every condition")


def test_a_second_opinion_can_be_stopped_and_asked_again(open_app, runs):
    at = ready(open_app(dataset="german", tab="Why it holds"))
    button(at, "Check this plan independently").click().run()
    button(at, "Stop").click().run()
    assert runs["second opinion"].wait(PATIENCE)
    ready(at.run())
    assert "Stopped before there was an answer" in said(at)
    assert not button(at, "Check this plan independently").disabled


def test_networks_are_trained_beside_the_page(open_app, runs, network, monkeypatch):
    trained = prepare(load_dataset("synthetic"), "mlp", bootstrap=Bootstrap())
    monkeypatch.setattr(bundles, "_CACHE", bundles._BoundedCache(8))
    data = load_dataset("synthetic")
    assert not is_prepared(data, "mlp", bootstrap=Bootstrap())

    go = Event()

    def work(progress, cancel):
        assert go.wait(PATIENCE)
        keep_prepared(trained, data)

    start = background.start
    monkeypatch.setattr(background, "start", lambda name, about, train: start(name, about, work))
    at = ready(open_app(dataset="synthetic"))
    at.selectbox(key="set model").set_value("mlp").run()
    assert "trained once" in said(ready(at)) and not charts(at)
    go.set()
    run = runs["network training"]
    assert run.about == ("synthetic", 0, Bootstrap()) and run.wait(PATIENCE)
    assert is_prepared(data, "mlp", bootstrap=Bootstrap())
    assert prepare(data, "mlp", bootstrap=Bootstrap()).future is trained.future
    ready(at.run())
    assert "linear approximation of the network" in said(at)


def test_a_stopped_training_leaves_two_ways_on(open_app, runs, network, monkeypatch):
    monkeypatch.setattr(bundles, "_CACHE", bundles._BoundedCache(8))
    at = ready(open_app(dataset="synthetic"))
    at.selectbox(key="set model").set_value("mlp").run()
    button(at, "Stop").click().run()
    assert runs["network training"].wait(PATIENCE)
    ready(at.run())
    assert button(at, "Train the networks")
    button(at, "Use the logistic regression").click().run()
    assert ready(at).session_state["scenario"].model == "logistic"
    assert at.header


def test_a_page_that_fails_says_so_and_stays_usable(open_app, monkeypatch, caplog):
    monkeypatch.setattr(notices, "show_last_resort", show_last_resort)
    at = ready(open_app(dataset="synthetic"))
    sidebar = controls.draw_part

    def broken(part):
        sidebar(part)
        return {}["unforeseen"]

    monkeypatch.setattr(controls, "draw_part", broken)
    at.run()
    assert not at.exception and at.error[0].value == notices.UNEXPECTED
    assert "unforeseen" in caplog.text
    monkeypatch.setattr(controls, "draw_part", sidebar)
    ready(at.slider(key="set radii").set_value(0.2).run())
    assert at.session_state["scenario"].radii == 0.2


@pytest.mark.parametrize("page", ["recourse", "frontier", "methods"])
@pytest.mark.parametrize("effort", ["1e-300", "1e300", "0.09"])
def test_an_effort_beyond_the_control_is_ignored(open_app, page, effort):
    link = {"may": f"Feature 1:both:::{effort}", "methods_shown": "others"}
    at = open_app(page, dataset="synthetic", **link)
    assert not at.exception and not at.error
    assert any("the effort goes from 0.1 to 100" in warning.value for warning in at.warning)
    assert at.session_state["scenario"].edits == ()


@pytest.mark.parametrize("page", ["frontier", "methods"])
def test_a_tiny_extra_effort_in_a_link_breaks_no_page(open_app, page):
    at = open_app(page, dataset="synthetic", add="1e-300", methods_shown="DiRRAc variants")
    assert not at.exception and not at.error
