"""Requests are answered under the app's own names only, and only to pages of those names.

A page of another site must not speak to the app: neither with its own name (the Origin header)
nor through a name of its own that it points at this machine (the Host header, DNS rebinding).
Streamlit would compare a foreign Origin with this machine's public address, which it asks another
machine for while every visitor waits; here it is refused before that.
"""

from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
# What Streamlit itself lets pass without asking anybody.
ORIGINS_OF_THIS_MACHINE = ("localhost", "127.0.0.1")
ANY_INTERFACE = ("0.0.0.0", "::", "")


class OwnHosts:
    """Refuse what was sent to another name, or by a page of another name."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 403 in the place of the app, or hand the request on."""
        if scope["type"] in ("http", "websocket"):
            headers = Headers(scope=scope)
            reason = refusal(headers.getlist("host"), headers.getlist("origin"))
            if reason is not None:
                # A handshake that is answered by a response is refused with its status.
                await PlainTextResponse(reason, 403)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def refusal(hosts: list[str], origins: list[str]) -> str | None:
    """Why a request with these Host and Origin headers is refused; None when it is let in."""
    if len(hosts) != 1 or not _own_name(_name(f"//{hosts[0]}")):
        return (
            "This address is not one of the app's own. Whoever runs it can add it with "
            "--browser.serverAddress or --server.allowedHosts."
        )
    if len(origins) > 1 or not all(_own_origin(origin, hosts[0]) for origin in origins):
        return "Pages of other sites may not speak to this app."
    return None


def _own_name(name: str | None) -> bool:
    """Whether the app is reached under this name: this machine's, or one of the configuration.

    `server.allowedHosts` may hold patterns such as *.example.com.
    """
    listen = config.get_option("server.address") or ""
    named = [config.get_option("browser.serverAddress") or "", *THIS_MACHINE]
    if listen not in ANY_INTERFACE:
        named.append(listen)
    patterns = [pattern.strip() for pattern in config.get_option("server.allowedHosts")]
    return name is not None and (
        name in (given.lower() for given in named)
        or any(fnmatchcase(name, pattern.lower()) for pattern in patterns)
    )


def _own_origin(origin: str, host: str) -> bool:
    public = (config.get_option("browser.serverAddress") or "").lower()
    name = _name(origin)
    return name is not None and (
        urlsplit(origin).netloc == host or name in (*ORIGINS_OF_THIS_MACHINE, public)
    )


def _name(address: str) -> str | None:
    """The host an address names, without its port; None for one that cannot be read."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return None
    return parts.hostname
