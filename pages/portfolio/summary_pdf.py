"""The summary as a PDF file: the contents of `summary` on one A4 page, made without a browser."""

import io
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import matplotlib
from reportlab.graphics.shapes import Circle, Drawing, Line, Rect, String
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Frame, KeepInFrame, Paragraph, Spacer, Table

from pages.portfolio.summary import Contents

# Its letters include arrows, ≤ and Greek; it comes with matplotlib, which draws with it as well.
FONT, BOLD = "DejaVu Sans", "DejaVu Sans Bold"
INK, QUIET, TITLE, RULE = (HexColor(c) for c in ("#1d2328", "#4b545b", "#00527f", "#c9ced2"))
MARGIN, GAP = 12 * mm, 5 * mm
WIDE, HIGH = A4[0] - 2 * MARGIN, A4[1] - 2 * MARGIN
HALF = (WIDE - GAP) / 2
_NO_PADDING = [
    (f"{side}PADDING", (0, 0), (-1, -1), 0) for side in ("LEFT", "RIGHT", "TOP", "BOTTOM")
]
_AT_TOP = ("VALIGN", (0, 0), (-1, -1), "TOP")


def summary_pdf(page: Contents) -> bytes:
    """The page as PDF: always one page, its type made smaller where it would not fit."""
    _fonts()
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4, lang="en")
    canvas.setTitle(page["title"])
    frame = Frame(MARGIN, MARGIN, WIDE, HIGH, 0, 0, 0, 0)
    frame.addFromList([KeepInFrame(WIDE, HIGH, _story(page), mode="shrink")], canvas)
    canvas.save()
    return file.getvalue()


@cache
def _fonts() -> None:
    """Register the font, once per process."""
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    for name, file in ((FONT, "DejaVuSans.ttf"), (BOLD, "DejaVuSans-Bold.ttf")):
        pdfmetrics.registerFont(TTFont(name, folder / file))
    pdfmetrics.registerFontFamily(FONT, FONT, BOLD, FONT, BOLD)


def _story(page: Contents) -> list[Flowable]:
    link = f'<link href="{escape(page["link"], {chr(34): "&quot;"})}">{escape(page["link_words"])}'
    return [
        _words(page["title"], 14.5, font=BOLD),
        _quiet(page["day"]),
        _words(page["headline"], 10.5, font=BOLD, after=3),
        _led("Purpose.", page["purpose"]),
        _strip(page["strip"]),
        _led("Track record.", page["record"]),
        _halves(
            [_head("Plans by their worst case"), _drawing(page["promises_picture"])],
            [_head(page["picture_title"]), _drawing(page["groups_picture"])],
        ),
        _halves(
            [
                _head("What it costs, in real units"),
                *_table(page["demand_heads"], page["demands"], HALF, (0.3, 0.13, 0.4, 0.17)),
                _quiet(page["demand_note"]),
            ],
            [
                _head("Who is left out"),
                *(_words(line) for line in page["left_out"]),
                _head("What could go wrong"),
                *(_words(f"• {line}") for line in page["risks"]),
            ],
        ),
        _head(page["group_title"]),
        _words(page["group_sentence"]),
        *_table(page["group_heads"], page["groups"], WIDE, _shares(len(page["group_heads"]))),
        _quiet(page["group_note"]),
        Spacer(1, 3),
        Paragraph(f"<b>Settings.</b> {escape(page['settings'])} {link}</link>", _style(6.2, QUIET)),
    ]


def _style(size: float, colour: HexColor, font: str = FONT, after: float = 1.5) -> ParagraphStyle:
    return ParagraphStyle(
        f"{font} {size} {after}",
        fontName=font,
        fontSize=size,
        leading=1.24 * size,
        textColor=colour,
        spaceAfter=after,
        # A name without a space is broken, not pushed over the edge.
        splitLongWords=True,
    )


def _words(text: str, size: float = 8.2, font: str = FONT, after: float = 1.5) -> Paragraph:
    return Paragraph(escape(text), _style(size, INK, font, after))


