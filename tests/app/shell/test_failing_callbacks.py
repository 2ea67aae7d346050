"""What goes wrong before a page is drawn: logged, said in a sentence, and the page stays."""

from streamlit.runtime.state.session_state import SessionState

from pages.doors import callbacks
from pages.shared import state
from pages.shared.notices import UNEXPECTED


def test_a_callback_that_fails_leaves_the_page_usable(open_app, monkeypatch, caplog):
    def fails(**_):
        raise ZeroDivisionError("of a callback")

    monkeypatch.setattr(SessionState, "_call_callbacks", callbacks._logged)
    at = open_app("recourse")
    with monkeypatch.context() as patch:
        patch.setattr(state, "change", fails)
        at.slider(key="set delta_add").set_value(0.2).run()
    assert not at.exception and at.header
    assert UNEXPECTED in [error.value for error in at.error]
    assert "ZeroDivisionError" in caplog.text
    assert UNEXPECTED not in [error.value for error in at.run().error]
