"""The letter on paper: one A4 page through the browser's own print to PDF."""

import datetime
import re
from dataclasses import fields, replace

import pytest

from dirrac_core.case.case import bundle_of, solve_scenario
from dirrac_core.case.documents.letter import letter
from dirrac_core.case.facts import facts_of
from dirrac_core.case.horizon import horizon_of
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import DATASETS
from dirrac_core.recourse.room import room_to_move

A4 = (595, 842)


def printed(browser, html):
    page = browser.new_page()
    page.set_content(html)
    pdf = page.pdf(prefer_css_page_size=True)
    page.close()
    sizes = re.findall(rb"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)", pdf)
    pages = len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))
    return pages, [(round(float(w)), round(float(h))) for w, h in sizes]


def letter_of(dataset, **given):
    settings = replace(recommended(dataset), **given)
    own = {field.name: getattr(settings, field.name) for field in fields(settings)}
    for row in bundle_of(settings).declined:
        solution = solve_scenario(Scenario(**own, applicant=int(row)))
        case, x = solution.case, solution.plan.x
        if x is not None:
            room = room_to_move(case.dataset, case.problem, x)
            until = horizon_of(case.scenario, case.dataset).sentence
            address = "http://localhost:8501/?" + "v=2&dataset=german&applicant=1&" * 3
            day = datetime.date(2026, 11, 17)
            return letter(solution, facts_of(case, x), address, day, room, until)
    raise AssertionError("nobody has a plan")


@pytest.mark.parametrize("dataset", DATASETS)
def test_the_letter_is_one_page_of_a4(browser, dataset):
    pages, sizes = printed(browser, letter_of(dataset))
    assert pages == 1 and all(abs(w - A4[0]) <= 1 and abs(h - A4[1]) <= 1 for w, h in sizes)


def test_a_longer_text_would_be_counted_as_two_pages(browser):
    """The count itself can fail."""
    pages, _ = printed(browser, "<style>@page{size:A4}</style>" + "<p>line</p>" * 80)
    assert pages > 1
