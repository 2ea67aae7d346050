"""What a hand does on a page that may still move: wait for it to rest, then touch it."""

import pytest
from playwright.sync_api import Error, TimeoutError

from pages.shared import navigation

LOOK_MS, MOST_LOOKS = 100, 1200
# At rest: nothing has run, or moved, for this many looks in a row.
QUIET_LOOKS, STILL_LOOKS = 4, 8
# Plotly tells a single click from a double one only after it saw the pointer rest.
REST = 300
IDLE = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  return !!app && !window.drawing && app.getAttribute('data-test-script-state') === 'notRunning'
    && app.getAttribute('data-test-connection-state') === 'CONNECTED'
    && !!document.querySelector('[data-testid=stMain] h1, [data-testid=stMain] h2');
}"""


def settle(page):
    """Wait until the app has been idle for a moment."""
    quiet = 0
    for _ in range(MOST_LOOKS):
        quiet = quiet + 1 if page.evaluate(IDLE) else 0
        if quiet == QUIET_LOOKS:
            return
        page.wait_for_timeout(LOOK_MS)
    pytest.fail("The app did not come to rest")


def _place_now(page, element):
    """Where an element is, scrolled into view; None while a late run draws it again."""
    try:
        element.scroll_into_view_if_needed()
        page.wait_for_timeout(LOOK_MS)
        return element.bounding_box()
    except Error as problem:
        if "not attached" not in str(problem):
            raise
        return None


def resting_place(page, element):
    """Where an element is once nothing moves it: a chart drawn late moves what is below it."""
    still, place = 0, None
    for _ in range(MOST_LOOKS):
        before, place = place, _place_now(page, element)
        still = still + 1 if place is not None and place == before else 0
        if still == STILL_LOOKS:
            return place
    pytest.fail("The element did not come to rest")


def click_drawn(page, element, across=0.5, down=0.5):
    """Click into something drawn, at a part of its width and height."""
    box = resting_place(page, element)
    x, y = box["x"] + across * box["width"], box["y"] + down * box["height"]
    page.mouse.move(x, y)
    page.wait_for_timeout(REST)
    page.mouse.click(x, y)


def go_to(page, title):
    """Open a page by the menu on top, where most pages stand in a group that unfolds."""
    group = next(
        group
        for group, folders in navigation.GROUPS.items()
        if title in [navigation.PAGES[folder].title for folder in folders]
    )
    if not group:
        page.get_by_test_id("stHeader").get_by_role("link", name=title, exact=True).click()
        return
    page.get_by_role("button", name=group, exact=True).click()
    page.get_by_test_id("stTopNavPopover").get_by_text(title, exact=True).click()


def take(page, name, option):
    """Open the list of this name and take an option by its words."""
    box = page.get_by_role("combobox", name=name).first
    take_from(page, box, page.get_by_role("option", name=option, exact=True))


def take_from(page, box, option):
    """Open a list and take an option; a run that ends meanwhile may close the list."""
    for _ in range(5):
        box.click()
        try:
            option.click(timeout=10_000)
        except TimeoutError:
            page.keyboard.press("Escape")
        else:
            return
    pytest.fail("The list did not stay open")
