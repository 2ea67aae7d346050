"""What a press asks to have drawn: more than the part of the page that was pressed.

A press in a fragment asks for that fragment alone, while most settings are there for what follows
them. A callback can ask for other fragments, but then the browser is told of two runs, and looks at
the whole page for each. So the request is widened where it comes in. Streamlit has no hook for
this: `guard` wraps the two ways by which a request reaches a script. As for `widget_values`, the
locked version decides whether that fits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from streamlit.errors import StreamlitAPIException
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.fragment import FragmentStorage
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

_at_rest = AppSession._create_scriptrunner
_while_drawing = ScriptRunner.request_rerun


def guard(drawn_after: Mapping[str, Sequence[str]]) -> None:
    """From now on, for every session: a press in a fragment draws others, all by their keys."""

    def at_rest(self: AppSession, asked: RerunData) -> None:
        _at_rest(self, widened(asked, self._fragment_storage, drawn_after))

    def while_drawing(self: ScriptRunner, asked: RerunData) -> bool:
        return _while_drawing(self, widened(asked, self._fragment_storage, drawn_after))

    AppSession._create_scriptrunner = at_rest  # type: ignore[assignment,method-assign]
    ScriptRunner.request_rerun = while_drawing  # type: ignore[assignment,method-assign]


def widened(
    asked: RerunData, fragments: FragmentStorage, drawn_after: Mapping[str, Sequence[str]]
) -> RerunData:
    """The request, for all fragments that are drawn after a press in the one it is for."""
    for pressed, drawn in drawn_after.items() if asked.fragment_id else ():
        try:
            if asked.fragment_id in fragments.resolve_target(pressed):
                queue = fragments.resolve_target(drawn)
                return replace(asked, fragment_id=None, fragment_id_queue=queue)
        except StreamlitAPIException:
            # The page on the screen has no such fragment.
            continue
    return asked
