"""A real server and a real browser; every page opened is a visitor of its own."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from benchmarks.serving.listening import LISTEN
from benchmarks.serving.served_app import served_app

# Python runs the sitecustomize.py of this folder before the app.
WATCHED = Path(__file__).parent / "watched"
# A busy machine may take long for one run of a page.
PATIENCE = 120_000
# How much slower the browser is made to run: what passes at 8 does not hang on a lucky moment.
SLOWDOWN = float(os.environ.get("BROWSER_SLOWDOWN", "1"))
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder needs a browser: `./test -m "not browser"` leaves them out.

    A hand can miss what moves under it on a busy machine, so a gesture that failed is tried once
    more from a fresh page; the summary names every test that needed it.
    """
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def outward_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server writes every connection it tries to make to another machine."""
    return tmp_path_factory.mktemp("server") / "outward.log"


@pytest.fixture(scope="session")
def server(outward_log: Path) -> Iterator[str]:
    """The address of the app, served for as long as the tests run."""
    watched = {"PYTHONPATH": str(WATCHED), "OUTWARD_LOG": str(outward_log)}
    with served_app(watched) as (port, _):
        yield f"http://localhost:{port}"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One headless Chromium for all tests of a process.

    The shell is the same browser without tabs, menus and windows of its own, which take a third of
    the processor time.
    """
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
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
        visit.add_init_script(LISTEN)
        page = visit.new_page()
        page.set_default_timeout(PATIENCE)
        devtools = visit.new_cdp_session(page)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        page.goto(address if address.startswith("http") else f"{server}/{address}")
        return page

    yield opened
    for visit in visits:
        visit.close()
