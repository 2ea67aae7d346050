"""A browser is told of a run that draws a part of a page only where it takes a while."""

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.doors import running


class Session:
    """What a session does with messages, and what it would do after a while."""

    def __init__(self):
        self.sent, self.later = [], []
        self._event_loop = self
        self.is_running = False

    def call_later(self, seconds, act, *given):
        assert seconds == running.A_WHILE
        self.later.append(lambda: act(*given))

    def _create_session_status_changed_message(self):
        message = ForwardMsg()
        message.session_status_changed.script_is_running = self.is_running
        return message

    def begin(self, *fragments):
        """As Streamlit does at the beginning of a run."""
        was_running, self.is_running = self.is_running, True
        message = ForwardMsg()
        message.new_session.name = "workbench"
        message.metadata.run.fragment_ids.extend(fragments)
        running._told(self, message)
        if not was_running:
            running._told(self, self._create_session_status_changed_message())

    def draw(self):
        message = ForwardMsg()
        message.delta.new_element.html.body = "a plan"
        running._told(self, message)

    def end(self):
        self.is_running = False
        message = ForwardMsg()
        message.script_finished = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
        running._told(self, message)
        running._told(self, self._create_session_status_changed_message())

    def told(self):
        """What reached the browser since the last look."""
        words = []
        for message in self.sent:
            kind = message.WhichOneof("type")
            if kind == "session_status_changed":
                kind = "runs" if message.session_status_changed.script_is_running else "rests"
            words.append(kind)
        self.sent.clear()
        return words


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setattr(running, "_enqueue", lambda self, message: self.sent.append(message))
    return Session()


def after_a_while(session):
    while session.later:
        session.later.pop(0)()


def test_a_part_that_is_drawn_quickly_is_not_announced(session):
    for _ in range(2):
        session.begin("plan")
        session.draw()
        session.end()
        after_a_while(session)
        assert session.told() == ["new_session", "delta", "script_finished"]


def test_a_part_that_takes_a_while_is_announced_and_its_end_too(session):
    session.begin("plan")
    after_a_while(session)
    session.draw()
    session.end()
    assert session.told() == ["new_session", "runs", "delta", "script_finished", "rests"]


def test_a_while_counts_from_the_beginning_of_each_run(session):
    session.begin("plan")
    session.end()
    session.begin("plan")
    session.later.pop(0)()
    assert "runs" not in session.told()
    after_a_while(session)
    assert session.told() == ["runs"]


def test_a_whole_page_is_announced_at_once(session):
    session.begin()
    session.draw()
    session.end()
    after_a_while(session)
    assert session.told() == ["new_session", "runs", "delta", "script_finished", "rests"]


@pytest.mark.parametrize("stopped", [True, False])
def test_a_whole_page_that_ends_a_part_is_announced_once(session, stopped):
    session.begin("plan")
    if stopped:
        session.end()
    session.begin()
    assert session.told().count("runs") == 1
    after_a_while(session)
    session.end()
    assert session.told() == ["script_finished", "rests"]


def test_what_a_session_says_of_itself_between_runs_is_passed_on(session):
    session.begin("plan")
    session.end()
    session.told()
    running._told(session, session._create_session_status_changed_message())
    assert session.told() == ["rests"]
