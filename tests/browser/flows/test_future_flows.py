"""What a person does with shifts: declare one, see the plan change, share it, take it back."""

import re

import pytest
from gestures import go_to, take
from playwright.sync_api import expect

START = "future_models?dataset=german&applicant=1&k=1&add=2"
BLIND = "“no account”"


@pytest.fixture
def declared(open_page):
    """The Future models page after the correction of the German coding was declared by hand."""
    page = open_page(START)
    expect(page.get_by_text("No shift is declared.")).to_be_visible()
    take(page, "A shift that may come", "Corrected coding")
    expect(
        page.get_by_text("A category turns out to have been coded wrongly").first
    ).to_be_visible()
    page.get_by_role("button", name="Prepare for this shift").click()
    expect(page.get_by_role("heading", name="2 · Corrected coding")).to_be_visible()
    return page


def plan(page):
    """The sentence of the plan on the workbench."""
    expect(
        page.get_by_role("heading", name=re.compile("Applicant 1 · declined today"))
    ).to_be_visible()
    return page.get_by_test_id("stMain").get_by_role("heading", level=3).first


def test_declaring_the_correction_changes_the_plan_and_the_link_keeps_it(declared, open_page):
    expect(declared.get_by_text("of 100 shifted models, 78 decline it")).to_be_visible()
    expect(declared.get_by_text("of 100 shifted models, 2 decline it")).to_be_visible()
    go_to(declared, "Workbench")
    expect(plan(declared)).not_to_contain_text(BLIND)
    sentence = plan(declared).inner_text()
    expect(declared).to_have_url(re.compile("shifts=sampling-noise"))
    second = open_page(declared.url)
    expect(plan(second)).to_have_text(sentence)
    second.get_by_role("button", name="Drop the shifts").click()
    expect(plan(second)).to_contain_text(BLIND)


def test_removing_and_undoing(declared):
    declared.get_by_role("button", name="Remove").nth(1).click()
    expect(declared.get_by_role("heading", name="2 · Corrected coding")).to_have_count(0)
    declared.get_by_role("button", name="Undo").click()
    expect(declared.get_by_role("heading", name="2 · Corrected coding")).to_be_visible()
    declared.get_by_role("button", name="Undo").click()
    expect(declared.get_by_text("No shift is declared.")).to_be_visible()
