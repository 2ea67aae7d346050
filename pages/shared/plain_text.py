"""Text of a visitor (a table's names and values, a file's name, a link) shown as it is."""

import re

_JOINER = "\u2060"
_ACTIVE = re.compile(r"[\\`*_\[\]<>&$~|]")
# What starts a heading, a list, a quotation or a rule.
_FIRST = re.compile(r"^(?:[#+=-]|\d+(?=[.)]))")
# Names of colours, icons and emoji, addresses: replaced after escapes are undone, so an invisible
# joiner has to keep their parts from being recognised.
_RECOGNISED = re.compile(r":(?=\S)|\bwww(?=\.)|(?<=\S)(?=@)", re.IGNORECASE)


def plain(text: object, most: int | None = None) -> str:
    """One line of Markdown that reads exactly as the text: no markup, formula, icon or link.

    Longer texts are cut to `most` characters.
    """
    words = " ".join(str(text).split())
    words = "".join(c for c in words if c.isprintable())
    if most is not None and len(words) > most:
        words = words[: most - 1] + "…"
    words = _RECOGNISED.sub(lambda found: found.group() + _JOINER, words)
    words = _ACTIVE.sub(lambda found: f"\\{found.group()}", words)
    return _FIRST.sub(_escaped_start, words)


def _escaped_start(found: re.Match[str]) -> str:
    start = found.group()
    return start + "\\" if start[0].isdigit() else "\\" + start
