"""Learn, what can be tried: the certificate closes, the adversary is ρ away, ρ has a ceiling."""

import re

import numpy as np
import pytest
from screen import charts, said

from dirrac_core.case.case import make_case
from dirrac_core.case.scenario import Scenario
from pages.learn.mathematics import SECTIONS, TRIED
from pages.shared.numbers import in_text

STEPS = {"certificate": "certificate", "adversary": "adversary", "ceiling": "ceiling_on_rho"}


@pytest.fixture
def open_step(open_app):
    """The section alone, as in a lecture, with what it lets one try."""
    places = {write.__name__: place for place, write in enumerate(SECTIONS, start=1)}

    def opened(name, **query):
        place = str(places[STEPS[name]])
        tried = {f"try_{name}": "true"}
        at = open_app("learn", lecture="true", learn_step=place, **tried, **query)
        return at.toggle(key=f"reveal learn_step {place}").set_value(True).run()

    return opened


def fine(at):
    return not at.exception and not at.error and not at.warning


def test_nothing_is_tried_until_the_switch_is_on(open_app):
    assert set(STEPS) == set(TRIED)
    at = open_app("learn")
    assert [at.toggle(key=f"try_{name}").value for name in TRIED] == [False] * 3
    assert "Target gap" not in [slider.label for slider in at.select_slider]


def test_the_certificate_closes(open_step):
    at = open_step("certificate")
    assert fine(at)
    wide = at.table[0].value
    at.select_slider(key="claim_gap").set_value(0.0001).run()
    close = at.table[0].value
    assert len(close) == len(wide) + 2
    bounds = close["Lower bound"].astype(float)
    assert bounds.is_monotonic_increasing and bounds.iloc[-1] > bounds.iloc[0] + 0.5
    assert (close["Worst case"].astype(float) >= bounds.iloc[-1]).all()
    assert float(close["Gap left"].iloc[-1]) <= 0.01
    at.button_group(key="claim_of").set_value("this applicant").run()
    assert fine(at) and at.select_slider(key="claim_k").value == 3


@pytest.mark.parametrize("unit", ["weights", "deviations"])
def test_the_adversary_is_exactly_rho_away(open_step, unit):
    at = open_step("adversary", dataset="german", applicant="1", claim_rho="0.25", unit=unit)
    assert fine(at)
    assert "The adversary is 0.250000 away, and ρ is 0.25" in said(at)
    ratio, score = re.search(
        r"ratio is ([\d.]+), exactly the robust score a = (\d\.\d+)", said(at)
    ).groups()
    assert ratio == score
    rival = float(re.search(r"the worst has a ratio of (\d\.\d+)", said(at))[1])
    assert rival > float(score)
    seen, expected = map(
        int, re.search(r"(\d+) decline the plan; the formula expects (\d+)", said(at)).groups()
    )
    assert abs(seen - expected) < 4 * np.sqrt(expected) + 1
    assert len(charts(at)) == 1
    at.slider(key="claim_rho").set_value(0.0).run()
    assert fine(at) and not charts(at)


def test_above_the_ceiling_there_is_no_plan(open_step):
    at = open_step("ceiling", dataset="german", applicant="1", claim_share="99")
    assert fine(at)
    largest = make_case(Scenario("german", 1)).problem.unbounded.largest_radius()
    assert f"the ceiling is ρ = {in_text(largest)}" in said(at)
    assert "takes an effort of" in said(at)
    at.slider(key="claim_share").set_value(101).run()
    assert fine(at) and "there is no plan, at any effort" in said(at)


def test_a_rho_beyond_the_ceiling_is_told(open_step):
    # A sidebar ρ beyond what the slider offers starts at its end.
    at = open_step("adversary", dataset="student", applicant="0", rho="2")
    assert at.slider(key="claim_rho").value == 1.0
    assert "has no plan at ρ = 1: with these rules the largest ρ" in at.warning[0].value
