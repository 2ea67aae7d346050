"""Text of a visitor (a table's names and values, a file's name, a link) shown as it is."""

import re
from collections.abc import Sequence

import pandas as pd

_JOINER = "\u2060"
# An underscore between letters or digits is only that.
_ACTIVE = re.compile(r"[\\`*\[\]<>&$~|]|(?<![^\W_])_|_(?![^\W_])")
# What starts a heading or a list.
_FIRST = re.compile(r"^(?:(?:#|[+-]$|[+-](?=\s))|\d+(?=[.)](?:\s|$)))")
# Names of colours, icons and emoji, addresses, arrows: replaced after escapes are undone, so an
# invisible joiner has to keep their parts from being recognised.
_RECOGNISED = re.compile(r":(?=\S)|\bwww(?=\.)|(?<=\S)(?=@)|[-<>~](?=[->=])", re.IGNORECASE)


def plain(text: object, most: int | None = None) -> str:
    """One line of Markdown that reads exactly as the text: no markup, formula, icon or link.

    Longer texts are cut to `most` characters.
    """
    seen = "".join(c for c in str(text) if c.isprintable() or c.isspace())
    words = " ".join(seen.split())
    if most is not None and len(words) > most:
        words = words[: most - 1] + "…"
    words = _RECOGNISED.sub(lambda found: found.group() + _JOINER, words)
    words = _ACTIVE.sub(lambda found: f"\\{found.group()}", words)
    return _FIRST.sub(_escaped_start, words)


def _escaped_start(found: re.Match[str]) -> str:
    start = found.group()
    return start + "\\" if start[0].isdigit() else "\\" + start


def bullets(lines: Sequence[str], most: int | None = None) -> str:
    """Lines of Markdown as a list; beyond `most` it says how many more there are."""
    shown = list(lines[:most])
    if len(shown) < len(lines):
        shown.append(f"and {len(lines) - len(shown)} more")
    return "\n".join(f"- {line}" for line in shown)


def plain_table(frame: pd.DataFrame) -> pd.DataFrame:
    """A table for `st.table`, which reads its cells and names as Markdown."""
    shown = frame.map(plain)
    return shown.set_axis(shown.index.map(plain)).set_axis(shown.columns.map(plain), axis=1)
