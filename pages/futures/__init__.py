"""Futures: the models a plan may meet, and declared shifts."""

from pages.shared.address.declaration import Page

PAGE = Page(
    "future_models",
    "Futures",
    ":material/scatter_plot:",
    about_applicant=True,
    follows_settings=True,
    parameters=(
        # The part that is open, and what the cloud is looked at by.
        *("futures_show", "seen", "weight_across", "weight_up"),
    ),
)
