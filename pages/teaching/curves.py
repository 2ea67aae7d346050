"""Both links as curves with a point to drag, or to move by the arrow keys, in the browser."""

from pathlib import Path

from dirrac_core.figures.lessons.links import link_table
from pages.shared.browser import mount

_FOLDER = Path(__file__).parent / "browser"


def draw_links(a: float, key: str) -> None:
    """The curves; the point starts at the score `a`."""
    mount(_FOLDER, "curves", key, link_table(a))
