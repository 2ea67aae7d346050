"""What a person does on the workbench, in a real browser."""

import csv
import io
import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from gestures import resting_place, settle, take
from playwright.sync_api import expect

from dirrac_core.__main__ import main

DECLINED = re.compile(r"Applicant \d+ · declined today")
# The cell "How hard" of Duration in the table drawn on a canvas: its row and column there.
ROW, COLUMN = 1, 6


@pytest.fixture
def visit(open_page):
    """Open an address as a new visitor, and wait until the page is there."""

    def visited(address, **settings):
        page = open_page(address, **settings)
        settle(page)
        return page

    return visited


def parameters(address):
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def wait_for(page, **wanted):
    """Wait until the address says this; None: until it says nothing of it."""
    page.wait_for_url(
        lambda address: all(parameters(address).get(name) == wanted[name] for name in wanted)
    )


def choose(page, label, option):
    """Pick an option of a select box by its words."""
    take(page, label, option)
    settle(page)


def press(page, role, name, **settings):
    page.get_by_role(role, name=name, **settings).first.click()
    settle(page)


def plan(page):
    """The plan in one sentence: the heading above the three facts."""
    return page.get_by_test_id("stMain").get_by_role("heading", level=3).first


def no_problem(page):
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_the_first_visitor_may_come_by_a_deep_link(visit):
    """A folder named pages/ must not make Streamlit serve the page without the shell."""
    page = visit("recourse?dataset=student&applicant=18&rho=0.2")
    expect(page.get_by_role("heading", name="Applicant 18 · declined today")).to_be_visible()
    expect(page.get_by_role("combobox", name="Dataset").first).to_be_visible()
    assert parameters(page.url)["rho"] == "0.2"
    no_problem(page)


def test_from_the_start_to_a_tuned_plan(visit):
    page = visit("")
    expect(
        page.get_by_role("heading", name="What to change, and how long that lasts")
    ).to_be_visible()
    press(page, "button", "Open")
    expect(page.get_by_role("heading", name="Applicant 1 · declined today")).to_be_visible()
    choose(page, "Dataset", "Student performance")
    expect(page.get_by_role("heading", name=DECLINED)).to_be_visible()
    page.wait_for_url(
        lambda address: parameters(address) == {"dataset": "student", "applicant": "0"}
    )
    before = plan(page).inner_text()
    slider = page.get_by_role("slider", name="Extra effort δ_add")
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    wait_for(page, add="0.15")
    expect(plan(page)).not_to_have_text(before)
    # Keys pressed fast may have been one step of the slider or three.
    press(page, "button", "Undo")
    page.wait_for_url(lambda address: parameters(address).get("add") != "0.15")
    no_problem(page)


def test_unlock_by_the_price_tab_and_undo(visit):
    page = visit("recourse?dataset=student&tab=Price")
    before = plan(page).inner_text()
    press(page, "button", "Free it")
    wait_for(page, may="First grade:both")
    expect(plan(page)).not_to_have_text(before)
    press(page, "tab", "What may change")
    press(page, "button", "Undo")
    wait_for(page, may=None)
    expect(plan(page)).to_have_text(before)
    no_problem(page)


def test_edit_what_may_change_in_the_table(visit):
    page = visit("recourse?dataset=german")
    expect(page.locator(".js-plotly-plot")).to_have_count(3)
    grid = resting_place(page, page.get_by_test_id("data-grid-canvas").last)
    page.mouse.click(grid["x"] + 60, grid["y"] + 35 * (ROW + 1.5))
    for column in range(COLUMN + 1):
        # A key pressed before the table has answered the click, or the last key, is lost.
        cell = page.get_by_test_id(f"glide-cell-{column}-{ROW}").last
        expect(cell).to_have_attribute("aria-selected", "true")
        if column < COLUMN:
            page.keyboard.press("ArrowRight")
    page.keyboard.type("3")
    expect(page.locator("#portal input")).to_have_value("3")
    page.keyboard.press("Enter")
    wait_for(page, may="Duration:both:::3")
    press(page, "button", "Back to the preset")
    wait_for(page, may=None)
    no_problem(page)


