"""The summary of a portfolio is one A4 page when it is printed, however much a table has to say."""

import re

import pytest

from pages.portfolio.summary import contents, summary
from tests.reviews import DAY, LINK, crowded, shipped

PAGE = re.compile(rb"/Type\s*/Page\b(?!s)")


@pytest.mark.parametrize("dataset, group_by", [("german", "Personal status"), ("sba", "Term")])
def test_the_summary_prints_on_exactly_one_page(browser, dataset, group_by):
    reviewed = shipped(dataset)
    visit = browser.new_context()
    requests = []
    page = visit.new_page()
    page.on("request", lambda request: requests.append(request.url))
    for portfolio in (reviewed, crowded(reviewed)):
        said = contents(portfolio, group_by, 20, LINK + "&x=" + 520 * "y", DAY)
        page.set_content(summary(said))
        assert len(PAGE.findall(page.pdf(prefer_css_page_size=True))) == 1
        assert page.locator("svg").count() == 2
    assert requests == []
    visit.close()


def test_the_count_of_pages_counts(browser):
    page = browser.new_page()
    page.set_content('<p style="break-after: page">one</p><p>two</p>')
    assert len(PAGE.findall(page.pdf())) == 2
    page.close()
