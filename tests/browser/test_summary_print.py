"""The summary of a portfolio is one A4 page when it is printed, however much a table has to say."""

import datetime
import re
from dataclasses import replace

import numpy as np
import pytest

from dirrac_core.studies.people.stored_portfolio import stored_portfolio
from pages.portfolio.run import Asked, Reviewed
from pages.portfolio.summary import summary
from pages.shared.defaults import first_declined

LINK = "http://localhost:8501/portfolio?v=2&dataset=german&group_by=Personal+status"
DAY = datetime.date(2026, 11, 17)
PAGE = re.compile(rb"/Type\s*/Page\b(?!s)")


def shipped(dataset):
    scenario = replace(first_declined(dataset), applicant=0)
    frame = stored_portfolio(scenario.settings)
    return Reviewed.of(Asked(scenario, len(frame)), frame)


def crowded(reviewed):
    """The same portfolio with everything that takes room: long names, no plans, much to blame."""
    frame = reviewed.frame.copy()
    lost = np.arange(len(frame)) % 3 == 0
    frame.loc[lost, "found"] = False
    frame.loc[lost, ["x", "cost", "worst_case", "m2", "declined"]] = None
    frame.loc[lost, "too_much_doubt"] = True
    names = [feature.name for feature in reviewed.case.dataset.schema.features]
    frame["unlocks"] = [tuple((name,) for name in names) if out else () for out in lost]
    frame.attrs["complete"] = False
    dataset = reviewed.case.dataset
    title = f"{dataset.title}, with a very long name that somebody gave to a table of their own"
    case = replace(reviewed.case, dataset=replace(dataset, title=title))
    return replace(reviewed, frame=frame, case=case)


@pytest.mark.parametrize("dataset, group_by", [("german", "Personal status"), ("sba", "Term")])
def test_the_summary_prints_on_exactly_one_page(browser, dataset, group_by):
    reviewed = shipped(dataset)
    visit = browser.new_context()
    requests = []
    page = visit.new_page()
    page.on("request", lambda request: requests.append(request.url))
    for portfolio in (reviewed, crowded(reviewed)):
        page.set_content(summary(portfolio, group_by, 20, LINK + "&x=" + 520 * "y", DAY))
        assert len(PAGE.findall(page.pdf(prefer_css_page_size=True))) == 1
        assert page.locator("svg").count() == 2
    assert requests == []
    visit.close()


def test_the_count_of_pages_counts(browser):
    page = browser.new_page()
    page.set_content('<p style="break-after: page">one</p><p>two</p>')
    assert len(PAGE.findall(page.pdf())) == 2
    page.close()
