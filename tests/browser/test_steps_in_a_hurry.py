"""Steps of a slider faster than a page is drawn: at rest it shows the plan of its settings."""

from dataclasses import replace

import pytest
from gestures import settle
from playwright.sync_api import expect

from benchmarks.serving.served_app import served_app
from dirrac_core.case.case import solve_scenario
from dirrac_core.wording import in_100
from pages.runs.ahead import PAUSE, SWITCH
from pages.shared.defaults import first_declined

# Milliseconds between presses: before a page is drawn at all, and while it is.
PRESSES, HURRIES = 5, (50, 250)


@pytest.fixture
def looking_ahead():
    """A server that computes the next step while nobody waits."""
    with served_app({SWITCH: "yes"}) as (port, _):
        yield f"http://localhost:{port}"


def pressed(page, key, presses, pause):
    """ρ after some presses of a key, once the page is at rest."""
    slider = page.get_by_role("slider", name="Radius of doubt ρ").first
    slider.focus()
    for _ in range(presses):
        page.keyboard.press(key)
        page.wait_for_timeout(pause)
    settle(page)
    return float(slider.input_value())


def is_shown(page, rho):
    """The promise on the screen is that of the plan for this ρ, and nothing has failed."""
    found = solve_scenario(replace(first_declined("german"), radii=rho)).plan
    promised = f"at most {in_100(found.worst_case_probability)} of 100 decline"
    expect(page.locator(".facts .promise")).to_contain_text(promised)
    expect(page.get_by_text("went wrong")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_what_was_computed_ahead_and_what_was_given_up_lead_to_the_same_plan(
    open_page, looking_ahead
):
    page = open_page(f"{looking_ahead}/recourse?v=2&dataset=german")
    settle(page)
    is_shown(page, pressed(page, "ArrowRight", 2, 1000 * PAUSE + 900))
    is_shown(page, pressed(page, "ArrowRight", 3, 0))


def test_hurried_presses_all_count_and_do_not_end_the_connection(open_page):
    """Streamlit sent the names of messages that the browser had dropped by then, and values that
    took back the presses made since."""
    page = open_page("recourse?v=2&dataset=german")
    settle(page)
    start, step = pressed(page, "ArrowRight", 0, 0), 0.05
    for _ in range(2):
        for hurry in HURRIES:
            there = pressed(page, "ArrowRight", PRESSES, hurry)
            assert there == pytest.approx(start + PRESSES * step)
            assert pressed(page, "ArrowLeft", PRESSES, hurry) == pytest.approx(start)
    is_shown(page, start)
