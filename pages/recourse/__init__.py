"""The workbench: the plans of one applicant, the one table to tune them, and what follows."""

from pages.shared.address.declaration import Page

PAGE = Page(
    "recourse",
    "Workbench",
    ":material/route:",
    about_applicant=True,
    own_trees=True,
    follows_settings=True,
    parameters=(
        # The open part, the values tried out by hand, and the pinned plans.
        *("tab", "if", "pin"),
    ),
)
