"""The whole app without a browser: Streamlit's own test runner."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import cache
from typing import Any

import pytest
from joblib import parallel_config
from screen import WHOLE_APP, page_file
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, app_test, local_script_runner

from dirrac_core.case.case import bundle_of
from dirrac_core.case.recommended import recommended
from dirrac_core.parallel import Cancel, Progress
from pages.doors import callbacks
from pages.methods import computing as methods_computing
from pages.runs import background
from pages.runs.kept import KeptResults
from pages.runs.network_training import NETWORK
from pages.shared import notices
from pages.shared.pictures import READING
from pages.sidebar.parts import GROUPS, OPEN

TIMEOUT = 180

# For every app it runs, the test runner reads the metadata of all installed packages again.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
# For every run it compiles the scripts again, which a server does once.
app_test.ScriptCache = cache(app_test.ScriptCache)
# A thousand times a second it asks whether the page is done, and takes the processor from the page.
_give_up = local_script_runner.require_widgets_deltas


def _wait_for_page(runner: local_script_runner.LocalScriptRunner, timeout: float) -> None:
    runner._script_thread.join(timeout)
    if not runner.script_stopped():
        _give_up(runner, 0.0)


local_script_runner.require_widgets_deltas = _wait_for_page


@pytest.fixture
def open_app() -> Callable[..., AppTest]:
    """Open a page of the app at an address, and run it."""

    def opened(page: str = "recourse", **query: str) -> AppTest:
        if query.get("model") == NETWORK:
            _train_networks(query["dataset"])
        at = AppTest.from_file(str(WHOLE_APP), default_timeout=TIMEOUT)
        # Settings made once are drawn only while their group is open.
        at.session_state[OPEN] = list(GROUPS)
        at.session_state[READING] = True
        for name, value in query.items():
            at.query_params[name] = value
        at.session_state["register pages only"] = True
        at.run()
        return (at if page == "start" else at.switch_page(page_file(page))).run()

    return opened


@pytest.fixture(autouse=True)
def nothing_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unexpected error reaches the test instead of becoming the last-resort message."""
    monkeypatch.setattr(notices, "show_last_resort", nullcontext)
    monkeypatch.setattr(callbacks, "guard", lambda _: None)


@pytest.fixture(scope="session")
def network() -> None:
    """The networks of the synthetic data, so that no page has to wait for them."""
    _train_networks("synthetic")


def _train_networks(dataset: str) -> None:
    """Those of the recommended futures, among which are those of the paper's."""
    bundle_of(recommended(dataset, NETWORK))


@pytest.fixture
def at_once(runs: dict[str, background.Run], monkeypatch: pytest.MonkeyPatch) -> None:
    """Background work is finished when it has been started, without another process."""
    start = background.start

    def finished(
        name: str, about: Any, work: background.Work, keep: bool = False, rest: float = 0.0
    ) -> background.Run:
        # The page that waits here is being drawn: there is no rest to wait for.
        run = start(name, about, work, keep)
        assert run.wait(TIMEOUT)
        return run

    def here(
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        progress: Progress,
        cancel: Cancel,
    ) -> Any:
        return function(*arguments, progress=progress)

    monkeypatch.setattr(background, "start", finished)
    for module in (background, methods_computing):
        monkeypatch.setattr(module, "run_apart", here)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, background.Run]]:
    """The runs of one visitor, without worker processes; nothing is left behind."""
    kept = {}
    monkeypatch.setattr(background, "_runs", lambda: kept)
    monkeypatch.setattr(background, "_workers", lambda cores: parallel_config(n_jobs=1))
    monkeypatch.setattr(background, "_KEPT", KeptResults())
    yield kept
    for run in kept.values():
        run.stop()
        assert run.wait(TIMEOUT)
