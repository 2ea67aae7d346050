"""Track record: what was promised in the past, and what happened."""

from pages.shared.address.declaration import Page

PAGE = Page(
    "track_record",
    "Track record",
    ":material/fact_check:",
    about_applicant=True,
    own_trees=True,
    parameters=("evidence", "record_by"),
)
