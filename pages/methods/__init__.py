"""Methods: every method's plan side by side."""

from pages.shared.address.declaration import Page

PAGE = Page(
    "methods",
    "Methods",
    ":material/balance:",
    about_applicant=True,
    follows_settings=True,
    own_trees=True,
    parameters=(
        # For whom, which families, how many people, the open part, and the plan in detail.
        *("methods_for", "methods_shown", "methods_first", "methods_tab", "methods_plan"),
    ),
)
