"""A visitor who speaks the browser's protocol with the server, without drawing anything."""

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.asyncio.client import ClientConnection, connect

from pages.shared.notices import UNEXPECTED


@dataclass
class Screen:
    """What one run of a page has drawn: widgets by label, headings, and exceptions."""

    sliders: dict[str, str] = field(default_factory=dict)
    values: dict[str, float] = field(default_factory=dict)
    buttons: dict[str, str] = field(default_factory=dict)
    headings: list[str] = field(default_factory=list)
    exceptions: list[str] = field(default_factory=list)
    seconds: float = 0.0


@dataclass
class Visitor:
    """One session of the app."""

    socket: ClientConnection
    # What stands on each slider: it changes when the visitor moves it, or the server sets it.
    held: dict[str, float] = field(default_factory=dict)
    # The page as it stands: a run may draw a part of it and leave the rest.
    screen: Screen = field(default_factory=Screen)

    async def open(self, page: str, query: str = "") -> Screen:
        """Go to a page, as a link does."""
        return await self._run(ClientState(query_string=query, page_name=page))

    async def move(self, page: str, screen: Screen, sliders: Mapping[str, float]) -> Screen:
        """Set sliders, by their labels."""
        states = []
        for label, value in sliders.items():
            state = WidgetState(id=screen.sliders[label])
            state.double_array_value.data.append(value)
            states.append(state)
            self.held[state.id] = value
        return await self._run(ClientState(page_name=page, widget_states=_several(states)))

    async def press(self, page: str, screen: Screen, label: str) -> Screen:
        """Press the button whose label begins like this."""
        number = next(id for name, id in screen.buttons.items() if name.startswith(label))
        pressed = WidgetState(id=number, trigger_value=True)
        return await self._run(ClientState(page_name=page, widget_states=_several([pressed])))

    async def _run(self, asked: ClientState) -> Screen:
        """Ask for a run of the script; what it drew, and the time until its end."""
        begin = time.perf_counter()
        await self.socket.send(BackMsg(rerun_script=asked).SerializeToString())
        screen = Screen()
        while True:
            message = ForwardMsg.FromString(await self.socket.recv())
            kind = message.WhichOneof("type")
            if kind == "script_finished":
                if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    screen = Screen()
                    continue
                if message.script_finished == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY:
                    screen = _on_top(self.screen, screen, self.held)
                screen.seconds = time.perf_counter() - begin
                self.screen = screen
                return screen
            elif kind == "delta":
                _note(message, screen, self.held)


@asynccontextmanager
async def visitor(port: int) -> AsyncIterator[Visitor]:
    """A new visitor of the server on this port."""
    address = f"ws://localhost:{port}/_stcore/stream"
    async with connect(address, subprotocols=["streamlit"], max_size=None) as socket:
        yield Visitor(socket)


def _several(states: list[WidgetState]) -> WidgetStates:
    return WidgetStates(widgets=states)


def _on_top(page: Screen, part: Screen, held: Mapping[str, float]) -> Screen:
    """The page with a part of it drawn again; a slider that was not stands where it was moved."""
    sliders = {**page.sliders, **part.sliders}
    return Screen(
        sliders,
        {label: held[number] for label, number in sliders.items()},
        {**page.buttons, **part.buttons},
        [*page.headings, *part.headings],
        part.exceptions,
    )


def _note(message: ForwardMsg, screen: Screen, held: dict[str, float]) -> None:
    element = message.delta.new_element
    match element.WhichOneof("type"):
        case "slider":
            screen.sliders[element.slider.label] = element.slider.id
            slider = element.slider
            if slider.set_value or slider.id not in held:
                held[slider.id] = (slider.value if slider.set_value else slider.default)[0]
            screen.values[slider.label] = held[slider.id]
        case "button":
            screen.buttons[element.button.label] = element.button.id
        case "heading":
            screen.headings.append(element.heading.body)
        case "exception":
            screen.exceptions.append(element.exception.message)
        case "alert" if element.alert.body == UNEXPECTED:
            screen.exceptions.append(element.alert.body)
