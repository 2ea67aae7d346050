"""The part of a page that follows its settings is drawn by itself; nothing is left old."""

import re

import pytest
from gestures import go_to, settle, take
from playwright.sync_api import expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

# What a page says of the change that led to it, and a fresh one cannot know.
OF_THE_CHANGE = re.compile(r"\d+ → \d+ · |The plan stays the same: .*\n?")
WORKBENCH = "recourse?v=2&dataset=german"
RHO = "Radius of doubt ρ"
# The steps after which a fresh page is opened, which takes long.
COMPARED = ("size", "each", "back", "a row", "reset")


def runs_of(page):
    """For each run from now on: how many parts of the page it drew alone; 0 is the whole page."""
    alone = []

    def heard(payload):
        message = ForwardMsg.FromString(payload)
        if message.WhichOneof("type") == "new_session":
            alone.append(len(message.metadata.run.fragment_ids))

    def listen(socket):
        socket.on("framereceived", heard)

    page.on("websocket", listen)
    page.reload()
    settle(page)
    alone.clear()
    return alone


def words(page):
    """All that can be read."""
    said = page.get_by_test_id("stApp").inner_text()
    return [line for line in OF_THE_CHANGE.sub("", said).splitlines() if line.strip()]


def shown(page):
    """All that can be read, and where every control stands."""
    return words(page), page.evaluate(
        """() => [...document.querySelectorAll('input, [role=radio], [role=slider], select')].map(
          (each) => [each.getAttribute('aria-label'), each.value, each.checked,
                     each.getAttribute('aria-checked'), each.getAttribute('aria-valuemax')])"""
    )


def opened(open_page, address, settings):
    """A fresh page with a group of settings open."""
    page = open_page(address)
    settle(page)
    page.get_by_text(settings).click()
    settle(page)
    return page


def watched(open_page, settings, address=WORKBENCH):
    """A page with a group of settings open, and its runs from now on."""
    page = open_page(address)
    alone = runs_of(page)
    page.get_by_text(settings).click()
    settle(page)
    return page, alone


def pressed(page, name, key="ArrowRight"):
    page.get_by_role("slider", name=name).first.focus()
    page.keyboard.press(key)
    settle(page)


def test_a_setting_draws_what_follows_it_and_no_more(open_page):
    page, alone = watched(open_page, "More on the futures")
    pressed(page, RHO)
    alone.clear()
    for name in (RHO, "Extra effort δ_add", "Extra effort δ_add"):
        pressed(page, name)
        expect(page.get_by_role("slider", name=name).first).to_be_focused()
    assert alone == [1, 1, 1]
    page.get_by_role("radio", name="Gaussian").click()
    settle(page)
    page.get_by_role("radio", name="model weights").click()
    settle(page)
    # The plan and ρ, whose ceiling is another.
    assert alone[3:] == [2, 2]
    assert shown(page) == shown(opened(open_page, page.url, "More on the futures"))


def test_what_is_drawn_quickly_is_not_announced(open_page):
    page, alone = watched(open_page, "Advanced")
    pressed(page, RHO)
    page.evaluate(
        """() => {
          const app = document.querySelector('[data-testid=stApp]');
          new MutationObserver(() => {
            window.said.push(app.getAttribute('data-test-script-state'));
          }).observe(app, {attributeFilter: ['data-test-script-state']});
        }"""
    )

    def said(press):
        page.evaluate("() => { window.said = []; }")
        alone.clear()
        press()
        settle(page)
        assert alone
        return page.evaluate("() => window.said")

    # A busy machine may take a while for some of them.
    keys = ("ArrowLeft", "ArrowRight") * 3
    assert any(said(lambda key=key: pressed(page, RHO, key)) == [] for key in keys)
    field = page.get_by_role("spinbutton", name="Cut-off").first
    field.fill("0.6")
    assert "running" in said(lambda: field.press("Enter"))


def test_no_control_is_left_where_it_was(open_page):
    """Each change, and each way back, leaves the screen a fresh page has at its address."""
    page, alone = watched(open_page, "More on the futures")

    def size(text):
        page.get_by_role("spinbutton", name="Trained on … people").fill(text)
        page.keyboard.press("Enter")

    def press(name):
        page.get_by_role("button", name=name, exact=True).click()

    steps = {
        "size": lambda: size("500"),
        "futures": lambda: take(page, "Futures", "luck only"),
        "K": lambda: take(page, "Components K", "3"),
        "each": lambda: page.get_by_text("ρ_k per component").click(),
        "back": lambda: [press("Undo"), settle(page), press("Undo")],
        "on": lambda: press("Redo"),
        "a row": lambda: page.get_by_label("Duration: may change").select_option("no"),
        "empty": lambda: size(""),
        "reset": lambda: press("Reset"),
    }
    for name, step in steps.items():
        step()
        settle(page)
        if name not in COMPARED:
            continue
        fresh = opened(open_page, page.url, "More on the futures")
        assert shown(page) == shown(fresh), name
        fresh.context.close()
    assert all(alone)


