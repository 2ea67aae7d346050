"""The edges of what runs before a page: the callbacks of its widgets.

Streamlit calls them outside the page's script, so no page can catch what goes wrong there, and it
would show a message of its own in place of the page. Here it is logged, the page is drawn, and the
visitor reads the same sentence as for a page that failed. And whatever a callback has changed, it
is here that the page is asked what of it has to be drawn again.
"""

import logging
from collections.abc import Callable
from typing import Any

from streamlit.runtime.scriptrunner_utils.script_run_context import RunLocation, ThreadState
from streamlit.runtime.state.session_state import SessionState

from pages.shared.notices import CALLBACK_FAILED

_LOG = logging.getLogger(__name__)
_as_asked = SessionState._call_callbacks
_one_as_asked = SessionState._run_callback_and_record_rerun


def guard(afterwards: Callable[[], None]) -> None:
    """From now on, for every session; `afterwards` is called at the end of each callback."""
    SessionState._call_callbacks = _logged  # type: ignore[method-assign]

    def one(self: SessionState, votes: Any, run: Callable[[], None]) -> None:
        def then() -> None:
            run()
            with ThreadState.scoped(run_location=RunLocation.CALLBACK):
                afterwards()

        _one_as_asked(self, votes, then)

    SessionState._run_callback_and_record_rerun = one  # type: ignore[method-assign]


def _logged(self: SessionState, **replayed: Any) -> None:
    try:
        _as_asked(self, **replayed)
    except Exception:
        # As in `notices.show_last_resort`: the outermost edge, where the log has the whole story.
        _LOG.exception("A callback ended unexpectedly")
        self[CALLBACK_FAILED] = True
