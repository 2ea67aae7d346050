"""The summary as a PDF file: one A4 page whose type can be read, with the words of the summary."""

import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from reportlab.platypus import KeepInFrame

from pages.portfolio import summary_pdf as module
from pages.portfolio.summary import contents
from pages.portfolio.summary_pdf import summary_pdf
from tests.reviews import DAY, LINK, crowded, shipped

PAGE = re.compile(rb"/Type\s*/Page\b(?!s)")
SHEET = re.compile(rb"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)")


@pytest.fixture(scope="module", params=[("german", "Personal status"), ("sba", "Term")])
def said(request):
    dataset, group_by = request.param
    reviewed = shipped(dataset)
    return [
        contents(portfolio, group_by, 20, LINK + "&x=" + 520 * "y", DAY)
        for portfolio in (reviewed, crowded(reviewed))
    ]


def test_the_file_is_one_page_of_a4(said):
    for page in said:
        file = summary_pdf(page)
        assert file.startswith(b"%PDF-") and len(PAGE.findall(file)) == 1
        assert [round(float(side)) for side in SHEET.findall(file)[0]] == [595, 842]


def test_the_count_of_pages_counts(said, monkeypatch):
    class TwoPages(KeepInFrame):
        def drawOn(self, canvas, *place, **more):
            super().drawOn(canvas, *place, **more)
            canvas.showPage()
            canvas.drawString(0, 0, "two")

    monkeypatch.setattr(module, "KeepInFrame", TwoPages)
    assert len(PAGE.findall(summary_pdf(said[0]))) == 2


def test_even_a_crowded_page_keeps_type_that_can_be_read(said, monkeypatch):
    scales = []

    class Watched(KeepInFrame):
        def drawOn(self, canvas, *place, **more):
            scales.append(getattr(self, "_scale", 1.0) or 1.0)
            super().drawOn(canvas, *place, **more)

    monkeypatch.setattr(module, "KeepInFrame", Watched)
    for page in said:
        summary_pdf(page)
    # reportlab divides by the scale: 1.25 makes 8.2 points 6.6.
    assert len(scales) == 2 and max(scales) <= 1.25


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
def test_the_file_says_what_the_summary_says(said, tmp_path):
    page = said[0]
    (tmp_path / "page.pdf").write_bytes(summary_pdf(page))
    command = ["pdftotext", "-raw", str(tmp_path / "page.pdf"), "-"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    read = "".join(text.split())
    for words in (
        page["headline"],
        page["purpose"],
        page["record"],
        *page["left_out"],
        *page["risks"],
        *(cell["head"] for cell in page["strip"]),
        *(cell for row in page["demands"] for cell in row),
        page["group_sentence"],
        page["settings"],
        "≤ 20",
    ):
        assert "".join(words.split()) in read


def test_the_words_of_a_table_are_words_in_the_file():
    reviewed = shipped("german")
    hostile = '<img src="http://x/y.png"/><b onload=x>&'
    dataset = replace(reviewed.case.dataset, title=hostile)
    named = replace(reviewed, case=replace(reviewed.case, dataset=dataset))
    # A tag that reportlab knows would be opened, one it does not know would raise.
    page = contents(named, "Age", 20, 'http://x/?a="><b>', DAY)
    assert len(PAGE.findall(summary_pdf(page))) == 1
