"""Runs before the served app: writes down every attempt to reach another machine."""

import os
import sys

LOCAL = ("localhost", "127.0.0.1", "::1", "0.0.0.0", "::", "", None)


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event == "socket.connect":
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else None
    else:
        return
    name = host.decode() if isinstance(host, bytes) else host
    if name not in LOCAL:
        with open(os.environ["OUTWARD_LOG"], "a", encoding="utf-8") as log:
            log.write(f"{event} {name}\n")


sys.addaudithook(_note)
