"""Settings one step away are computed while nobody waits, and given up when somebody does."""

import pytest

from dirrac_core.conic import ConeSolver
from dirrac_core.errors import InvalidInput
from pages.runs import ahead
from pages.runs.drawing import PAGES
from pages.shared.defaults import first_declined
from pages.sidebar.setting_widgets import steps_from

RHO, EFFORT = "set radii", "set delta_add"


class Later:
    """In place of a thread: what was to be computed ahead, when the test says so."""

    def __init__(self) -> None:
        self.asked = None

    def thread(self, target, args, name, daemon):
        self.asked = (target, args)
        return self

    def start(self) -> None:
        """A thread that has not begun yet."""

    @property
    def offered(self):
        return self.asked[1][2]

    def compute(self) -> None:
        target, args = self.asked
        target(*args)


@pytest.fixture
def later(monkeypatch):
    waiting = Later()
    monkeypatch.setattr(ahead, "Thread", waiting.thread)
    monkeypatch.setattr(ahead, "PAUSE", 0.0)
    monkeypatch.setattr(ahead, "AT_MOST", 600.0)
    monkeypatch.delenv(ahead.SWITCH)
    return waiting


@pytest.fixture
def solves(monkeypatch):
    """The cone programs solved from now on."""
    seen, minimise = [], ConeSolver.minimise

    def counted(solver, q):
        seen.append(solver)
        return minimise(solver, q)

    monkeypatch.setattr(ConeSolver, "minimise", counted)
    return seen


def moved(at, key, step):
    slider = at.slider(key=key)
    return slider.set_value(round(slider.value + step * slider.step, 6)).run()


@pytest.mark.parametrize(
    ("page", "dataset"),
    [
        *((page, "german") for page in ("recourse", "geometry", "future_models", "methods")),
        # Where limits give way, more is solved again.
        *((page, "student") for page in ("recourse", "frontier")),
    ],
)
def test_a_step_that_was_computed_ahead_solves_nothing(page, dataset, open_app, later, solves):
    at = open_app(page, dataset=dataset)
    for key, step in ((RHO, 1), (EFFORT, 1), (EFFORT, -1), (RHO, -1)):
        later.compute()
        solves.clear()
        at = moved(at, key, step)
        assert not at.exception and solves == []


def test_the_next_applicant_and_another_plan_of_the_menu_are_computed_too(open_app, later, solves):
    at = open_app("recourse", dataset="german")
    offered, now = later.offered, at.session_state["scenario"]
    assert {to.applicant for to in offered} > {now.applicant}
    assert {to.plan_kind for to in offered} > {now.plan_kind}
    assert {to.radius_unit for to in offered} == {"deviations", "weights"}
    assert {to.link for to in offered} == {"chebyshev", "gaussian"}
    later.compute()
    solves.clear()
    next(each for each in at.button if each.label == "Next").click().run()
    assert solves == []


def test_without_it_the_same_step_is_solved(open_app, later, solves):
    at = open_app("recourse", dataset="german", applicant="11")
    solves.clear()
    moved(at, RHO, 1)
    assert solves


def test_steps_in_the_direction_of_the_last_moves_come_first(open_app, later):
    at = moved(moved(open_app("recourse", dataset="german"), EFFORT, -1), RHO, 1)
    now = at.session_state["scenario"]
    first, second = later.offered[:2]
    assert (first.radii > now.radii) + (second.radii > now.radii) == 1
    assert (first.delta_add < now.delta_add) + (second.delta_add < now.delta_add) == 1


def test_nothing_is_computed_ahead_where_it_is_switched_off(open_app, later, monkeypatch):
    monkeypatch.setenv(ahead.SWITCH, "no")
    open_app("recourse", dataset="german")
    assert later.asked is None


def test_nothing_is_computed_ahead_for_a_network(open_app, later, network):
    open_app("recourse", dataset="synthetic", model="mlp")
    assert later.asked is None


def test_the_work_is_left_when_a_page_is_begun_or_goes_on_or_it_takes_too_long(monkeypatch):
    monkeypatch.setattr(ahead, "PAUSE", 0.0)
    scenario, done = first_declined("german"), []
    begun = PAGES.begun

    def compute(settings):
        done.append(settings)
        with PAGES.drawn():
            """Somebody's page."""

    ahead.work(compute, [scenario, scenario], begun)
    assert len(done) == 1
    with PAGES.drawn():
        ahead.work(done.append, [scenario], PAGES.begun)
    assert len(done) == 1
    monkeypatch.setattr(ahead, "AT_MOST", -1.0)
    ahead.work(done.append, [scenario], PAGES.begun)
    assert len(done) == 1


def test_a_solve_is_left_between_two_cone_programs(open_app, later, solves, monkeypatch):
    open_app("recourse", dataset="german", applicant="14")
    solves.clear()
    counted = ConeSolver.minimise

    def third_meets_a_page(solver, q):
        if len(solves) == 2:
            with PAGES.drawn():
                """Somebody's page."""
        return counted(solver, q)

    monkeypatch.setattr(ConeSolver, "minimise", third_meets_a_page)
    later.compute()
    # The third was begun and looked up.
    assert len(solves) == 3


def test_settings_that_are_refused_do_not_end_the_work(monkeypatch):
    monkeypatch.setattr(ahead, "PAUSE", 0.0)
    scenario, done = first_declined("german"), []

    def refused(settings):
        done.append(settings)
        raise InvalidInput("The rule, and what was given")

    ahead.work(refused, [scenario, scenario], PAGES.begun)
    assert len(done) == 2


def test_steps_end_with_the_slider():
    assert steps_from(0.05, 1.0, 0.05) == [0.0, 0.1]
    assert steps_from(0.0, 1.0, 0.01) == [0.01]
    assert steps_from(0.3, 0.3, 0.1) == [0.2]
    # The digits a browser sends: 0.3 and not 0.30000000000000004.
    assert steps_from(0.2, 1.0, 0.1) == [0.1, 0.3]
