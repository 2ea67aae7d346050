"""The doors without a server: which names are let in, which uploads are kept."""

from types import SimpleNamespace

import pytest
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.testing.v1.util import patch_config_options

from pages.doors import uploads
from pages.doors.hosts import refusal
from pages.doors.uploads import GRACE, MOST_FILES, _Held


@pytest.fixture
def kept(monkeypatch):
    """The files of the session "me", its held files, and a clock to turn."""
    manager, clock = MemoryUploadedFileManager("/x"), SimpleNamespace(now=0.0)
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager))
    monkeypatch.setattr(uploads.time, "monotonic", lambda: clock.now)
    held = _Held()

    def arrives(name, size=10, session="me"):
        manager.add_file(session, UploadedFileRec(name, name, "text/csv", b"x" * size))
        held.tidy(session)

    def names(session="me"):
        return set(manager.file_storage.get(session, {}))

    return SimpleNamespace(arrives=arrives, names=names, held=held, clock=clock, manager=manager)


def test_a_file_that_no_widget_holds_is_dropped_after_its_time(kept):
    kept.arrives("asked")
    kept.arrives("unasked")
    kept.held.note("me", {"asked"})
    kept.clock.now = GRACE - 1
    kept.held.tidy("me")
    assert kept.names() == {"asked", "unasked"}
    kept.clock.now = GRACE
    kept.held.tidy("me")
    assert kept.names() == {"asked"}
    kept.held.note("me", ())
    kept.held.tidy("me")
    assert kept.names() == set()


def test_held_files_outlive_a_flood_and_other_sessions_are_left_alone(kept):
    kept.arrives("asked")
    kept.arrives("theirs", session="other")
    kept.held.note("me", {"asked"})
    for number in range(20):
        kept.clock.now = float(number)
        kept.arrives(f"flood-{number}")
        assert len(kept.names()) <= MOST_FILES
    assert kept.names() == {"asked", "flood-16", "flood-17", "flood-18", "flood-19"}
    assert kept.names("other") == {"theirs"}


def test_size_is_bounded_even_when_everything_is_held(kept, monkeypatch):
    monkeypatch.setattr(uploads, "MOST_BYTES", 25)
    kept.held.note("me", {"a", "b", "c"})
    for number, name in enumerate("abc"):
        kept.clock.now = float(number)
        kept.arrives(name)
    assert kept.names() == {"b", "c"}


def test_nothing_is_remembered_of_a_session_that_left(kept):
    kept.arrives("asked")
    kept.held.note("me", {"asked"})
    kept.manager.remove_session_files("me")
    kept.held.tidy("me")
    assert not kept.held._held and not kept.held._since


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("localhost:8501", None),
        ("127.0.0.1:8501", "http://127.0.0.1:8501"),
        ("[::1]:8501", "http://[::1]:8501"),
        ("app.example.com", "https://app.example.com"),
        ("127.0.0.1:8501", "https://app.example.com"),
        ("x.lab.example", "https://x.lab.example"),
    ],
)
def test_own_names(host, origin):
    options = {
        "browser.serverAddress": "app.example.com",
        "server.allowedHosts": ["*.lab.example"],
        "server.address": "0.0.0.0",
    }
    with patch_config_options(options):
        assert refusal([host], [origin] if origin else []) is None


@pytest.mark.parametrize(
    ("hosts", "origins"),
    [
        ([], []),
        (["localhost", "localhost"], []),
        (["evil.example"], []),
        (["localhost@evil.example"], []),
        (["localhost:port"], []),
        (["0.0.0.0:8501"], []),
        (["lab.example"], []),
        (["localhost:8501"], ["http://evil.example"]),
        (["localhost:8501"], ["http://evil.example", "http://localhost:8501"]),
        (["localhost:8501"], ["http://localhost.evil.example:8501"]),
        (["localhost:8501"], ["http://x.lab.example"]),
        (["localhost:8501"], ["null"]),
        (["localhost:8501"], [""]),
        (["localhost:8501"], ["http://[::1"]),
    ],
)
def test_other_names(hosts, origins):
    options = {"server.address": "0.0.0.0", "server.allowedHosts": ["*.lab.example"]}
    with patch_config_options(options):
        assert refusal(hosts, origins)