def _quiet(text: str) -> Paragraph:
    return Paragraph(escape(text), _style(7.2, QUIET))


def _head(text: str) -> Paragraph:
    return Paragraph(escape(text), _style(9.4, TITLE, BOLD))


def _led(lead: str, text: str) -> Paragraph:
    return Paragraph(f"<b>{lead}</b> {escape(text)}", _style(8.2, INK, after=3))


def _strip(cells: Sequence[dict[str, str]]) -> Table:
    boxes = [
        [_quiet(cell["label"]), _words(cell["head"], 9.6, BOLD), _quiet(cell["words"])]
        for cell in cells
    ]
    look = [_AT_TOP, ("GRID", (0, 0), (-1, -1), 0.6, RULE), ("TOPPADDING", (0, 0), (-1, -1), 2)]
    return Table(
        [boxes], colWidths=[WIDE / len(boxes)] * len(boxes), style=look, spaceAfter=4, spaceBefore=2
    )


def _halves(left: list[Flowable], right: list[Flowable]) -> Table:
    widths = [HALF, GAP, HALF]
    return Table([[left, "", right]], colWidths=widths, style=[_AT_TOP, *_NO_PADDING], spaceAfter=3)


def _shares(columns: int) -> tuple[float, ...]:
    """The first column of a group matrix has its names."""
    return (0.24, *([0.76 / (columns - 1)] * (columns - 1))) if columns > 1 else ()


def _table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], wide: float, shares: Sequence[float]
) -> list[Flowable]:
    if not rows:
        return []
    cells = [
        [_words(head, 7.2, BOLD, 0) for head in heads],
        *([_words(cell, 7.2, after=0) for cell in row] for row in rows),
    ]
    look = [
        _AT_TOP,
        *_NO_PADDING,
        ("RIGHTPADDING", (0, 0), (-1, -1), 4),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1.2),
        ("LINEBELOW", (0, 0), (-1, -1), 0.5, RULE),
    ]
    widths = [wide * share for share in shares]
    return [Table(cells, colWidths=widths, style=look, spaceAfter=2)]


def _drawing(svg: str) -> Flowable:
    """One of the two small pictures, whose SVG holds four kinds of marks; nothing for none."""
    if not svg:
        return Spacer(1, 0)
    root = ElementTree.fromstring(str(svg))
    width, height = (float(side) for side in root.attrib["viewBox"].split()[2:])
    size = float(root.attrib["font-size"])
    scale = HALF / width
    drawing = Drawing(HALF, scale * height, transform=(scale, 0, 0, scale, 0, 0))
    for mark in root:
        drawing.add(_mark(mark, height, size))
    return drawing


def _mark(mark: ElementTree.Element, height: float, size: float) -> Rect | Line | Circle | String:
    """A mark of an SVG, whose y axis points down."""
    kind, of = mark.tag, mark.attrib

    def at(name: str) -> float:
        return float(of[name])

    if kind == "rect":
        y = height - at("y") - at("height")
        fill = HexColor(of["fill"])
        return Rect(at("x"), y, at("width"), at("height"), fillColor=fill, strokeColor=None)
    if kind == "line":
        dash = [float(part) for part in of.get("stroke-dasharray", "").split()] or None
        ends = at("x1"), height - at("y1"), at("x2"), height - at("y2")
        colour, thick = HexColor(of["stroke"]), at("stroke-width")
        return Line(*ends, strokeColor=colour, strokeWidth=thick, strokeDashArray=dash)
    if kind == "circle":
        fill, ring = HexColor(of["fill"]), HexColor(of["stroke"])
        place = at("cx"), height - at("cy"), at("r")
        return Circle(*place, fillColor=fill, strokeColor=ring, strokeWidth=at("stroke-width"))
    look = {"fontName": FONT, "fontSize": 0.86 * size, "fillColor": HexColor(of["fill"])}
    return String(at("x"), height - at("y"), mark.text or "", textAnchor=of["text-anchor"], **look)
