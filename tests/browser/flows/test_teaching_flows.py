"""Learn in a browser: the point on the curves by mouse and keys, and headings without jumps."""

import re
from itertools import pairwise

import pytest
from gestures import resting_place, settle
from playwright.sync_api import expect

TAUGHT = ("", "portfolio", "methods", "shift_lab", "paper", "learn")
LEVELS = """() => [...document.querySelectorAll('[data-testid=stMain] :is(h1,h2,h3,h4,h5,h6)')]
  .filter((each) => each.checkVisibility()).map((each) => Number(each.tagName[1]))"""


def test_the_point_on_the_links_is_dragged_and_moved_by_keys(open_page):
    page = open_page("learn?lecture=true&learn_step=8", 1920, 1080)
    resting_place(page, page.get_by_text("Reveal"))
    page.keyboard.press("ArrowRight")
    point = page.get_by_role("slider", name="Robust score a")
    expect(point).to_have_attribute("aria-valuetext", re.compile("this plan"))
    said = point.get_attribute("aria-valuetext")
    resting_place(page, point)
    box = page.get_by_role("group", name=re.compile("^Two falling curves")).bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 0.5 * box["height"], steps=4)
    page.mouse.up()
    dragged = float(point.get_attribute("aria-valuenow"))
    assert 4.0 < dragged < 5.5
    # The arrow keys belong to the point while it has them, then to the lecture again.
    expect(point).to_be_focused()
    page.keyboard.press("ArrowRight")
    assert float(point.get_attribute("aria-valuenow")) > dragged
    expect(page.get_by_role("heading", name=re.compile("^8 · "))).to_be_visible()
    page.get_by_role("button", name="Back to this plan").click()
    expect(point).to_have_attribute("aria-valuetext", said)
    with page.expect_download() as got:
        page.get_by_role("button", name="Download this chart as SVG").click()
    assert got.value.suggested_filename == "links.svg"
    assert got.value.path().read_text().startswith("<svg")
    with page.expect_download() as got:
        page.get_by_role("button", name="Download this chart as PNG").click()
    assert got.value.path().read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", TAUGHT)
def test_headings_go_down_one_level_at_a_time(open_page, name):
    page = open_page(name)
    settle(page)
    levels = page.evaluate(LEVELS)
    assert levels and all(after <= before + 1 for before, after in pairwise(levels))
