"""What a browser says its widgets are set to: checked before any callback or page reads it.

Streamlit decodes whatever is sent and trusts the page to have offered it: an unknown string comes
out of a selectbox as it is, and a value of the wrong kind ends the run in an error. Here every
value is decoded once beforehand. One that its widget does not offer is dropped, so that the widget
stays as it was, and the visitor reads that it was refused.

Streamlit has no hook for this: `set_widgets_from_proto`, through which all of them come, is
wrapped when this module is imported. The locked version of Streamlit decides whether that fits;
a missing name is an error at the start, not a door left open.
"""

from typing import Any

import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.state.common import WidgetMetadata, unpack_widget_state_value
from streamlit.runtime.state.session_state import SessionState

REFUSED = "A value that this page does not offer was sent and refused; nothing was changed."
NUMBERS = {"double_value", "int_value"}
# What a decoder does with a value it was not made for.
UNDECODABLE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError)

_COUNT = "values refused"
_as_sent = SessionState.set_widgets_from_proto


def about_refused() -> None:
    """Say once that a value was refused."""
    if st.session_state.pop(_COUNT, 0):
        st.warning(REFUSED, icon=":material/block:")


def offered(metadata: WidgetMetadata[Any], sent: WidgetState) -> bool:
    """Whether a widget could have sent this: the right kind, decodable, and one of its values."""
    kind = sent.WhichOneof("value")
    if kind is None:
        return True
    # The browser sends a whole number as such also to a field registered for decimals.
    if kind != metadata.value_type and not {kind, metadata.value_type} <= NUMBERS:
        return False
    try:
        raw = unpack_widget_state_value(sent)
        value = metadata.deserializer(raw)
        if kind in NUMBERS:
            # Out of its bounds, and not a number at all, a number comes out as the usual one.
            return bool(metadata.serializer(value) == raw)
        if kind in ("double_array_value", "string_array_value"):
            return list(metadata.serializer(value)) == list(raw) and _options_hold(metadata, value)
        return _options_hold(metadata, value)
    except UNDECODABLE:
        return False


def _options_hold(metadata: WidgetMetadata[Any], value: Any) -> bool:
    """Whether a choice is among the options; true for widgets without options."""
    options = getattr(getattr(metadata.deserializer, "__self__", None), "options", None)
    if options is None or value is None:
        return True
    known = list(options)
    if value in known:
        return True
    return isinstance(value, list | tuple) and all(part in known for part in value)


def _only_offered(self: SessionState, widget_states: WidgetStates) -> None:
    known = self._new_widget_state.widget_metadata
    kept = [
        sent
        for sent in widget_states.widgets
        if sent.id not in known or offered(known[sent.id], sent)
    ]
    if len(kept) < len(widget_states.widgets):
        self[_COUNT] = len(widget_states.widgets) - len(kept)
    _as_sent(self, WidgetStates(widgets=kept))


SessionState.set_widgets_from_proto = _only_offered  # type: ignore[method-assign]
