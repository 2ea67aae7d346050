"""Shift lab: what a shift does to data, models and plans."""

from pages.shared.address.declaration import Page

PAGE = Page(
    "shift_lab",
    "Shift lab",
    ":material/science:",
    parameters=(
        # The part, the shift, and what plans are prepared for.
        *("lab_part", "lab_kind", "lab_size", "lab_prepared", "lab_effort", "lab_rho"),
        # The study of real data, and the tour.
        *("lab_dataset", "lab_setting", "tour"),
    ),
)
