"""The menu of the app, on top: the pages as their folders declare them, in groups."""

from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared.address.declaration import Page

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "pages"
ASSETS = ROOT / "assets"
# The folders in the order of the menu, by the group they stand in; those of no group come first.
# The first is the page the app opens with.
GROUPS = {
    "": ("start", "your_data"),
    "Applicant": ("recourse", "geometry", "frontier", "futures"),
    "Everyone": ("portfolio", "methods", "track_record"),
    "Teach": ("shift_lab", "paper", "learn"),
}
MENU = tuple(folder for folders in GROUPS.values() for folder in folders)
# What Streamlit leaves empty above a page and above the sidebar, as little as the menu allows.
STYLE = ASSETS / "shell.css"


def _declared(folder: str) -> Page:
    page: Page = import_module(f"pages.{folder}").PAGE
    return page


PAGES = {folder: _declared(folder) for folder in MENU}
_FOLDERS = {page.name: folder for folder, page in PAGES.items()}
NAMES = tuple(_FOLDERS)
APPLICANT_PAGES = tuple(page.name for page in PAGES.values() if page.about_applicant)


def navigate() -> st.Page:
    """Configure the app and draw the menu; the page the visitor is on."""
    # Always before the menu: without an icon of its own the app would take that of the page, which
    # the browser fetches from another machine.
    st.set_page_config(
        page_title="Robust recourse",
        page_icon=str(ASSETS / "favicon.svg"),
        layout="wide",
        menu_items={"About": "What to change after a declined decision, and how well that lasts."},
    )
    page = st.navigation(
        {group: [_entry(PAGES[folder]) for folder in folders] for group, folders in GROUPS.items()},
        position="top",
    )
    st.html(STYLE)
    return page


def is_about_applicant(page: st.Page) -> bool:
    """Whether the page shows the settings of an applicant."""
    if page.url_path not in APPLICANT_PAGES:
        return False
    part = PAGES[_FOLDERS[page.url_path]].applicant_part
    return part is None or st.query_params.get(part[0]) == part[1]


def on_every_page() -> AbstractContextManager[None]:
    """Inside, widgets are those of all pages, whichever page draws them: they keep their values."""
    context = get_script_run_ctx()
    assert context is not None
    return context.run_with_active_hash(context.pages_manager.main_script_hash)


def follows_settings(page: st.Page) -> bool:
    """Whether the page draws its settings itself, with what follows them."""
    return PAGES[_FOLDERS[page.url_path]].follows_settings


def has_own_trees(page: st.Page) -> bool:
    """Whether the page has parts of its own for boosted trees."""
    return PAGES[_FOLDERS[page.url_path]].own_trees


def file_of(name: str) -> Path:
    """The file of a page, for links to it."""
    return FOLDER / _FOLDERS[name] / "page.py"


def _entry(page: Page) -> st.Page:
    return st.Page(
        file_of(page.name),
        title=page.title,
        icon=page.icon,
        url_path=page.name,
        default=page.name == NAMES[0],
    )
