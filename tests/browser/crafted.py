"""Every widget of a page, found in what the server sends, and values nobody offered for it."""

import json
from dataclasses import dataclass, field

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.sync.client import ClientConnection

from pages.shared.notices import REFUSED, UNEXPECTED

# How Streamlit names the widget that carries the events of a part of our own.
EVENTS = "$$STREAMLIT_INTERNAL_KEY_{}__events"
NAN, HUGE, SURROGATE = float("nan"), 10**400, "\\ud800"
POINT = {"curve_number": 0, "point_index": 0, "point_number": 0, "x": 0.5, "y": 0.5}
# What a chart, a table with choices, an editor or a part of our own may be said to hold.
STATES = (
    "{",
    "5",
    '"selection"',
    '{"selection": 5}',
    '{"selection": {"points": 5, "rows": 5}}',
    '{"selection": {"points": [5], "rows": ["a"]}}',
    '{"selection": {"points": [{}], "rows": [-1]}}',
    '{"selection": {"points": [{"x": "a", "y": null, "customdata": "zzz"}], "rows": [1e9]}}',
    json.dumps({"selection": {"points": [{**POINT, "customdata": [NAN, 1e308]}], "rows": [NAN]}}),
    json.dumps({"selection": {"points": [{**POINT, "customdata": 10**9}], "rows": [10**9]}}),
    json.dumps({"selection": {"points": [{**POINT, "curve_number": 10**9, "x": 1e308}]}}),
    json.dumps({"selection": {"points": [{**POINT, "point_index": -1, "y": NAN}], "rows": [[0]]}}),
    '{"edited_rows": {"a": 5}}',
    '{"edited_rows": {"999": {"Use": true, "Rule": "x"}}}',
    '{"edited_rows": {"0": {"no such column": 5}, "-1": {"Use": 5}}}',
    '{"edited_rows": {"0": 5}, "added_rows": 5, "deleted_rows": "a"}',
    '{"edited_rows": {"0": {"Read as": "zzz", "May change": 7, "Digits": 1e999}}}',
    '{"edited_rows": {"0": {"Lowest": NaN, "Highest": "a", "Unit": ["a"], "Use": "zzz"}}}',
    f'{{"edited_rows": {{"0": {{"Unit": "{SURROGATE}", "Shown as": "{SURROGATE}"}}}}}}',
    '{"added_rows": [{"Rule": 5, "Of": "zzz", "First": "zzz", "At least": 1e308}, 5]}',
    '{"deleted_rows": [999]}',
    '[{"event": "edit", "value": 5}]',
    f'[{{"event": "edit", "value": {{"feature": "{SURROGATE}", "what": "try", "value": 1}}}}]',
    '[{"event": "edit", "value": {"feature": ["a"], "what": {"b": 1}, "value": [[]]}}]',
    f'[{{"event": "edit", "value": {{"feature": "Age", "what": "try", "value": {HUGE}}}}}]',
    '[{"event": "edit", "value": {"feature": "Age", "what": "most", "value": NaN}}]',
    '[{"event": "mark", "value": {"trace": -1, "point": "a"}}, {"event": "place", "value": 5}]',
    '[{"event": "mark", "value": {"trace": 0, "point": 1000000000}}]',
    f'[{{"event": "place", "value": {{"x": {HUGE}, "y": NaN}}}}]',
    '[{"event": "choose", "value": {"a": [1]}}, {"event": 5}, 5]',
    "[" * 100_000,
)


@dataclass
class Seen:
    """What a run has drawn: the widgets with their kind and fragment, and the messages."""

    widgets: dict[str, tuple[str, str]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    alerts: list[str] = field(default_factory=list)
    exceptions: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)

    @property
    def broken(self) -> list[str]:
        """What must never be seen."""
        return [*self.exceptions, *(alert for alert in self.alerts if alert == UNEXPECTED)]

    @property
    def refused(self) -> bool:
        """Whether the page says that a value was refused."""
        return REFUSED in self.alerts


def run(line: ClientConnection, page: str, states=(), query: str = "", fragment: str = "") -> Seen:
    """One run of a page with these widget states; what it drew."""
    asked = ClientState(
        page_name=page,
        query_string=query,
        fragment_id=fragment,
        widget_states=WidgetStates(widgets=list(states)),
    )
    line.send(BackMsg(rerun_script=asked).SerializeToString())
    seen = Seen()
    while True:
        message = ForwardMsg.FromString(line.recv(timeout=120))
        kind = message.WhichOneof("type")
        if kind == "script_finished":
            if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return seen
            # The page began again: what counts is what it draws then.
            seen = Seen(widgets=seen.widgets, labels=seen.labels, alerts=seen.alerts)
        elif kind == "delta":
            _note(message, seen)


def _note(message: ForwardMsg, seen: Seen) -> None:
    element = message.delta.new_element
    kind = element.WhichOneof("type")
    if kind is None:
        return
    drawn = getattr(element, kind)
    if kind == "alert":
        seen.alerts.append(drawn.body)
    elif kind == "exception":
        seen.exceptions.append(drawn.message)
    elif kind == "heading":
        seen.headings.append(drawn.body)
    number = getattr(drawn, "id", "")
    if isinstance(number, str) and number.startswith("$$"):
        seen.widgets[number] = (kind, message.delta.fragment_id)
        seen.labels[getattr(drawn, "label", "")] = number
        if kind == "bidi_component":
            seen.widgets[EVENTS.format(number)] = ("events", message.delta.fragment_id)


def states_of(kind: str, number: str, round_: int) -> WidgetState:
    """The crafted value of this round: for what holds JSON a broken state, else a wrong kind."""
    text = STATES[round_ % len(STATES)]
    match kind:
        case "events":
            return WidgetState(id=number, json_trigger_value=text)
        case "bidi_component":
            return WidgetState(id=number, json_value=text)
        case "dataframe" | "text_input":
            return WidgetState(id=number, string_value=text)
    return _wrong(number, round_)


def _wrong(number: str, round_: int) -> WidgetState:
    sent = WidgetState(id=number)
    match round_ % 10:
        case 0:
            sent.string_value = "table-" + "0" * 32
        case 1:
            sent.int_value = 2**63 - 1
        case 2:
            sent.double_value = NAN
        case 3:
            sent.double_array_value.data.extend([NAN, 1e300])
        case 4:
            sent.string_array_value.data.extend(["zzz", "zzz"])
        case 5:
            sent.json_value = "{"
        case 6:
            sent.int_array_value.data.extend([-1, 10**9])
        case 7:
            sent.double_array_value.data.append(-1e300)
        case 8:
            sent.bytes_value = b"\xff"
        case 9:
            sent.file_uploader_state_value.uploaded_file_info.add(file_id="zzz", name="a/../b")
    return sent
