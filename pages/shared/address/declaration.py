"""What a page says of itself: each folder of pages declares one in its `__init__`."""

from dataclasses import dataclass

LECTURE = "lecture"
"""The one parameter of the address that several pages share."""


@dataclass(frozen=True)
class Page:
    """Name in the address, title, icon, and the parameters of the address the page owns.

    A page `about_applicant` shows the settings of one applicant in the sidebar; with
    `applicant_part`, (parameter, value), only while the address says so. A page with `own_trees`
    has parts of its own for boosted trees; others show a linear approximation and say so. A page
    that `follows_settings` draws a part of it again by itself when one of them changes.
    """

    name: str
    title: str
    icon: str
    about_applicant: bool = False
    applicant_part: tuple[str, str] | None = None
    parameters: tuple[str, ...] = ()
    own_trees: bool = False
    follows_settings: bool = False
