"""Frontier: what lasting acceptance costs."""

from pages.shared.address.declaration import Page

PAGE = Page(
    "frontier",
    "Frontier",
    ":material/show_chart:",
    about_applicant=True,
    follows_settings=True,
    own_trees=True,
    parameters=(
        # Whose plans, how many people, what effort is set against, and the methods next to DiRRAc.
        *("who", "frontier_first", "against", "beside", "mark"),
    ),
)
