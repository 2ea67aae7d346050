"""What a person does in the pictures: click a point, play ρ, step on, choose and take plans."""

import csv
import re

from gestures import click_drawn
from playwright.sync_api import expect

GEOMETRY = "geometry?dataset=german&applicant=1"
FRONTIER = "frontier?dataset=german&applicant=1"


def plot(page):
    """The plotting area of the only chart."""
    area = page.locator(".js-plotly-plot .nsewdrag").first
    expect(area).to_be_visible()
    return area


def click_inside(page, across, up):
    """Click into the picture at a part of its width and height, from its lower left corner."""
    click_drawn(page, plot(page), across, 1 - up)


def click_mark(page, method, number=0):
    """Click a mark of the method with this number in the frontier's legend."""
    plot(page)
    mark = page.locator(".js-plotly-plot .scatterlayer .trace").nth(method)
    click_drawn(page, mark.locator(".points path").nth(number))


def placed(page):
    """The two numbers of the what-if point."""
    fields = page.get_by_test_id("stMain").get_by_test_id("stNumberInputField")
    return fields.nth(0), fields.nth(1)


def test_a_click_places_a_point_and_the_link_brings_it_back(open_page):
    page = open_page(GEOMETRY)
    duration, amount = placed(page)
    expect(duration).to_have_value("")
    click_inside(page, 0.7, 0.8)
    expect(page.get_by_role("button", name="Take it away")).to_be_visible()
    expect(page.get_by_text("Outside the shaded set.")).to_be_visible()
    expect(page.get_by_text("Guarantee: worst case")).to_be_visible()
    months, marks = float(duration.input_value()), float(amount.input_value())
    assert 30 < months < 72 and 9_000 < marks < 18_424 and months == int(months)
    expect(page).to_have_url(re.compile(f"across_at={months:g}"))
    second = open_page(page.url)
    expect(second.get_by_text("Outside the shaded set.")).to_be_visible()
    expect(placed(second)[0]).to_have_value(duration.input_value())
    second.get_by_role("button", name="Take it away").click()
    expect(placed(second)[0]).to_have_value("")


def test_another_click_moves_the_point(open_page):
    page = open_page(GEOMETRY)
    click_inside(page, 0.7, 0.8)
    expect(page.get_by_text("Outside the shaded set.")).to_be_visible()
    before = placed(page)[0].input_value()
    click_inside(page, 0.3, 0.3)
    expect(placed(page)[0]).not_to_have_value(before)


def test_the_shared_address_keeps_every_layer(open_page):
    page = open_page("geometry?dataset=synthetic")
    main = page.get_by_test_id("stMain")
    main.get_by_role("button", name="Level lines").click()
    expect(page).to_have_url(re.compile("Level"))
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_test_id("stCode").first).to_contain_text("Level")
    address = page.get_by_test_id("stCode").first.inner_text()
    second = open_page(address)
    plot(second)
    for layer in ("Level lines", "Path of Algorithm 1", "ROAR's plan"):
        chosen = second.get_by_test_id("stMain").get_by_role("button", name=layer)
        expect(chosen).to_have_attribute("aria-pressed", "true")


def test_the_animation_plays_in_the_browser_alone(open_page):
    page = open_page("geometry?dataset=synthetic&view=Animate+ρ")
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.reload()
    shown = page.locator(".slider-label").first
    expect(shown).to_have_text("ρ = 0")
    assert sent
    sent.clear()
    page.locator(".updatemenu-button").first.click()
    expect(shown).not_to_have_text("ρ = 0")
    assert sent == []


def test_algorithm_1_by_keyboard(open_page):
    page = open_page("geometry?dataset=synthetic&view=Algorithm+1%2C+step+by+step")
    expect(page.get_by_text("Step 0 of")).to_be_visible()
    following = page.get_by_test_id("stMain").get_by_role("button", name="Next")
    following.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Step 1 of")).to_be_visible()
    expect(page).to_have_url(re.compile("step=1"))


def test_a_mark_of_dirrac_is_the_plan_of_the_workbench(open_page):
    page = open_page(FRONTIER)
    click_mark(page, 0, number=1)
    expect(page.get_by_text("δ_add = 0.25 is set")).to_be_visible()
    expect(page).to_have_url(re.compile("add=0.25"))
    page.get_by_role("link", name="Open the workbench").click()
    expect(page.get_by_role("heading", name="Applicant 1 · declined today")).to_be_visible()
    expect(page).to_have_url(re.compile("recourse.*add=0.25"))


def test_a_mark_of_roar_shows_its_plan_and_leaves_the_others_visible(open_page):
    page = open_page(FRONTIER)
    click_mark(page, 1, number=7)
    expect(page.get_by_role("heading", name=re.compile(r"^ROAR \(exact\), λ = "))).to_be_visible()
    expect(page.get_by_text("Guarantee: worst case")).to_be_visible()
    faint = page.locator(".js-plotly-plot .points path[style*='opacity: 0.2']")
    expect(faint).to_have_count(0)


def test_the_data_can_be_taken_away(open_page, tmp_path):
    page = open_page(FRONTIER)
    plot(page)
    with page.expect_download() as caught:
        page.get_by_role("button", name="Data (CSV)").click()
    path = tmp_path / "frontier.csv"
    caught.value.save_as(path)
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    methods = {row["method"] for row in rows}
    assert {"DiRRAc", "ROAR (exact)", "ROAR (as published)", "Wachter"} <= methods
    best = max(float(row["m2"]) for row in rows if row["method"] == "DiRRAc")
    expect(
        page.get_by_text(f"a plan that {100 * best:.3g} of 100 future models accept")
    ).to_be_visible()
    assert all(row["plan: Duration"] for row in rows if row["found"] == "True")


def test_many_applicants_can_be_stopped_and_go_on(open_page):
    page = open_page("frontier?dataset=student&who=many+applicants")
    # So many that the computation is surely stopped before its end.
    page.get_by_role("spinbutton", name="Declined applicants").fill("60")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Compute for 60 applicants").click()
    expect(page.get_by_text(re.compile("Applicant ([2-9]|[1-5][0-9]) of 60"))).to_be_visible()
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    expect(page.get_by_text(re.compile("Stopped after [1-9]"))).to_be_visible()
    expect(page.get_by_text(re.compile("On average over [1-9]"))).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text(re.compile("Applicant [0-9]+ of 60"))).to_be_visible()
