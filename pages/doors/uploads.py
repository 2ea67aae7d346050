"""Uploaded files: few per visitor, and none for long that no page has requested.

Streamlit keeps whatever is sent to its upload address until the visitor leaves. Here a visitor's
newest files are kept, up to a number and a size, and a file that no widget holds a minute after it
came is dropped.
"""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Collection
from threading import Lock

import streamlit as st
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

# The page “Your data” holds two tables of at most 50 MB and two small files (a table file and
# coefficients); while one is replaced, the old and the new are both here.
MOST_FILES = 5
MOST_BYTES = 200_000_000
# Seconds from the end of an upload until a widget must hold it; the browser needs one round trip.
GRACE = 60.0

_ADDRESS = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/[^/]+$")


class FewUploads:
    """Keep each visitor's uploads within the limits."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._arriving: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on; tidy up behind an upload, refuse it when too many come at once."""
        found = _ADDRESS.search(scope["path"]) if scope["type"] == "http" else None
        if found is None or scope["method"] != "PUT":
            await self._app(scope, receive, send)
            return
        session = found["session"]
        if self._arriving[session] >= MOST_FILES:
            reason = f"At most {MOST_FILES} files may be on their way at once."
            await PlainTextResponse(reason, 429)(scope, receive, send)
            return

        async def tidied(message: Message) -> None:
            # The file is stored by now; its sender hears of it once the limits hold again.
            if message["type"] == "http.response.start" and message["status"] < 300:
                HELD.tidy(session)
                asyncio.get_running_loop().call_later(GRACE + 1.0, HELD.tidy, session)
            await send(message)

        self._arriving[session] += 1
        try:
            await self._app(scope, receive, tidied)
        finally:
            self._arriving[session] -= 1
            if not self._arriving[session]:
                del self._arriving[session]


class _Held:
    """Which files the widgets of each visitor hold, and since when each file is here."""

    def __init__(self) -> None:
        self._held: dict[str, frozenset[str]] = {}
        self._since: dict[tuple[str, str], float] = {}
        self._lock = Lock()

    def note(self, session: str, files: Collection[str]) -> None:
        """The widgets of this visitor hold these files, and no others."""
        with self._lock:
            if files:
                self._held[session] = frozenset(files)
            else:
                self._held.pop(session, None)

    def tidy(self, session: str) -> None:
        """Drop what no widget holds after its time, then the oldest files beyond the limits."""
        manager = runtime.get_instance().uploaded_file_mgr
        if not isinstance(manager, MemoryUploadedFileManager):
            message = f"Uploads must be kept in memory, got {type(manager).__name__}"
            raise TypeError(message)
        with self._lock:
            stored = dict(manager.file_storage.get(session, {}))
            held = self._held.get(session, frozenset())
            now = time.monotonic()
            for key in [key for key in self._since if key[0] == session and key[1] not in stored]:
                del self._since[key]
            for gone in self._held.keys() - manager.file_storage.keys():
                del self._held[gone]
            for name in stored:
                self._since.setdefault((session, name), now)
            # Those no widget holds go first, then the oldest.
            order = sorted(stored, key=lambda name: (name in held, self._since[session, name]))
            size = sum(len(file.data) for file in stored.values())
            for name in order:
                late = name not in held and now - self._since[session, name] >= GRACE
                if late or len(stored) > MOST_FILES or size > MOST_BYTES:
                    size -= len(stored.pop(name).data)
                    manager.remove_file(session, name)
                    del self._since[session, name]


HELD = _Held()


def note_held() -> None:
    """At the start of a visitor's run: which uploads the widgets hold."""
    context = get_script_run_ctx()
    if context is not None:
        values = st.session_state.values()
        files = {value.file_id for value in values if isinstance(value, UploadedFile)}
        HELD.note(context.session_id, files)
