"""The last resort of what runs before a page: the callbacks of its widgets.

Streamlit calls them outside the page's script, so no page can catch what goes wrong there, and it
would show a message of its own in place of the page. Here it is logged, the page is drawn, and the
visitor reads the same sentence as for a page that failed.
"""

import logging
from typing import Any

from streamlit.runtime.state.session_state import SessionState

from pages.shared.notices import CALLBACK_FAILED

_LOG = logging.getLogger(__name__)
_as_asked = SessionState._call_callbacks


def guard() -> None:
    """From now on, for every session."""
    SessionState._call_callbacks = _logged  # type: ignore[method-assign]


def _logged(self: SessionState, **replayed: Any) -> None:
    try:
        _as_asked(self, **replayed)
    except Exception:
        # As in `notices.show_last_resort`: the outermost edge, where the log has the whole story.
        _LOG.exception("A callback ended unexpectedly")
        self[CALLBACK_FAILED] = True
