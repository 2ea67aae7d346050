"""What differs between two sets of answers, as lines to read."""

import difflib
from typing import Any

from tests.golden.store import compact

MOST_LINES = 40


def between(old: dict[str, Any], new: dict[str, Any]) -> dict[str, list[str]]:
    """Name of each answer that differs → what differs in it, old → new."""
    found = {}
    for name in [*old, *(name for name in new if name not in old)]:
        if name not in new:
            lines = ["is missing now"]
        elif name not in old:
            lines = ["is new"]
        else:
            lines = list(_lines("", old[name], new[name]))
        if len(lines) > MOST_LINES:
            lines = [*lines[:MOST_LINES], f"and {len(lines) - MOST_LINES} more lines"]
        if lines:
            found[name] = lines
    return found


def _lines(place: str, old: Any, new: Any):
    # The text tells NaN from nothing, 1 from 1.0 and every last digit.
    if compact(old) == compact(new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for name in [*old, *(name for name in new if name not in old)]:
            yield from _lines(f"{place}{name}: ", old.get(name), new.get(name))
    elif isinstance(old, list) and isinstance(new, list):
        yield from _listed(place, [compact(e) for e in old], [compact(e) for e in new])
    else:
        yield f"{place}{compact(old)} → {compact(new)}"


def _listed(place: str, old: list[str], new: list[str]):
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, i, i_end, j, j_end in matcher.get_opcodes():
        if kind == "equal":
            continue
        before, after = old[i:i_end], new[j:j_end]
        for step in range(max(len(before), len(after))):
            was = before[step] if step < len(before) else "nothing"
            now = after[step] if step < len(after) else "nothing"
            yield f"{place}[{i + step}] {was} → {now}"
