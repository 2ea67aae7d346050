"""The pages of the app, in the order of the menu."""

from pathlib import Path

import streamlit as st

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "pages"
ASSETS = ROOT / "assets"
# Name of the file in pages/, title, icon. The first is the page the app opens with.
_PAGES = (
    ("start", "Start", ":material/home:"),
    ("recourse", "Recourse", ":material/route:"),
    ("geometry", "Geometry", ":material/shapes:"),
    ("frontier", "Frontier", ":material/show_chart:"),
    ("future_models", "Future models", ":material/scatter_plot:"),
    ("methods", "Methods", ":material/balance:"),
    ("portfolio", "Portfolio", ":material/groups:"),
    ("shift_lab", "Shift lab", ":material/science:"),
    ("your_data", "Your data", ":material/upload_file:"),
    ("paper", "Paper", ":material/article:"),
    ("learn", "Learn", ":material/school:"),
)
# The pages about one applicant share the sidebar of settings.
APPLICANT_PAGES = (
    "recourse",
    "geometry",
    "frontier",
    "future_models",
    "methods",
    "portfolio",
    "paper",
    "learn",
)


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
    return st.navigation([_page(*described) for described in _PAGES])


def about_applicant(page: st.Page) -> bool:
    """Whether the page shows the settings of an applicant."""
    return page.url_path in APPLICANT_PAGES


def file_of(name: str) -> Path:
    """The file of a page, for links to it."""
    return FOLDER / f"{name}.py"


def _page(name: str, title: str, icon: str) -> st.Page:
    return st.Page(file_of(name), title=title, icon=icon, default=name == _PAGES[0][0])
