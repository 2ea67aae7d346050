"""Geometry: the feasible set of one applicant as a picture."""

from pages.shared.address.declaration import Page

PAGE = Page(
    "geometry",
    "Geometry",
    ":material/shapes:",
    about_applicant=True,
    follows_settings=True,
    own_trees=True,
    parameters=(
        # The axes, what is held, what is shown.
        *("across", "up", "held", "view", "layers"),
        # The what-if point and the step of Algorithm 1.
        *("across_at", "up_at", "step"),
    ),
)
