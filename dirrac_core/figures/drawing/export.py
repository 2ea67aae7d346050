"""A figure as a file: HTML that needs nothing from outside, PNG and SVG by a local Chromium."""

import base64
import html
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import unquote_to_bytes

import plotly.graph_objects as go

from dirrac_core.arrays import checked_choice
from dirrac_core.errors import DrawingFailure
from dirrac_core.figures.drawing.palette import BACKGROUND, INK, alt_text

SUFFIXES = (".html", ".png", ".svg")
BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
WIDTH, HEIGHT = 1000, 460
# Pixels of the picture for each of the figure.
SCALES = {"png": 2, "svg": 1}
TIME_LIMIT = 120.0
# Nothing is fetched or reported; the last one lets the page finish its work before it is read.
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--virtual-time-budget=20000",
)
_PICTURE = re.compile(r"data:image/(?:svg\+xml|png)(;base64)?,([^<\s]*)")


def write_figure(figure: go.Figure, path: Path, title: str = "") -> None:
    """Write the figure to `path`, in the format its name ends in: .html, .png or .svg.

    The HTML holds plotly's own script and the description, and asks for nothing else.
    The other two need Chromium or Chrome on the PATH.
    """
    suffix = checked_choice("The ending of a picture's file name", path.suffix.lower(), SUFFIXES)
    shown = go.Figure(figure)
    dark = shown.layout.template.layout.font.color == INK["dark"]
    background = BACKGROUND["dark" if dark else "light"]
    shown.update_layout(paper_bgcolor=background, plot_bgcolor=background)
    if suffix == ".html":
        path.write_text(_page(shown, title, background), encoding="utf-8")
    else:
        path.write_bytes(_picture(shown, suffix.removeprefix(".")))


def browser() -> str | None:
    """The path of an installed Chromium or Chrome; None when there is none."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def _page(figure: go.Figure, title: str, background: str) -> str:
    chart = figure.to_html(full_html=False, include_plotlyjs=True, config={"displaylogo": False})
    ink = INK["dark" if background == BACKGROUND["dark"] else "light"]
    style = f"margin: 24px auto; max-width: {WIDTH}px; font-family: sans-serif"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title></head>\n"
        f'<body style="{style}; background: {background}; color: {ink}">\n'
        f"<h1>{html.escape(title)}</h1>\n{chart}\n<p>{html.escape(alt_text(figure))}</p>\n"
        "</body></html>\n"
    )


def _picture(figure: go.Figure, form: str) -> bytes:
    """The figure drawn by plotly inside a headless browser, which prints it as a data URL."""
    program = browser()
    if program is None:
        raise DrawingFailure(
            f"A .{form} picture needs one of {', '.join(BROWSERS)} on the PATH, found none; "
            "a .html file needs nothing"
        )
    width, height = figure.layout.width or WIDTH, figure.layout.height or HEIGHT
    asked = f"{{format: '{form}', width: {width}, height: {height}, scale: {SCALES[form]}}}"
    script = (
        f"Plotly.toImage(document.getElementById('picture'), {asked})"
        ".then(function (image) { document.body.textContent = image; });"
    )
    page = figure.to_html(include_plotlyjs=True, div_id="picture", post_script=script)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "figure.html"
        file.write_text(page, encoding="utf-8")
        profile = f"--user-data-dir={Path(folder) / 'profile'}"
        try:
            run = subprocess.run(
                [program, *_FLAGS, profile, "--dump-dom", file.as_uri()],
                capture_output=True,
                text=True,
                timeout=TIME_LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise DrawingFailure(
                f"{program} must draw a figure within {TIME_LIMIT:g} seconds, got nothing"
            ) from None
    found = _PICTURE.search(run.stdout)
    if found is None:
        raise DrawingFailure(
            f"{program} must print a picture, got exit code {run.returncode} and none"
        )
    encoded, content = found.groups()
    return base64.b64decode(content) if encoded else unquote_to_bytes(content)
