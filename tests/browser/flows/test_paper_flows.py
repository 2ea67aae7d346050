"""What a reader of the paper does: open a table, a statement, play with it, and share it."""

import re

from gestures import take
from playwright.sync_api import expect

from dirrac_core.paper.catalogue import EXPERIMENTS

START = "paper?dataset=german&applicant=1"
QUICK = "parameter_clouds"


def label(name):
    each = EXPERIMENTS[name]
    return f"{each.kind.capitalize()}: {each.title}"


def test_a_figure_is_chosen_shared_and_computed_anew(open_page):
    page = open_page(START)
    expect(page.get_by_role("heading", name="The paper and this software")).to_be_visible()
    take(page, "Table or figure", label(QUICK))
    expect(page.get_by_role("heading", name=EXPERIMENTS[QUICK].title)).to_be_visible()
    expect(page).to_have_url(re.compile("paper_shown=Figure"))
    second = open_page(page.url)
    expect(second.get_by_role("heading", name=EXPERIMENTS[QUICK].title)).to_be_visible()
    second.get_by_role("button", name="Compute").click()
    expect(second.get_by_text("Your run: at most 5 people per dataset")).to_be_visible()
    charts = second.locator(".chart")
    expect(charts.last).to_be_visible()


def test_a_statement_follows_its_slider_and_its_link(open_page):
    page = open_page(START)
    page.get_by_role("radio", name="What can be proven").click()
    page.get_by_text("5 · The adversary sits on the ball").first.click()
    page.get_by_role("link", name="Explained and tried on the Learn page").click()
    expect(page.get_by_text("The adversary is 0.100000 away, and ρ is 0.1")).to_be_visible()
    page.get_by_role("slider", name="ρ in this demonstration").press("ArrowRight")
    expect(page.get_by_text("The adversary is 0.110000 away, and ρ is 0.11")).to_be_visible()
    expect(page).to_have_url(re.compile(r"claim_rho=0\.11"))
    second = open_page(page.url)
    expect(second.get_by_text("The adversary is 0.110000 away")).to_be_visible()


def test_the_german_lesson_is_told_by_the_models(open_page):
    page = open_page(START)
    page.get_by_role("radio", name="What can be proven").click()
    page.get_by_text("7 · The German lesson").first.click()
    expect(page.get_by_text("of 100 corrected models, 78 decline it.")).to_be_visible()
