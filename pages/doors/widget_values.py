"""What a browser says its widgets are set to: checked before any callback or page reads it.

Streamlit decodes whatever is sent and trusts the page to have offered it: an unknown string comes
out of a selectbox as it is, and a value of the wrong kind ends the run in an error. Here every
value is decoded once beforehand. One that its widget does not offer is dropped, so that the widget
stays as it was, and the visitor reads that it was refused. A value sent before its widget was ever
drawn (a browser that comes back to a new session does that) is looked at when the widget appears.

Streamlit has no hook for this: `guard` wraps the two methods of its session state through which
all values come. The locked version of Streamlit decides whether that fits; a missing name is an
error at the start, not a door left open.
"""

from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.state.common import WidgetMetadata, unpack_widget_state_value
from streamlit.runtime.state.session_state import Serialized, SessionState
from streamlit.runtime.uploaded_file_manager import DeletedFile

from pages.shared.notices import VALUE_REFUSED

NUMBERS = {"double_value", "int_value"}
# What a decoder does with a value it was not made for.
UNDECODABLE = (
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError),
    RecursionError,
)

_as_sent = SessionState.set_widgets_from_proto
_as_drawn = SessionState._set_widget_metadata


def guard() -> None:
    """From now on, check every value of every session; before the first widget is drawn."""
    SessionState.set_widgets_from_proto = _only_offered  # type: ignore[method-assign]
    SessionState._set_widget_metadata = _offered_when_drawn  # type: ignore[method-assign]


def offered(metadata: WidgetMetadata[Any], sent: WidgetState) -> bool:
    """Whether a widget could have sent this: the right kind, decodable, and one of its values."""
    kind = sent.WhichOneof("value")
    if kind is None:
        return True
    # The browser sends a whole number as such also to a field registered for decimals. Once a field
    # was emptied, Streamlit has forgotten which kind it takes until it is drawn again.
    known = metadata.value_type
    if known is not None and kind != known and not {kind, known} <= NUMBERS:
        return False
    try:
        raw = unpack_widget_state_value(sent)
        value = metadata.deserializer(raw)
        if isinstance(value, DeletedFile):
            # A file that is not this visitor's, or not any more.
            return False
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
    current = [sent for sent in widget_states.widgets if not _is_of_the_past(self, sent.id)]
    kept = [sent for sent in current if sent.id not in known or offered(known[sent.id], sent)]
    if len(kept) < len(current):
        self[VALUE_REFUSED] = True
    _as_sent(self, WidgetStates(widgets=kept))


def _is_of_the_past(self: SessionState, number: str) -> bool:
    """Whether another widget has taken the place of this one, as a new chart does."""
    keys = self._key_id_mapper
    key = keys.id_key_mapping.get(number)
    return key is not None and keys.get_id_from_key(key) != number


def _offered_when_drawn(self: SessionState, widget_metadata: WidgetMetadata[Any]) -> None:
    values = self._new_widget_state
    number = widget_metadata.id
    if number not in values.widget_metadata:
        sent = values.states.get(number)
        if isinstance(sent, Serialized) and not offered(widget_metadata, sent.value):
            del values[number]
            self[VALUE_REFUSED] = True
    _as_drawn(self, widget_metadata)
