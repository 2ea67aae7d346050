"""Text of visitors in Markdown: nothing in it is markup any more, and it still reads the same."""

import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.shared.plain_text import plain, plain_table

JOINER = "\u2060"


def read(markdown):
    """What a reader sees of escaped text: escapes undone, invisible joiners not seen."""
    return re.sub(r"\\([^a-zA-Z0-9\s])", r"\1", markdown).replace(JOINER, "")


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("**b** _c_ loan_amount", r"\*\*b\*\* \_c\_ loan_amount"),
        ("[x](http://evil)", rf"\[x\](http:{JOINER}//evil)"),
        ("<img src=x>", r"\<img src=x\>"),
        ("$x$ and `y` ~~z~~", r"\$x\$ and \`y\` \~\~z\~\~"),
        (":red[x] :material/home: :smile:", None),
        ("www.evil.example me@evil.example", f"www{JOINER}.evil.example me{JOINER}@evil.example"),
        ("# head", r"\# head"),
        ("- item", r"\- item"),
        ("1. item", r"1\. item"),
        ("0.25", "0.25"),
        ("-0.25", "-0.25"),
        ("two\nlines\tand \x07 a bell", "two lines and a bell"),
        ("&lt;b&gt;", r"\&lt;b\&gt;"),
        ("a | b", r"a \| b"),
    ],
)
def test_markup_is_escaped(text, escaped):
    assert escaped is None or plain(text) == escaped
    assert not re.search(r":(?=[a-z])", plain(text))


@given(st.text(alphabet=st.characters(codec="ascii", exclude_categories=["Cc"])))
def test_it_still_reads_the_same(text):
    assert read(plain(text)) == " ".join(text.split())


def test_long_text_is_cut():
    assert plain("x" * 1000, 10) == "x" * 9 + "…"


def test_tables_are_escaped_everywhere():
    frame = pd.DataFrame({"*a*": ["<b>", "$x$"]}, index=["[i]", "j"])
    shown = plain_table(frame)
    assert shown.columns.tolist() == [r"\*a\*"] and shown.index.tolist() == [r"\[i\]", "j"]
    assert shown.iloc[:, 0].tolist() == [r"\<b\>", r"\$x\$"]
