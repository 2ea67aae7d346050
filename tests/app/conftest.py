"""The whole app without a browser: Streamlit's own test runner."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.navigation import ROOT

TIMEOUT = 60


@pytest.fixture
def open_app() -> Callable[..., AppTest]:
    """Open a page of the app at an address, and run it."""

    def opened(page: str = "recourse", **query: str) -> AppTest:
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=TIMEOUT)
        for name, value in query.items():
            at.query_params[name] = value
        at.switch_page(f"pages/{page}.py")
        return at.run()

    return opened
