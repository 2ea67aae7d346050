"""The library that draws the charts comes from the installed package, by a route of the app."""

import asyncio

import plotly
import pytest
from starlette.applications import Starlette
from streamlit.testing.v1.util import patch_config_options

from pages.shared.browser import library


def _answer(app, path):
    """Headers and text that an app answers a request with."""
    sent = []
    scope = {"type": "http", "method": "GET", "path": path, "headers": [], "query_string": b""}

    async def receive():
        # The visitor says nothing more and stays until the answer is there.
        await asyncio.Event().wait()

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    assert sent[0]["status"] == 200
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return headers, b"".join(message.get("body", b"") for message in sent[1:]).decode()


@pytest.mark.parametrize("base", ["", "credit/plans"])
def test_it_is_found_below_the_path_of_the_app_and_kept_by_the_browser(base):
    with patch_config_options({"server.baseUrlPath": base}):
        address, app = library.address(), Starlette(routes=[library.route()])
    below = f"/{base}" if base else ""
    assert address == f"{below}/charts/plotly-{plotly.__version__}.js"
    headers, text = _answer(app, address)
    assert headers["content-type"].startswith("text/javascript")
    assert "immutable" in headers["cache-control"] and "plotly.js v" in text[:200]
