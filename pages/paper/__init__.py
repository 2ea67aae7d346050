"""Paper: its tables and figures, and what can be proven."""

from pages.shared.address.declaration import Page

PAGE = Page(
    "paper",
    "Paper",
    ":material/article:",
    about_applicant=True,
    # Tables and figures have settings of their own.
    applicant_part=("paper_part", "What can be proven"),
    parameters=(
        # The part, the table or figure and its dataset, and the step of a lecture.
        *("paper_part", "paper_shown", "paper_dataset", "paper_step"),
        # The statement and its controls.
        *("claim", "claim_rho", "claim_k", "claim_add", "lesson_add"),
    ),
)
