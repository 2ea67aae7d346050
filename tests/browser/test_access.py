"""Every page for those who use a screen reader or a keyboard: axe-core, light and dark."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from gestures import settle

from pages.shared import navigation

BAD = {"serious", "critical"}


# Streamlit fades what is about to be redrawn; on a busy machine the fade outlasts the run.
LOOKS, LOOK_MS = 20, 500


def violations(page):
    """What axe keeps finding once the page has had time to be drawn."""
    for _ in range(LOOKS):
        found = violations_now(page)
        if not found:
            return []
        page.wait_for_timeout(LOOK_MS)
        settle(page)
    return found


def violations_now(page):
    """What axe finds: rule, impact, and the first place of each."""
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']} ({each['impact']}): {each['help']}: {each['nodes'][0]['html'][:200]}"
        for each in found
        if each["impact"] in BAD
    ]


@pytest.mark.parametrize("name", navigation.NAMES)
def test_no_page_shuts_anybody_out(open_page, name):
    page = open_page("" if name == navigation.NAMES[0] else name)
    settle(page)
    said = violations(page)
    page.emulate_media(color_scheme="dark")
    settle(page)
    assert said + violations(page) == []
