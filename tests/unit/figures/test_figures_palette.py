"""The palette is readable on both pages, and shares are counted honestly."""

import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dirrac_core.errors import UnknownName
from dirrac_core.figures.drawing import palette
from dirrac_core.figures.drawing.palette import enlarged, template
from dirrac_core.wording import joined, out_of


def luminance(colour):
    """Relative luminance of a #RRGGBB colour (WCAG 2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", palette.THEMES)
def test_marks_and_text_stand_out_from_the_page(theme):
    page = palette.BACKGROUND[theme]
    marks = (*palette.COMPONENT_COLOURS, palette.FAVOURABLE, palette.UNFAVOURABLE, palette.NEUTRAL)
    for colour in marks:
        assert contrast(colour, page) >= 3.0, colour
    for colour in (palette.INK[theme], palette.MUTED_INK[theme]):
        assert contrast(colour, page) >= 4.5, colour


def test_ten_components_differ_by_more_than_colour():
    assert len({palette.component_colour(k) for k in range(10)}) == 10
    assert len({palette.component_symbol(k) for k in range(10)}) == 10
    own = {palette.FAVOURABLE, palette.UNFAVOURABLE}
    assert own.isdisjoint(palette.COMPONENT_COLOURS)
    assert palette.FAVOURABLE_SYMBOL != palette.UNFAVOURABLE_SYMBOL


def test_the_template_is_transparent_and_explicit():
    for theme in palette.THEMES:
        layout = palette.new_figure(theme).figure().layout.template.layout
        assert layout.paper_bgcolor == layout.plot_bgcolor == "rgba(0, 0, 0, 0)"
        assert layout.font.color == palette.INK[theme]
        assert layout.font.size >= 14
    with pytest.raises(UnknownName, match="theme"):
        palette.new_figure("sepia")


def test_translucent_keeps_the_colour():
    assert palette.translucent("#0072B2", 0.5) == "rgba(0, 114, 178, 0.5)"


@pytest.mark.parametrize(
    ("probability", "words"),
    [
        (0.0, "0 in 100"),
        (0.00005, "fewer than 1 in 10,000"),
        (0.0004, "4 in 10,000"),
        (0.0121, "12 in 1,000"),
        (0.12, "12 in 100"),
        (1.0, "100 in 100"),
    ],
)
def test_shares_in_words(probability, words):
    assert out_of(probability) == words


@given(st.floats(1e-4, 1.0))
def test_a_bound_is_never_understated(probability):
    count, base = out_of(probability, at_most=True).replace(",", "").split(" in ")
    assert int(count) / int(base) >= probability - 1e-9
    assert int(count) / int(base) <= probability + 1.0 / int(base) + 1e-9


def test_lists_in_words():
    assert joined(["a"]) == "a"
    assert joined(["a", "b", "c"]) == "a, b and c"


def test_a_picture_for_a_hall_has_larger_type_and_still_fits_the_screen():
    figure = go.Figure(go.Scatter(x=[1], y=[1]), {"template": template("light"), "height": 450})
    large = enlarged(figure, 1.6, tallest=560)
    before, after = figure.layout.template.layout.font.size, large.layout.template.layout.font.size
    assert after == round(1.6 * before) and figure.layout.height == 450
    assert large.layout.height == 560 and enlarged(figure, 1.6, 900).layout.height == 720
