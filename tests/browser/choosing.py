"""Taking an option of a list."""

import pytest
from playwright.sync_api import TimeoutError


def take(page, box, option):
    """Open a list and take an option; a chart drawn late moves the page and closes the list."""
    for _ in range(5):
        page.get_by_role("combobox", name=box).first.click()
        try:
            page.get_by_role("option", name=option, exact=True).click(timeout=3000)
        except TimeoutError:
            page.keyboard.press("Escape")
        else:
            return
    pytest.fail(f"The list {box!r} did not stay open")
