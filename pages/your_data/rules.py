"""Rules of one's own that every plan has to keep: a ratio, a sum or a share of today's value."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from dirrac_core.data.schema.plan_rules import PlanRule, RatioRule, ShareRule, SumRule
from dirrac_core.errors import InvalidInput
from pages.shared.plain_text import plain
from pages.your_data.editor import kept_editor, records

RATIO, SUM, SHARE = "first ÷ second", "sum", "first ÷ today's value"
_NAME, _KIND, _FIRST, _SECOND = "Rule", "Of", "First", "Second"
_A, _B, _LEAST, _MOST, _WHY = "× first", "× second", "At least", "At most", "Why"
_COLUMNS = (_NAME, _KIND, _FIRST, _SECOND, _LEAST, _MOST, _A, _B, _WHY)
_NUMBERS = (_LEAST, _MOST, _A, _B)


def edit_rules(
    about: str, numbers: Sequence[str], start: Sequence[PlanRule]
) -> tuple[PlanRule, ...]:
    """Draw the small editor; the rules it holds, and those it has no cells for."""
    shown = [rule for rule in start if _fits(rule)]
    others = [rule for rule in start if not _fits(rule)]
    count = f" ({len(start)} to start with)" if start else ""
    with st.expander(f"Rules every plan has to keep{count}", icon=":material/rule:"):
        st.markdown(
            "A ratio such as *amount ÷ term* (an instalment), a weighted sum of two numbers, or a "
            "share of what the applicant has today (0.5 is a half), within limits, in the units of "
            "your table. A sum asked for starts with a rule; change or delete it as you see fit."
        )
        edited = kept_editor(
            "rules",
            about,
            _frame(shown),
            placeholder="–",
            num_rows="dynamic",
            column_config=_configuration(numbers),
            alt="Rules of your own: a ratio, a sum or a share, its limits and its reason",
        )
        if others:
            names = ", ".join(rule.name for rule in others)
            st.caption(f"Also in force, from the table file: {plain(names, 300)}.")
    filled = [row for row in records(edited) if any(value is not None for value in row.values())]
    return (*map(rule_of, filled), *others)


def rule_of(row: dict[str, Any]) -> PlanRule:
    """The rule in one row of the editor."""
    name, first, second = row[_NAME], row[_FIRST], row[_SECOND]
    if not name or not first:
        raise InvalidInput(f"A rule needs a name and a first number, got {name!r} and {first!r}")
    least, most, why = row[_LEAST], row[_MOST], row[_WHY] or ""
    if least is None and most is None:
        raise InvalidInput(f"The rule {name!r} needs a least or a most value, got neither")
    if row[_KIND] == SHARE:
        return ShareRule(name, first, least, most, why)
    if row[_KIND] == SUM:
        terms = [(first, 1.0 if row[_A] is None else row[_A])]
        if second:
            terms.append((second, 1.0 if row[_B] is None else row[_B]))
        return SumRule(name, tuple(terms), least, most, why)
    if not second:
        raise InvalidInput(f"The ratio {name!r} needs a second number, got none")
    return RatioRule(name, first, second, least, most, why)


def _fits(rule: PlanRule) -> bool:
    two = isinstance(rule, SumRule) and len(rule.terms) <= 2
    return two or isinstance(rule, RatioRule | ShareRule)


def _frame(rules: Sequence[PlanRule]) -> pd.DataFrame:
    rows = []
    for rule in rules:
        row: dict[str, Any] = {_NAME: rule.name, _WHY: rule.reason}
        if isinstance(rule, RatioRule):
            row |= {_KIND: RATIO, _FIRST: rule.top, _SECOND: rule.bottom}
            row |= {_LEAST: rule.least, _MOST: rule.most}
        elif isinstance(rule, ShareRule):
            row |= {_KIND: SHARE, _FIRST: rule.feature, _LEAST: rule.least, _MOST: rule.most}
        elif isinstance(rule, SumRule):
            (first, a), *rest = rule.terms
            row |= {_KIND: SUM, _FIRST: first, _A: a, _LEAST: rule.least, _MOST: rule.most}
            row |= {_SECOND: rest[0][0], _B: rest[0][1]} if rest else {}
        rows.append(row)
    frame = pd.DataFrame(rows, columns=list(_COLUMNS))
    texts = {name: "object" for name in _COLUMNS if name not in _NUMBERS}
    return frame.astype({**texts, **{name: "float64" for name in _NUMBERS}})


def _configuration(numbers: Sequence[str]) -> dict[str, Any]:
    column = st.column_config
    names = list(numbers)
    return {
        _NAME: column.TextColumn(help="How it is called, such as monthly instalment."),
        _KIND: column.SelectboxColumn(options=[RATIO, SUM, SHARE], default=RATIO, required=True),
        _FIRST: column.SelectboxColumn(options=names),
        _SECOND: column.SelectboxColumn(options=names),
        _LEAST: column.NumberColumn(help="Empty: no limit."),
        _MOST: column.NumberColumn(help="Empty: no limit."),
        _A: column.NumberColumn(help="For a sum: how often the first counts; 1 when empty."),
        _B: column.NumberColumn(help="For a sum: how often the second counts; 1 when empty."),
        _WHY: column.TextColumn(help="Shown with the rule."),
    }
