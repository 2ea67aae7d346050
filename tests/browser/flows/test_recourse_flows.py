"""What a person does on the workbench, in a real browser."""

import csv
import io
import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from gestures import click_drawn, go_to, resting_place, settle, take
from playwright.sync_api import expect

from dirrac_core.__main__ import main

DECLINED = re.compile(r"Applicant \d+ · declined today")


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


def field(page, name):
    """A field of the table, by its words for those who cannot see it."""
    return page.get_by_label(name, exact=True)


def test_from_the_start_to_a_tuned_plan(visit, tmp_path):
    """Choose, tune, lock, try a value, another plan, the frontier, share, open it, export."""
    page = visit("")
    press(page, "button", "Open")
    expect(page.get_by_role("heading", name="Applicant 1 · declined today")).to_be_visible()
    before = plan(page).inner_text()
    slider = page.get_by_role("slider", name="Extra effort δ_add")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(lambda address: "add" in parameters(address))
    settle(page)
    # Lock in the row: the plan leaves the amount alone.
    field(page, "Credit amount: may change").select_option("no")
    wait_for(page, may="Credit amount:no")
    expect(plan(page)).not_to_have_text(before)
    expect(plan(page)).not_to_contain_text("borrow")
    settle(page)
    # Try a value in the row: by the keyboard, on the slider of the row.
    handle = field(page, "Duration: value to try")
    handle.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(plan(page)).to_contain_text("Your version")
    page.wait_for_url(lambda address: "if" in parameters(address))
    expect(handle).to_be_focused()
    settle(page)
    press(page, "button", "Pin this plan")
    page.wait_for_url(lambda address: "pin" in parameters(address))
    # Another plan: what was tried on the old one is gone, everything below follows.
    other_card = page.get_by_role("group", name="Plans to choose from").locator(
        "button[aria-pressed=false]"
    )
    sentence = other_card.first.locator(".sentence").inner_text()
    other_card.first.click()
    page.wait_for_url(lambda address: "if" not in parameters(address))
    expect(plan(page)).to_have_text(sentence)
    settle(page)
    # A mark of the frontier: its plan is shown in place and taken back to the workbench.
    go_to(page, "Frontier")
    settle(page)
    marks = page.locator(".js-plotly-plot .scatterlayer .trace:has(.points path)").first
    click_drawn(page, marks.locator(".points path").nth(1))
    page.wait_for_url(lambda address: "mark" in parameters(address))
    taken = re.search(r"δ_add = ([0-9.]+)$", parameters(page.url)["mark"])[1]
    press(page, "button", "Take it to the workbench")
    wait_for(page, add=taken)
    expect(plan(page)).not_to_be_empty()
    settle(page)
    field(page, "Duration: value to try, typed").fill("20")
    page.keyboard.press("Enter")
    wait_for(page, **{"if": "Duration:20"})
    settle(page)
    press(page, "radio", "Compare")
    press(page, "button", "Share")
    shared = page.get_by_test_id("stCode")
    expect(shared).to_contain_text("Duration%3A20")
    link = shared.inner_text().strip()
    # Elsewhere: the same screen, the values tried and the pins included.
    other = visit(link)
    expect(plan(other)).to_have_text(plan(page).inner_text())
    expect(field(other, "Duration: value to try, typed")).to_have_value("20")
    expect(field(other, "Credit amount: may change")).to_have_value("no")
    expect(other.get_by_role("button", name="Unpin A")).to_be_visible()
    assert parameters(other.url) == parameters(link)
    press(other, "radio", "Export")
    with other.expect_download() as download:
        other.get_by_role("button", name="Table (CSV)").click()
    download.value.save_as(tmp_path / "plan.csv")
    rows = {row["feature"]: row for row in csv.DictReader((tmp_path / "plan.csv").open())}
    changed = [name for name, row in rows.items() if row["changed"] == "yes"]
    assert changed and "Credit amount" not in changed
    no_problem(other)


def test_a_limit_and_a_weight_are_set_in_the_row(visit):
    page = visit("recourse?dataset=german")
    least = field(page, "Duration: least allowed")
    least.focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    wait_for(page, may="Duration:both:6")
    settle(page)
    field(page, "Duration: how hard").fill("3")
    page.keyboard.press("Enter")
    wait_for(page, may="Duration:both:6::3")
    settle(page)
    press(page, "button", "Back to the preset")
    wait_for(page, may=None)
    expect(field(page, "Duration: how hard")).to_have_value("1")
    no_problem(page)


def test_the_page_stays_where_it_is_while_a_row_is_edited(visit):
    page = visit("recourse?dataset=sba&v=2", height=700)
    choice = field(page, "Jobs created: may change")
    resting_place(page, choice)
    main = "() => document.querySelector('[data-testid=stMain]').scrollTop"
    before = page.evaluate(main)
    choice.select_option("no")
    wait_for(page, may="Jobs created:no")
    settle(page)
    assert abs(page.evaluate(main) - before) <= 2
    no_problem(page)


def test_find_an_applicant_by_a_feature(visit):
    page = visit("recourse?dataset=german")
    press(page, "button", "Find")
    choose(page, "Filter by", "Status")
    drawer = page.get_by_role("dialog")
    drawer.get_by_text("Find an applicant").click()
    drawer.get_by_text(re.compile(r"^0–200 DM \(\d+\)$")).click()
    # A number of one or two digits, or from 100 to 182: fewer than all.
    fewer = re.compile(r"^(\d{1,2}|1[0-7]\d|18[0-2]) of 183 declined applicants")
    expect(page.get_by_text(fewer)).to_be_visible()
    no_problem(page)


def test_a_shared_link_opens_the_same_screen_elsewhere(visit):
    page = visit(
        "recourse?dataset=german&rho=0.2&k=3&may=Age:up::60:2&weights=ball&tab=Why it holds"
    )
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
    expect(other.get_by_role("radio", name="Why it holds")).to_be_checked()
    certificate = "[data-testid=stTable] >> nth=0"
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
    expect(page.get_by_text("WORST CASE", exact=False).first).to_be_visible()
    no_problem(page)


def test_everything_has_a_name_for_those_who_cannot_see(visit):
    page = visit("recourse?dataset=student")
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll(
                '[data-testid=stMain] button, [data-testid=stSidebar] button, input')]
            .filter(e => e.offsetParent && !e.textContent.trim() && !e.ariaLabel && !e.title
                         && !(e.labels && e.labels.length) && !e.getAttribute('aria-labelledby'))
            .map(e => e.outerHTML.slice(0, 160))"""
    )
    assert unnamed == []
    for words in ("Bars of the worst case", "across and", "Effort against the worst case"):
        expect(page.get_by_role("img", name=re.compile(words)).first).to_be_attached()
    unlabelled = page.evaluate(
        """() => [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
            .flatMap(part => [...part.shadowRoot.querySelectorAll('input, select, button')])
            .filter(e => !e.ariaLabel && !e.textContent.trim()).map(e => e.outerHTML)"""
    )
    assert unlabelled == []
