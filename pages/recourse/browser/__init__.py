"""What the browser draws itself: the table, the cards and the small pictures of the workbench."""

from functools import partial
from pathlib import Path

from pages.shared import browser

mount = partial(browser.mount, Path(__file__).parent)
