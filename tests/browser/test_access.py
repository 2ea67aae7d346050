"""Every page and tab for those who use a screen reader or a keyboard: axe-core, light and dark."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from gestures import settle
from playwright.sync_api import expect

from pages.shared import navigation

BAD = {"moderate", "serious", "critical"}
# Streamlit fades what is about to be redrawn; on a busy machine the fade outlasts the run.
LOOKS, LOOK_MS = 20, 500
# Both themes draw the same elements in other colours, so the second look is at colours alone.
EVERYTHING = {"resultTypes": ["violations"]}
COLOURS = {**EVERYTHING, "runOnly": ["color-contrast", "link-in-text-block"]}
THEMES = {"light": EVERYTHING, "dark": COLOURS}


def violations(page, options):
    """What axe keeps finding once the page has had time to be drawn."""
    for _ in range(LOOKS):
        found = violations_now(page, options)
        if not found:
            return []
        page.wait_for_timeout(LOOK_MS)
        settle(page)
    return found


def violations_now(page, options):
    """What axe finds: rule, impact, and the first place of each."""
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{each['id']} ({each['impact']}): {each['help']}: {each['nodes'][0]['html'][:200]}"
        for each in found
        if each["impact"] in BAD
    ]


def in_both_themes(page, about):
    """What axe finds in light and in dark, with the place it was found in."""
    said = []
    for scheme, options in THEMES.items():
        page.emulate_media(color_scheme=scheme)
        settle(page)
        said += [f"{about}, {scheme}: {each}" for each in violations(page, options)]
    return said


@pytest.mark.parametrize("name", navigation.NAMES)
def test_no_page_and_no_part_of_it_shuts_anybody_out(open_page, name):
    page = open_page("" if name == navigation.NAMES[0] else name)
    settle(page)
    said = in_both_themes(page, name)
    # The first part was open.
    parts = page.get_by_role("radiogroup", name="Part of the page").get_by_role("radio")
    for part in parts.all()[1:]:
        part.click()
        expect(part).to_be_checked()
        settle(page)
        said += in_both_themes(page, f"{name} · {part.inner_text()}")
    assert said == []


def test_a_slider_is_moved_by_keys(open_page):
    page = open_page("recourse")
    settle(page)
    slider = page.get_by_role("slider", name="Extra effort δ_add")
    before = float(slider.input_value())
    slider.focus()
    page.keyboard.press("ArrowRight")
    # The key changes the scenario, not only the drawing.
    expect(page).to_have_url(re.compile("[?&]add="))
    settle(page)
    assert float(slider.input_value()) > before


def test_faint_words_are_found_in_both_themes(open_page):
    page = open_page("learn")
    settle(page)
    page.add_style_tag(content="h1, h2 { color: rgba(128, 128, 128, 0.3) !important }")
    for scheme, options in THEMES.items():
        page.emulate_media(color_scheme=scheme)
        settle(page)
        assert any("color-contrast" in each for each in violations_now(page, options)), scheme
