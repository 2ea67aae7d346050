"""Learn: the mathematics, the glossary, promises and limits."""

from pages.shared.address.declaration import Page

PAGE = Page(
    "learn",
    "Learn",
    ":material/school:",
    about_applicant=True,
    parameters=(
        # The chapter, whether formulas are shown, and the step of a lecture.
        *("chapter", "formulas", "learn_step"),
        # What is tried, and its controls.
        *("try_certificate", "try_adversary", "try_ceiling"),
        *("claim_of", "claim_gap", "claim_share"),
    ),
)
