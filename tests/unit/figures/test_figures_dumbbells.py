"""Dumbbells: every number of the table is a mark, and joined marks lie on one line."""

import numpy as np
import pandas as pd
import pytest

from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.palette import alt_text
from dirrac_core.figures.lessons.dumbbells import dumbbells


def test_every_known_number_is_a_mark_and_none_else():
    table = pd.DataFrame({"Paper": [99.0, 94.0], "Ours": [80.0, np.nan]}, index=["DiRRAc", "ROAR"])
    figure = dumbbells(table, "M2")
    marks = {trace.name: dict(zip(trace.y, trace.x, strict=True)) for trace in figure.data[1:]}
    assert marks == {"Paper": {"DiRRAc": 99.0, "ROAR": 94.0}, "Ours": {"DiRRAc": 80.0}}
    (line,) = [trace for trace in figure.data if trace.mode == "lines"]
    assert list(line.x) == [80.0, 99.0]
    assert "DiRRAc Paper 99, Ours 80; ROAR Paper 94" in alt_text(figure)


def test_an_empty_table_is_refused():
    with pytest.raises(InvalidInput, match="at least one method"):
        dumbbells(pd.DataFrame(), "M2")
