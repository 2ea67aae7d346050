"""What a teacher does: drag a shift, walk the tour, open the formulas."""

import re

from gestures import settle
from playwright.sync_api import expect

LAB = "shift_lab?lab_kind=covariance&lab_size=1.0"
# The styles of formulas may reach the browser after the formulas: asked until it holds.
FITS = """() => {
    const main = document.querySelector('[data-testid=stMain]')
    const right = element => element.getBoundingClientRect().right
    const wide = formula => [...formula.querySelectorAll('.katex-html .base')].some(
        part => right(part) > right(formula) + 1)
    return main.scrollWidth <= main.clientWidth + 1 &&
        ![...document.querySelectorAll('.katex-display')].some(wide)
}"""


def headline(page):
    return page.get_by_role("heading", name=re.compile(r"^After "))


def test_the_size_is_dragged_by_keyboard_and_the_link_brings_it_back(open_page):
    page = open_page(LAB)
    expect(headline(page)).to_contain_text("β = 1.0")
    # A key pressed while the page is drawn may be lost.
    settle(page)
    thumb = page.get_by_role("slider").first
    thumb.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(headline(page)).to_contain_text("β = 2.0, of 100 later models 88 decline")
    expect(page).to_have_url(re.compile("lab_size=2.0"))
    page.get_by_text("the three kinds of shift", exact=True).click()
    expect(headline(page)).to_contain_text("of 100 later models 0 decline DiRRAc's")
    expect(page).to_have_url(re.compile("lab_prepared="))
    second = open_page(page.url)
    expect(headline(second)).to_have_text(headline(page).inner_text())


def test_walking_the_tour_from_the_start_page(open_page):
    page = open_page()
    page.get_by_role("link", name="the guided tour in ten steps").click()
    # The headings of Start stay until the lab has drawn itself.
    expect(page.get_by_role("heading", name="A loan applicant")).to_have_count(0)
    step = page.get_by_test_id("stMain").get_by_role("heading", level=3)
    expect(step).to_have_text("1 · A decline and a plan")
    for place in range(2, 10):
        page.get_by_role("button", name="Next").click()
        expect(step).to_contain_text(f"{place} · ")
    expect(step).to_have_text("9 · The trap")
    expect(page).to_have_url(re.compile("tour=9"))
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Open this step").click()
    trap = opened.value
    plan = trap.get_by_test_id("stMain").get_by_role("heading", level=3).first
    expect(plan).to_contain_text("“no account”")
    expect(trap.get_by_text("78 of 100 declined it.")).to_be_visible()
    # The notes are still there.
    page.get_by_role("button", name="Next").click()
    expect(step).to_contain_text("10 · ")
    page.get_by_role("button", name="Previous").click()
    expect(step).to_contain_text("9 · ")


def test_the_formulas_are_one_click_away_and_follow_the_settings(open_page):
    page = open_page("learn?dataset=german&applicant=1&k=1")
    expect(page.get_by_text("17 · The ceiling on ρ")).to_be_visible()
    formulas = page.locator(".katex-display")
    expect(formulas).to_have_count(0)
    page.get_by_text("Show the formulas").click()
    expect(formulas.first).to_be_visible()
    expect(page).to_have_url(re.compile("formulas=true"))
    doubt = formulas.filter(has_text="r=ρ")
    expect(doubt.first).to_contain_text("0.1⋅")
    second = open_page("learn?dataset=german&applicant=1&k=1&formulas=true&rho=0.2")
    expect(second.locator(".katex-display").filter(has_text="r=ρ").first).to_contain_text("0.2⋅")


def test_the_glossary_can_be_searched(open_page):
    page = open_page("learn?chapter=Glossary")
    expect(page.get_by_text("What a person can change so that")).to_be_visible()
    page.get_by_role("textbox", name="Find a word").fill("deviations")
    page.keyboard.press("Enter")
    expect(page.get_by_text("How many deviations a plan is away")).to_be_visible()
    expect(page.get_by_text("What a person can change so that")).to_have_count(0)


def test_narrow_screens_do_not_scroll_sideways(open_page):
    for address in (LAB, "learn?formulas=true", "shift_lab?lab_part=Guided+tour"):
        page = open_page(address, width=400)
        settle(page)
        if address.startswith("learn"):
            expect(page.locator(".katex-display").last).to_be_visible()
        page.wait_for_function(FITS)
