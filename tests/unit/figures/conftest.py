"""Every figure that a test of this folder makes is checked by plotly, property by property."""

import pytest

from dirrac_core.figures.drawing import sketch


@pytest.fixture(autouse=True)
def _checked_by_plotly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sketch, "CHECKED", True)
