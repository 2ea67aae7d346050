"""Portfolio: a plan for everyone declined."""

from pages.shared.address.declaration import Page

PAGE = Page(
    "portfolio",
    "Portfolio",
    ":material/groups:",
    about_applicant=True,
    own_trees=True,
    parameters=(
        # How many people, the plans to stand behind, what effort is set against, the groups.
        *("portfolio_first", "portfolio_level", "portfolio_up", "group_by", "group_measure"),
    ),
)
