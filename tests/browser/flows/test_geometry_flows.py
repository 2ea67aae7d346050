"""What a person does in the pictures: click a point, play ρ, step on, choose and take plans."""

import csv
import re

import pytest
from gestures import click_drawn, settle
from playwright.sync_api import TimeoutError, expect

GEOMETRY = "geometry?dataset=german&applicant=1"
FRONTIER = "frontier?dataset=german&applicant=1"
MAP = f"{FRONTIER}&who=map+of+ρ+and+δ_add"


def plot(page):
    """The plotting area of the only chart."""
    area = page.locator(".js-plotly-plot .nsewdrag").first
    expect(area).to_be_visible()
    return area


def click_inside(page, across, up):
    """Click into the picture at a part of its width and height, from its lower left corner."""
    click_drawn(page, plot(page), across, 1 - up)


def click_mark(page, method, number=0):
    """Click a mark of the method with this number in the frontier's legend.

    The marks of a method may come after its steps, which have no points.
    """
    plot(page)
    marks = page.locator(".js-plotly-plot .scatterlayer .trace:has(.points path)").nth(method)
    click_drawn(page, marks.locator(".points path").nth(number))


def pause(page):
    """Press Pause; where the walk has ended before the hand was there, play it again."""
    for _ in range(5):
        try:
            page.get_by_role("button", name="Pause").click(timeout=10_000)
        except TimeoutError:
            page.get_by_role("button", name="Play").click()
        else:
            return
    pytest.fail("The walk could not be paused")


def placed(page):
    """The two numbers of the what-if point."""
    fields = page.get_by_test_id("stMain").get_by_test_id("stNumberInputField")
    return fields.nth(0), fields.nth(1)


def test_a_click_places_a_point_and_the_link_brings_it_back(open_page):
    page = open_page(GEOMETRY)
    duration, amount = placed(page)
    expect(duration).to_have_value("")
    click_inside(page, 0.7, 0.6)
    expect(page.get_by_role("button", name="Take it away")).to_be_visible()
    expect(page.get_by_text("Outside the shaded set.")).to_be_visible()
    expect(page.get_by_test_id("stTable").filter(has_text="Worst case")).to_be_visible()
    months, marks = float(duration.input_value()), float(amount.input_value())
    assert 30 < months < 90 and 5_000 < marks < 18_424 and months == int(months)
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
    for layer in ("Level lines", "ROAR's plan", "Room to move"):
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


def test_algorithm_1_by_keyboard_and_by_itself(open_page):
    page = open_page("geometry?dataset=synthetic&view=Algorithm+1%2C+step+by+step")
    expect(page.get_by_text("Step 0 of")).to_be_visible()
    following = page.get_by_test_id("stMain").get_by_role("button", name="Step on")
    following.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Step 1 of")).to_be_visible()
    expect(page).to_have_url(re.compile("step=1"))
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_text(re.compile("Step ([3-9]|[1-9][0-9]) of"))).to_be_visible()
    pause(page)
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_the_picture_is_as_high_as_the_window(open_page):
    page = open_page(GEOMETRY, height=1000)
    plot(page)
    settle(page)
    box = page.locator(".chart").first.bounding_box()
    wide = page.get_by_test_id("stMainBlockContainer").bounding_box()["width"]
    assert box["height"] > 0.6 * 1000 and box["width"] > 0.6 * wide


def test_a_chart_is_brought_up_to_date_and_not_built_again(open_page):
    page = open_page(GEOMETRY)
    plot(page)
    settle(page)
    page.evaluate("() => { document.querySelector('.js-plotly-plot').wasHere = true; }")
    drawn = "() => document.querySelector('.js-plotly-plot .scatterlayer')?.innerHTML"
    before = page.evaluate(drawn)
    slider = page.get_by_role("slider", name="Extra effort δ_add")
    slider.press("ArrowRight")
    page.wait_for_function(f"(before) => ({drawn})() !== before", arg=before)
    assert page.evaluate("() => document.querySelector('.js-plotly-plot').wasHere")
    page.set_viewport_size({"width": 900, "height": 700})
    area = "() => document.querySelector('.js-plotly-plot .main-svg').getBoundingClientRect()"
    page.wait_for_function(
        f"() => ({area})().width === Math.floor(document.querySelector('.chart').clientWidth)"
    )


