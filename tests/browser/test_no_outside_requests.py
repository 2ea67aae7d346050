"""Nothing leaves the machine: neither the server nor the visitor's browser asks anyone else."""

import subprocess
import sys
from urllib.parse import urlsplit

from gestures import settle
from playwright.sync_api import expect

from pages.shared.navigation import NAMES


def test_every_page_asks_only_its_own_server(server, open_page, outward_log):
    names = NAMES
    assert {"start", "recourse", "geometry"} <= set(names)
    asked = []
    page = open_page("")
    page.on("request", lambda request: asked.append(request.url))
    for name in names:
        page.goto(f"{server}/{'' if name == 'start' else name}")
        settle(page)
        expect(page.get_by_test_id("stHeading").first).to_be_visible()
    # The parts of our own that run in the browser come as blobs of the page itself.
    asked = [address.removeprefix("blob:") for address in asked if not address.startswith("data:")]
    assert {urlsplit(address).hostname for address in asked} == {"localhost"}
    assert not outward_log.exists(), outward_log.read_text()


def test_the_watch_sees_an_attempt(tmp_path):
    log = tmp_path / "outward.log"
    attempt = (
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('192.0.2.1', 9))"
    )
    subprocess.run(
        [sys.executable, "-c", attempt],
        env={"PYTHONPATH": "tests/browser/watched", "OUTWARD_LOG": str(log)},
        check=False,
        stderr=subprocess.DEVNULL,
    )
    assert log.read_text() == "socket.connect 192.0.2.1\n"
