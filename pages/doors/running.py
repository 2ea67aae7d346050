"""That a part of a page is being drawn, told to the browser only where it takes a while.

Streamlit says so at the beginning and at the end of every run, and the browser then marks all that
is about to be drawn again as old: twice it looks at the whole page, up to a fifth of a quick
reaction, for a mark that is gone before anybody sees it. `guard` wraps the one way by which a
session tells the browser anything; as for `presses`, the locked version decides whether that fits.
"""

from weakref import WeakKeyDictionary

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession

# Seconds that drawing a part of a page may take untold. The browser waits as long again before it
# shows that something is going on.
A_WHILE = 0.5
_enqueue = AppSession._enqueue_forward_msg
# Of each session whose browser does not know of its run: the message that began the run.
_untold: WeakKeyDictionary[AppSession, ForwardMsg] = WeakKeyDictionary()


def guard() -> None:
    """From now on, for every session: what is drawn quickly is not announced."""
    AppSession._enqueue_forward_msg = _told  # type: ignore[assignment,method-assign]


def _told(session: AppSession, message: ForwardMsg) -> None:
    kind = message.WhichOneof("type")
    if kind == "new_session":
        _enqueue(session, message)
        _begin(session, message)
    elif kind == "session_status_changed" and session in _untold:
        if not message.session_status_changed.script_is_running:
            del _untold[session]
    else:
        _enqueue(session, message)


def _begin(session: AppSession, begun: ForwardMsg) -> None:
    if begun.metadata.run.fragment_ids:
        _untold[session] = begun
        session._event_loop.call_later(A_WHILE, _announce, session, begun)
    elif session in _untold:
        # The whole page is drawn before a part of it was done: Streamlit takes it for told.
        _announce(session, _untold[session])


def _announce(session: AppSession, begun: ForwardMsg) -> None:
    """Tell of the run that is still going on."""
    if _untold.get(session) is begun:
        del _untold[session]
        _enqueue(session, session._create_session_status_changed_message())
