"""Start: what robust recourse is, ready examples, and the datasets."""

from pages.shared.address.declaration import Page

PAGE = Page(
    "start",
    "Start",
    ":material/home:",
)