@pytest.mark.parametrize(
    # A method that takes long would be at work on one page and done on the other.
    "address",
    ["geometry?", "frontier?", "future_models?", "methods?methods_shown=DiRRAc variants&"],
)
def test_every_page_about_one_plan_follows_its_settings(open_page, address):
    page, alone = watched(open_page, "More on the futures", f"{address}v=2&dataset=german")
    pressed(page, RHO)
    take(page, "Futures", "luck only")
    settle(page)
    take(page, "Components K", "3")
    settle(page)
    pressed(page, "Extra effort δ_add")
    page.get_by_role("button", name="Undo", exact=True).click()
    settle(page)
    assert alone and all(alone)
    fresh = opened(open_page, page.url, "More on the futures")
    pictures = page.get_by_role("button", name="PNG").count()
    expect(fresh.get_by_role("button", name="PNG")).to_have_count(pictures)
    assert shown(page) == shown(fresh)
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page).to_have_url(re.compile("applicant=(?!1&)"))
    settle(page)
    assert alone[-1] == 0


def test_a_setting_that_reaches_further_draws_the_whole_page(open_page):
    page = open_page(WORKBENCH)
    alone = runs_of(page)
    expect(page.get_by_role("heading", level=2).first).to_contain_text("(50 needed)")
    page.get_by_text("Advanced").click()
    settle(page)
    field = page.get_by_role("spinbutton", name="Cut-off").first
    field.fill("0.6")
    field.press("Enter")
    expect(page.get_by_role("heading", level=2).first).to_contain_text("(60 needed)")
    settle(page)
    assert not all(alone)
    assert words(page) == words(opened(open_page, page.url, "Advanced"))


def test_what_a_link_could_not_do_is_said_until_the_next_change(open_page):
    page = open_page(f"{WORKBENCH}&rho=much")
    settle(page)
    expect(page.get_by_text("The link was opened, except")).to_be_visible()
    pressed(page, "Extra effort δ_add")
    expect(page.get_by_text("The link was opened, except")).to_have_count(0)


def test_another_page_has_the_settings_of_the_workbench_and_back(open_page):
    page = open_page(WORKBENCH)
    settle(page)
    pressed(page, "Extra effort δ_add")
    kept = page.get_by_role("slider", name="Extra effort δ_add").input_value()
    page.get_by_role("link", name="Frontier").first.click()
    expect(page).to_have_url(re.compile("/frontier"))
    settle(page)
    assert page.get_by_role("slider", name="Extra effort δ_add").input_value() == kept
    pressed(page, "Extra effort δ_add")
    there = page.get_by_role("slider", name="Extra effort δ_add").input_value()
    assert float(there) > float(kept)
    go_to(page, "Workbench")
    expect(page.locator(".facts .promise")).to_be_visible()
    settle(page)
    assert page.get_by_role("slider", name="Extra effort δ_add").input_value() == there


def test_what_speaks_of_the_whole_page_follows_all_of_it(open_page):
    """The address while it is shown, with the part of the page and the values tried out."""
    page = opened(open_page, WORKBENCH, "Share")
    pressed(page, "Extra effort δ_add")
    page.get_by_role("radio", name="Price").click()
    settle(page)
    said = page.get_by_test_id("stSidebar").get_by_test_id("stCode").inner_text()
    assert said.strip() == page.url and "tab=Price" in said
    page.get_by_role("button", name="Share").click()
    settle(page)
    page.get_by_role("button", name="Choose ρ", exact=True).click()
    settle(page)
    page.get_by_role("button", name="Choose ρ for me").click()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_role("button", name="Choose ρ for me")).to_be_visible(timeout=60_000)


def test_a_press_that_a_clock_tells_of_first_is_drawn(open_page):
    """A part that is drawn again every second sends the state of all widgets with each tick."""
    page = open_page("geometry?v=2&dataset=german&view=Algorithm 1, step by step")
    parts, ticks = [], []

    def ticking(line):
        server = line.connect_to_server()

        def noted(payload):
            delta = ForwardMsg.FromString(payload).delta
            if "Algorithm 1 of the paper" in delta.new_element.markdown.body:
                parts.append(delta.fragment_id)
            line.send(payload)

        def preceded(payload):
            tick = BackMsg.FromString(payload)
            if tick.rerun_script.fragment_id and parts:
                tick.rerun_script.fragment_id, tick.rerun_script.is_auto_rerun = parts[-1], True
                server.send(tick.SerializeToString())
                ticks.append(tick)
                # It is answered before the press comes.
                page.wait_for_timeout(500)
            server.send(payload)

        server.on_message(noted)
        line.on_message(preceded)

    page.route_web_socket(re.compile("_stcore/stream"), ticking)
    page.reload()
    settle(page)
    page.get_by_text("More on the futures").click()
    expect(page.get_by_role("spinbutton", name="Trained on … people")).to_be_visible()
    assert ticks
