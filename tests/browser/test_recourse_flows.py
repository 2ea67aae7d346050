"""What a person does on the workbench, in a real browser."""

import csv
import io
import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from choosing import take
from playwright.sync_api import expect

from dirrac_core.__main__ import main

DECLINED = re.compile(r"Applicant \d+ · declined today")
# The page has settled when its script has not run for this many looks in a row.
QUIET_LOOKS, LOOK_MS, MOST_LOOKS = 4, 100, 600
IDLE = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  return !!app && app.getAttribute('data-test-script-state') === 'notRunning'
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
    message = "the app did not come to rest"
    raise AssertionError(message)


@pytest.fixture
def visit(open_page):
    """Open an address as a new visitor, and wait until the page is there."""

    def visited(address, **settings):
        page = open_page(address, **settings)
        settle(page)
        return page

    return visited


def parameters(page):
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def in_place(page, element):
    """Where an element is once the charts above it have their height."""
    expect(page.locator(".js-plotly-plot")).to_have_count(3)
    same, place = 0, None
    while same < 2 * QUIET_LOOKS:
        element.scroll_into_view_if_needed()
        page.wait_for_timeout(LOOK_MS)
        before, place = place, element.bounding_box()
        same = same + 1 if place == before else 0
    return place


def choose(page, label, option):
    """Pick an option of a select box by its words."""
    take(page, label, option)
    settle(page)


def press(page, role, name, **settings):
    page.get_by_role(role, name=name, **settings).first.click()
    settle(page)


def plan_of(page):
    """The plan in one sentence: the heading above the three facts."""
    return page.get_by_test_id("stMain").get_by_role("heading", level=3).first.inner_text()


def no_problem(page):
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_the_first_visitor_may_come_by_a_deep_link(visit):
    """A folder named pages/ must not make Streamlit serve the page without the shell."""
    page = visit("recourse?dataset=student&applicant=18&rho=0.2")
    expect(page.get_by_role("heading", name="Applicant 18 · declined today")).to_be_visible()
    expect(page.get_by_role("combobox", name="Dataset").first).to_be_visible()
    assert parameters(page)["rho"] == "0.2"
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
    assert parameters(page) == {"dataset": "student", "applicant": "0"}
    before = plan_of(page)
    slider = page.get_by_role("slider", name="Extra effort δ_add")
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    settle(page)
    assert parameters(page)["add"] == "0.15" and plan_of(page) != before
    press(page, "button", "Undo")
    no_problem(page)


def test_unlock_by_the_price_tab_and_undo(visit):
    page = visit("recourse?dataset=student&tab=Price")
    before = plan_of(page)
    press(page, "button", "Free it")
    assert parameters(page)["may"] == "First grade:both" and plan_of(page) != before
    press(page, "tab", "What may change")
    press(page, "button", "Undo")
    assert "may" not in parameters(page) and plan_of(page) == before
    no_problem(page)


def test_edit_what_may_change_in_the_table(visit):
    page = visit("recourse?dataset=german")
    canvas = page.get_by_test_id("data-grid-canvas").last
    place = in_place(page, canvas)
    # The table is drawn on a canvas: the cell "How hard" of Duration, by the keyboard.
    page.mouse.click(place["x"] + 60, place["y"] + 35 * 2.5)
    for column in range(1, 7):
        page.keyboard.press("ArrowRight")
        # A key pressed before the table has answered the last one is lost.
        cell = page.get_by_test_id(f"glide-cell-{column}-1").last
        expect(cell).to_have_attribute("aria-selected", "true")
    page.keyboard.type("3")
    expect(page.locator("#portal input")).to_have_value("3")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]may=Duration(:|%3A)both(:|%3A){3}3(&|$)"))
    settle(page)
    press(page, "button", "Back to the preset")
    assert "may" not in parameters(page)
    no_problem(page)


def test_find_an_applicant_by_a_feature(visit):
    page = visit("recourse?dataset=german")
    press(page, "button", "Find")
    page.get_by_role("combobox", name="Filter by").click()
    page.get_by_role("option", name="Status", exact=True).click()
    settle(page)
    page.keyboard.press("Escape")
    page.get_by_role("combobox", name="Status", exact=True).click()
    page.get_by_role("option", name="no account").click()
    settle(page)
    expect(page.get_by_text(re.compile(r"^\d+ of 183 declined applicants"))).to_be_visible()
    found = page.get_by_text(re.compile(r"^\d+ of 183 declined applicants")).inner_text()
    assert int(found.split()[0]) < 183
    no_problem(page)


def test_a_shared_link_opens_the_same_screen_elsewhere(visit):
    page = visit("recourse?dataset=german&rho=0.2&k=3&may=Age:up::60:2&weights=ball&tab=Proof")
    press(page, "button", "Next")
    press(page, "button", "Share")
    link = page.get_by_test_id("stCode").inner_text().strip()
    assert parse_qs(urlsplit(link).query) == parse_qs(urlsplit(page.url).query)
    other = visit(link)
    assert parameters(other) == parameters(page)
    assert plan_of(other) == plan_of(page)
    expect(other.get_by_role("tab", name="Proof")).to_have_attribute("aria-selected", "true")
    certificate = "[data-testid=stTable] >> nth=1"
    mine, theirs = (p.locator(certificate).inner_text() for p in (page, other))
    # Everything but the time it took.
    assert mine.rsplit("Time", 1)[0] == theirs.rsplit("Time", 1)[0]
    no_problem(other)


def test_export_and_read_the_files_back(visit, tmp_path, capsys):
    page = visit("recourse?dataset=sba&k=2&tab=Export")
    sentence = plan_of(page)
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
