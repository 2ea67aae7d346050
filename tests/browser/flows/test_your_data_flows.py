"""Your data in a real browser: upload, train, plan; and a table whose every text is an attack."""

import re

import numpy as np
import pandas as pd
from gestures import go_to, settle, take_from
from playwright.sync_api import expect

from dirrac_core.data.upload.sample_table import sample_table

NASTY = "<img src=x onerror=alert(1)> **b** [l](http://evil.example) $q$ :material/home:"
MAIN = '[data-testid="stMain"]'


def upload(page, content, place=0, name="mine.csv"):
    file = {"name": name, "mimeType": "text/csv", "buffer": content.encode()}
    page.locator('input[type="file"]').nth(place).set_input_files(file)


def choose_good(page, words):
    box = page.get_by_test_id("stMultiSelect").locator("input")
    take_from(page, box, page.get_by_role("option").filter(has_text=words))
    page.keyboard.press("Escape")


def train(page, content, good, name="mine.csv"):
    expect(page.get_by_text("Nothing leaves this machine")).to_be_visible()
    upload(page, content, name=name)
    expect(page.get_by_role("heading", name="What the columns mean")).to_be_visible()
    choose_good(page, good)
    page.get_by_role("button", name="Train and open").click()
    expect(page.get_by_role("heading", name=re.compile("is ready$"))).to_be_visible()


def open_from_summary(page, name):
    page.locator(MAIN).get_by_role("link", name=name, exact=True).click()


def test_an_upload_becomes_a_plan_and_its_link_stays_private(open_page):
    page = open_page("your_data")
    train(page, sample_table("present"), "passed")
    open_from_summary(page, "Workbench")
    expect(page.get_by_role("heading", name=re.compile("declined today"))).to_be_visible()
    expect(page.get_by_text("Simulated", exact=True).first).to_be_visible()
    expect(page).to_have_url(re.compile("dataset=table-[0-9a-f]{32}"))
    # The same address in another session asks for the file, shows nothing of it, and then works.
    other = open_page(page.url)
    expect(other.get_by_text("this table is not open here")).to_be_visible()
    expect(other.get_by_text("Credit amount (DM)").first).to_be_visible()
    go_to(other, "Your data")
    train(other, sample_table("present"), "passed")
    open_from_summary(other, "Workbench")
    expect(other.get_by_text("Simulated", exact=True).first).to_be_visible()
    name = re.search("dataset=(table-[0-9a-f]+)", page.url)[1]
    expect(other).to_have_url(re.compile(name))


def test_no_text_of_a_table_acts_in_the_page(open_page):
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 120)).round(2)
    job = rng.choice([f"{NASTY}1", f"{NASTY}2"], 120)
    good = np.where(first + second + rng.normal(size=120) > 0, NASTY, "bad")
    columns = {f"{NASTY}a": first, f"{NASTY}b": second, f"{NASTY}c": job, "out": good}
    page = open_page("your_data")
    dialogs, asked = [], []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: asked.append(request.url))
    train(page, pd.DataFrame(columns).to_csv(index=False), "<img", name=f"{NASTY[:40]}.csv")
    check_harmless(page)
    for name in ("Workbench", "Geometry", "Futures"):
        go_to(page, name)
        expect(page.get_by_role("heading", level=2).first).to_be_visible()
        if name != "Workbench":  # its pictures are small and no charts
            expect(page.locator(".chart").first).to_be_visible()
        settle(page)
        check_harmless(page)
    assert dialogs == []
    assert not [url for url in asked if "evil" in url or url.endswith("/x")]


def check_harmless(page):
    """No element of the page was made from the table's text."""
    main = page.locator(MAIN)
    acting = main.locator('img[src="x"], a[href^="http"][href*="evil"]')
    assert acting.evaluate_all("found => found.map(e => e.parentElement.outerHTML)") == []
    # Pages have formulas of their own; the table's would be a lone q.
    for formula in main.locator(".katex").all_text_contents():
        assert set(formula) != {"q"}
    for bold in main.locator("strong").all_text_contents():
        assert bold != "b"
    for icon in main.locator('[data-testid="stIconMaterial"]').all_text_contents():
        assert icon != "home"
