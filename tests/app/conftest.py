"""The whole app without a browser: Streamlit's own test runner."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from joblib import parallel_config
from streamlit.testing.v1 import AppTest

from pages.shared import background

TIMEOUT = 180
WHOLE_APP = Path(__file__).parent / "whole_app.py"


@pytest.fixture
def open_app() -> Callable[..., AppTest]:
    """Open a page of the app at an address, and run it."""

    def opened(page: str = "recourse", **query: str) -> AppTest:
        at = AppTest.from_file(str(WHOLE_APP), default_timeout=TIMEOUT)
        for name, value in query.items():
            at.query_params[name] = value
        # The first run registers the pages; only then can the runner switch between them.
        at.run()
        return at if page == "start" else at.switch_page(f"../../pages/{page}.py").run()

    return opened


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, background.Run]]:
    """The runs of one visitor, without worker processes; nothing is left behind."""
    kept = {}
    monkeypatch.setattr(background, "_runs", lambda: kept)
    monkeypatch.setattr(background, "_workers", lambda: parallel_config(n_jobs=1))
    yield kept
    for run in kept.values():
        run.stop()
        assert run.wait(TIMEOUT)
