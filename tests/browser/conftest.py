"""A real server and a real browser; every page opened is a visitor of its own."""

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from urllib.error import URLError

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from pages.shared.navigation import ROOT

START_SECONDS = 60
# A busy machine may take long for one run of a page.
PATIENCE = 30_000
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of the app, served for as long as the tests run."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}"]
    options = ["--server.headless=true", "--server.fileWatcherType=none"]
    with subprocess.Popen(
        [*command, *options], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as running:
        try:
            _wait_for(f"http://localhost:{port}/_stcore/health")
            yield f"http://localhost:{port}"
        finally:
            running.terminate()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One headless Chromium for all tests of a process."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        yield launched
        launched.close()


@pytest.fixture
def open_page(server: str, browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open an address (whole, or from the app's root) as a new visitor."""
    expect.set_options(timeout=PATIENCE)
    visits = []

    def opened(
        address: str = "", width: int = 1400, height: int = 1000, scheme: str = "light"
    ) -> Page:
        visit = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme
        )
        visits.append(visit)
        page = visit.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(address if address.startswith("http") else f"{server}/{address}")
        return page

    yield opened
    for visit in visits:
        visit.close()


def _wait_for(address: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            with urllib.request.urlopen(address, timeout=1):
                return
        except (URLError, ConnectionError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