def test_a_chart_that_cannot_be_loaded_says_so_and_is_drawn_later(open_page):
    page = open_page(GEOMETRY)
    page.route("**/charts/**", lambda route: route.abort())
    page.reload()
    failed = page.get_by_text("The chart could not be loaded.")
    expect(failed).to_be_visible()
    page.unroute("**/charts/**")
    page.get_by_role("slider", name="Extra effort δ_add").press("ArrowRight")
    plot(page)
    expect(failed).to_have_count(0)


def test_a_mark_of_dirrac_shows_its_plan_and_goes_to_the_workbench(open_page):
    page = open_page(FRONTIER)
    click_mark(page, 0, number=1)
    heading = page.get_by_role("heading", name=re.compile(r"^DiRRAc, δ_add = "))
    expect(heading).to_be_visible()
    chosen = heading.inner_text().split("= ")[1]
    page.get_by_role("button", name="Take it to the workbench").click()
    expect(page).to_have_url(re.compile(f"recourse.*add={chosen}"))


def test_a_mark_of_roar_shows_its_plan_and_leaves_the_others_visible(open_page):
    page = open_page(FRONTIER)
    click_mark(page, 1, number=0)
    expect(page.get_by_role("heading", name=re.compile(r"^ROAR \(exact\), λ = "))).to_be_visible()
    expect(page.get_by_test_id("stTable").filter(has_text="Declining models")).to_be_visible()
    expect(page.get_by_role("link", name="Take it to the workbench")).to_be_visible()
    faint = page.locator(".js-plotly-plot .points path[style*='opacity: 0.2']")
    expect(faint).to_have_count(0)


def test_a_click_into_the_map_sets_radius_and_budget(open_page):
    page = open_page(MAP)
    before = page.get_by_role("heading", name="At ρ = 0.1 and δ_add = 0.3")
    expect(before).to_be_visible()
    click_inside(page, 0.35, 0.6)
    expect(before).to_have_count(0)
    after = page.get_by_role("heading", name=re.compile("^At ρ = "))
    expect(after).to_have_count(1)
    expect(page).to_have_url(re.compile("rho=.*add=|add=.*rho="))
    budget = float(re.search(r"add=([0-9.]+)", page.url)[1])
    assert 0.0 < budget < 0.3 and f"δ_add = {budget:g}" in after.inner_text()


def test_every_chart_and_table_can_be_taken_away(open_page, tmp_path):
    page = open_page(f"{GEOMETRY}&across_at=12&up_at=2000")
    plot(page)
    settle(page)
    page.locator(".chart").first.hover()
    starts = {"PNG": b"\x89PNG", "SVG": b"<svg"}
    for form, start in starts.items():
        with page.expect_download() as caught:
            page.get_by_role("button", name=f"Download this chart as {form}").click()
        path = tmp_path / f"chart.{form.lower()}"
        caught.value.save_as(path)
        assert path.read_bytes().startswith(start)
    page.get_by_test_id("stTable").first.hover()
    with page.expect_download() as caught:
        page.get_by_role("button", name="Download this table as CSV").first.click()
    path = tmp_path / "table.csv"
    caught.value.save_as(path)
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.reader(file))
    assert rows[0][1] == "Declining models" and rows[1][0] == "Worst case"


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
    assert all(row["plan: Duration"] for row in rows if row["found"] == "True")
    efficient = {row["efficient"] for row in rows if row["method"] == "DiRRAc"}
    assert efficient <= {"True", "False"} and "True" in efficient
    hollow = [row for row in rows if row["broken"]]
    assert all(row["legal"] == "False" for row in hollow)


def test_many_applicants_can_be_stopped_and_go_on(open_page):
    # DiRRAc alone is quick enough for the first people to be done soon on a busy machine.
    page = open_page("frontier?dataset=student&who=many+applicants&beside=")
    # So many that the computation is surely stopped before its end.
    page.get_by_role("spinbutton", name="Declined people").fill("100")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Compute for 100 applicants").click()
    expect(page.get_by_text(re.compile("([2-9]|[1-9][0-9]+) of 100 done"))).to_be_visible()
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    expect(page.get_by_text(re.compile("Stopped after [1-9]"))).to_be_visible()
    expect(page.get_by_text(re.compile("On average over [1-9]"))).to_be_visible()
    stopped = page.get_by_text(re.compile("Stopped after [1-9]")).inner_text()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text(re.compile("[0-9]+ of [0-9]+ done"))).to_be_visible()
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    later = page.get_by_text(re.compile("Stopped after [1-9]"))
    expect(later).to_be_visible()
    count = re.compile("Stopped after ([0-9]+)")
    assert int(count.search(later.inner_text())[1]) >= int(count.search(stopped)[1])
