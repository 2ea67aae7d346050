"""Figures as files: HTML that asks nobody for anything, pictures where a browser is installed."""

import re
import stat
import sys

import plotly.graph_objects as go
import pytest

from dirrac_core.errors import DrawingFailure, UnknownName
from dirrac_core.figures.drawing import export
from dirrac_core.figures.drawing.export import browser, write_figure
from dirrac_core.figures.drawing.palette import BACKGROUND, described, new_figure
from dirrac_core.figures.lessons.elbow import elbow

needs_browser = pytest.mark.skipif(browser() is None, reason="no Chromium or Chrome installed")


@pytest.fixture
def figure():
    return elbow([5.0, 2.0, 1.0], 2)


def test_html_holds_its_own_script_and_words(figure, tmp_path):
    path = tmp_path / "elbow.html"
    write_figure(figure, path, "K < 3 & more")
    text = path.read_text(encoding="utf-8")
    assert "<title>K &lt; 3 &amp; more</title>" in text
    assert "falls from 100 % at K = 1" in text
    assert "Plotly.newPlot" in text and len(text) > 1_000_000
    assert not re.search(r"<(script|link|img)[^>]*\s(src|href)=", text)


def test_user_text_stays_text(tmp_path):
    trick = "</p><script>alert(1)</script>"
    path = tmp_path / "x.html"
    write_figure(described(new_figure("light"), trick), path, trick)
    assert "<script>alert(1)" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_has_the_colour_of_the_theme(theme, tmp_path):
    made = elbow([5.0, 2.0, 1.0], 2, theme)
    path = tmp_path / "x.HTML"
    write_figure(made, path)
    assert f"background: {BACKGROUND[theme]}" in path.read_text(encoding="utf-8")
    assert made.layout.paper_bgcolor is None


@needs_browser
def test_png_and_svg_are_drawn(figure, tmp_path):
    write_figure(figure, tmp_path / "x.png")
    content = (tmp_path / "x.png").read_bytes()
    assert content.startswith(b"\x89PNG\r\n")
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    assert (width, height) == (2 * export.WIDTH, 2 * figure.layout.height)
    write_figure(figure, tmp_path / "x.svg")
    text = (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert text.startswith("<svg") and text.endswith("</svg>") and "number of components K" in text


def test_without_a_browser_the_refusal_names_what_is_missing(figure, tmp_path, monkeypatch):
    monkeypatch.setattr(export.shutil, "which", lambda name: None)
    with pytest.raises(DrawingFailure, match="chromium.*found none; a .html file needs nothing"):
        write_figure(figure, tmp_path / "x.png")
    write_figure(figure, tmp_path / "x.html")
    assert not (tmp_path / "x.png").exists()


def program(tmp_path, lines):
    """A stand-in for a browser."""
    path = tmp_path / "browser"
    path.write_text(f"#!{sys.executable}\n{lines}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_a_browser_that_draws_nothing_is_told(figure, tmp_path, monkeypatch):
    monkeypatch.setattr(export, "browser", lambda: program(tmp_path, "raise SystemExit(7)"))
    with pytest.raises(DrawingFailure, match="exit code 7"):
        write_figure(figure, tmp_path / "x.svg")


def test_a_browser_that_hangs_is_stopped(figure, tmp_path, monkeypatch):
    monkeypatch.setattr(export, "TIME_LIMIT", 0.2)
    sleeps = program(tmp_path, "import time; time.sleep(60)")
    monkeypatch.setattr(export, "browser", lambda: sleeps)
    with pytest.raises(DrawingFailure, match=r"within 0\.2 seconds"):
        write_figure(figure, tmp_path / "x.svg")


def test_other_endings_are_refused(tmp_path):
    with pytest.raises(UnknownName, match="jpg"):
        write_figure(go.Figure(), tmp_path / "x.jpg")
