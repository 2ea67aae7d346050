"""The pages of the app, in the order of the menu."""

from pathlib import Path

import streamlit as st

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "pages"
# Name of the file in pages/, title, icon. The first is the page the app opens with.
_PAGES = (
    ("start", "Start", ":material/home:"),
    ("recourse", "Recourse", ":material/route:"),
    ("geometry", "Geometry", ":material/shapes:"),
    ("frontier", "Frontier", ":material/show_chart:"),
    ("future_models", "Future models", ":material/scatter_plot:"),
)
# The pages about one applicant share the sidebar of settings.
APPLICANT_PAGES = ("recourse", "geometry", "frontier", "future_models")


def navigate() -> st.Page:
    """Draw the menu; the page the visitor is on."""
    return st.navigation([_page(*described) for described in _PAGES])


def about_applicant(page: st.Page) -> bool:
    """Whether the page shows the settings of an applicant."""
    return page.url_path in APPLICANT_PAGES


def file_of(name: str) -> Path:
    """The file of a page, for links to it."""
    return FOLDER / f"{name}.py"


def _page(name: str, title: str, icon: str) -> st.Page:
    return st.Page(file_of(name), title=title, icon=icon, default=name == _PAGES[0][0])