def test_find_an_applicant_by_a_feature(visit):
    page = visit("recourse?dataset=german")
    press(page, "button", "Find")
    choose(page, "Filter by", "Status")
    page.keyboard.press("Escape")
    choose(page, "Status", "no account")
    # A number of one or two digits, or from 100 to 182: fewer than all.
    fewer = re.compile(r"^(\d{1,2}|1[0-7]\d|18[0-2]) of 183 declined applicants")
    expect(page.get_by_text(fewer)).to_be_visible()
    no_problem(page)


def test_a_shared_link_opens_the_same_screen_elsewhere(visit):
    page = visit("recourse?dataset=german&rho=0.2&k=3&may=Age:up::60:2&weights=ball&tab=Proof")
    press(page, "button", "Next")
    wait_for(page, applicant="3")
    press(page, "button", "Share")
    shared = page.get_by_test_id("stCode")
    expect(shared).to_contain_text("applicant=3")
    link = shared.inner_text().strip()
    assert parameters(link) == parameters(page.url)
    other = visit(link)
    assert parameters(other.url) == parameters(page.url)
    expect(plan(other)).to_have_text(plan(page).inner_text())
    expect(other.get_by_role("tab", name="Proof")).to_have_attribute("aria-selected", "true")
    certificate = "[data-testid=stTable] >> nth=1"
    mine, theirs = (p.locator(certificate).inner_text() for p in (page, other))
    # Everything but the time it took.
    assert mine.rsplit("Time", 1)[0] == theirs.rsplit("Time", 1)[0]
    no_problem(other)


def test_export_and_read_the_files_back(visit, tmp_path, capsys):
    page = visit("recourse?dataset=sba&k=2&tab=Export")
    sentence = plan(page).inner_text()
    files = {}
    for label in ("Scenario (JSON)", "Letter (HTML)", "Table (CSV)"):
        with page.expect_download() as download:
            page.get_by_role("button", name=label).click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        files[label] = file.read_text(encoding="utf-8")
    (scenario,) = tmp_path.glob("*.json")
    assert json.loads(scenario.read_text())["components"] == 2
    assert main(["plan", str(scenario)]) == 0
    printed = capsys.readouterr().out
    assert sentence in printed and "Reproduced the recorded answer." in printed
    assert sentence in files["Letter (HTML)"] and page.url.split("?")[0] in files["Letter (HTML)"]
    rows = list(csv.DictReader(io.StringIO(files["Table (CSV)"])))
    assert len(rows) == 12 and any(row["changed"] == "yes" for row in rows)
    letter = page.context.new_page()
    letter.goto(Path(next(tmp_path.glob("*.html"))).as_uri())
    expect(letter.get_by_text(sentence)).to_be_visible()
    no_problem(page)


def test_readable_on_a_telephone_in_the_dark(visit):
    page = visit("recourse?dataset=german", width=400, height=900, scheme="dark")
    expect(page.get_by_role("heading", name=DECLINED)).to_be_visible()
    overflow = page.evaluate(
        "() => document.querySelector('[data-testid=stMain]').scrollWidth - window.innerWidth"
    )
    assert overflow <= 0
    expect(page.get_by_text("GUARANTEE", exact=False).first).to_be_visible()
    no_problem(page)


def test_everything_has_a_name_for_those_who_cannot_see(visit):
    page = visit("recourse?dataset=student")
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll(
                '[data-testid=stMain] button, [data-testid=stSidebar] button, input')]
            .filter(e => e.offsetParent && !e.innerText.trim() && !e.ariaLabel && !e.title
                         && !(e.labels && e.labels.length) && !e.getAttribute('aria-labelledby'))
            .map(e => e.outerHTML.slice(0, 160))"""
    )
    assert unnamed == []
    page.locator(".js-plotly-plot").nth(2).scroll_into_view_if_needed()
    for words in (
        "Bars of the share",
        "One icon for each of 100",
        "weights the worst-case model moves",
    ):
        expect(page.get_by_role("figure", name=re.compile(words)).first).to_be_attached()
