"""Links of any content: every page opens, says what it ignored, and shows no markup of it."""

import pytest
from markup import shown_as_markup

from pages.shared import navigation
from pages.shared.address.links import PAGE_PARAMETERS
from pages.shared.address.parameters import NAMES
from pages.shared.notices import MOST_LINES

MARKUP = "<b>x</b> **y** [z](http://e.e) $q$ :red[w] <img src=x onerror=alert(1)>"
PAGES = navigation.NAMES
HOSTILE = {
    "markup": {name: MARKUP for name in (*NAMES, *PAGE_PARAMETERS)},
    "long": {name: "9" * 5000 for name in (*NAMES, *PAGE_PARAMETERS)},
    "not finite": {name: "nan" for name in (*NAMES, *PAGE_PARAMETERS)},
    "unknown": {f"<b>x</b>{i}": "\u202e\x07" * 50 for i in range(50)},
    "a table of somebody else": {"dataset": "table-" + "0" * 32, "applicant": "3", "rho": "0.5"},
}


EVERYWHERE = ("markup", "long")


@pytest.mark.parametrize(
    ("page", "kind"),
    [(page, kind) for page in PAGES for kind in EVERYWHERE]
    + [("recourse", kind) for kind in HOSTILE if kind not in EVERYWHERE],
)
def test_the_page_opens_and_says_what_it_ignored(open_app, page, kind):
    at = open_app(page, **HOSTILE[kind])
    assert not at.exception and not shown_as_markup(at)
    assert at.session_state["scenario"].dataset == "german"
    told = "\n".join(warning.value for warning in at.warning)
    assert "could not be used" in told
    lines = [line for line in told.splitlines() if line.startswith("- ")]
    assert lines and max(map(len, lines)) < 1300 and len(lines) <= 3 * (MOST_LINES + 1)
    assert at.header or at.title


def test_a_repeated_name_counts_once(open_app):
    at = open_app("recourse", rho=["0.2", "0.3"], seed=["1", "x"])
    assert not at.exception
    assert at.session_state["scenario"].radii in (0.2, 0.3)
