"""The shell: the menu on top, the main settings in sight at once, the next applicant by a click."""

import re

import pytest
from gestures import go_to, settle
from playwright.sync_api import expect

from dirrac_core import DATASETS

WIDTH, HEIGHT = 1366, 768
MAIN_SETTINGS = (
    "Dataset",
    "Applicant",
    "Model",
    "Futures",
    "Radius of doubt ρ",
    "ρ_k per component",
    "Components K",
    "Extra effort δ_add",
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_main_settings_are_in_sight_without_scrolling(open_page, scheme):
    page = open_page("frontier?v=2&dataset=sba", width=WIDTH, height=HEIGHT, scheme=scheme)
    settle(page)
    sidebar = page.get_by_test_id("stSidebar")
    for label in MAIN_SETTINGS:
        box = sidebar.get_by_text(label, exact=True).first.bounding_box()
        assert box is not None and box["y"] + box["height"] < HEIGHT, label
    slider = sidebar.get_by_role("slider", name="Extra effort δ_add").bounding_box()
    assert slider["y"] + slider["height"] < HEIGHT
    expect(sidebar.get_by_text(re.compile(r"^ceiling \d"))).to_be_visible()
    title = page.get_by_test_id("stMain").get_by_role("heading").first.bounding_box()
    assert title["y"] < 100


CUT = "e => e.scrollWidth > e.clientWidth + 1"


@pytest.mark.parametrize("dataset", DATASETS)
def test_no_name_is_cut_off(open_page, dataset):
    """Not that of the dataset in the sidebar, nor those of its features in the table."""
    page = open_page(f"recourse?v=2&dataset={dataset}", width=WIDTH, height=HEIGHT)
    settle(page)
    shown = page.get_by_role("combobox", name="Dataset").first
    expect(shown).to_have_value(DATASETS[dataset])
    assert not shown.evaluate(CUT)
    names = page.locator("td.name")
    expect(names.first).to_be_visible()
    assert [n.inner_text() for n in names.all() if n.evaluate(CUT)] == []


def test_the_menu_leads_to_every_group_and_keeps_the_applicant(open_page):
    page = open_page("frontier?v=2&dataset=german", width=WIDTH, height=HEIGHT)
    settle(page)
    place = page.get_by_role("button", name="Find", exact=True).bounding_box()
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page).to_have_url(re.compile("applicant=3"))
    settle(page)
    go_to(page, "Futures")
    expect(page.get_by_role("heading", name="Applicant 3 · which futures")).to_be_visible()
    expect(page).to_have_url(re.compile("future_models.*applicant=3"))
    # The way to others stands where it stood on the page before.
    settle(page)
    assert page.get_by_role("button", name="Find", exact=True).bounding_box() == place


def test_a_narrow_screen_has_the_menu_in_its_drawer_and_nothing_beyond_the_edge(open_page):
    page = open_page("future_models?v=2&dataset=german", width=400, height=800)
    settle(page)
    beyond = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(beyond) <= 0
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(page.get_by_role("link", name="Workbench").first).to_be_visible()
