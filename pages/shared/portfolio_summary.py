"""One page about a portfolio to print or send: self-contained HTML, every text escaped."""

import datetime
import html
from collections.abc import Iterable, Sequence
from dataclasses import fields

import numpy as np

from dirrac_core.evaluation import equity
from dirrac_core.evaluation.case_portfolio import locks_to_blame
from dirrac_core.scenario import Scenario
from pages.shared.portfolio_groups import NO_GROUPS, SMALL, measures, numbers
from pages.shared.portfolio_overview import headline, quantities
from pages.shared.portfolio_run import Reviewed
from pages.shared.recourse_compare import SETTING_WORDS, setting

MOST_LOCKS = 5
SHARES = {
    0.0: "least",
    0.25: "a quarter below",
    0.5: "half below",
    0.75: "three quarters below",
    1.0: "most",
}
_STYLE = """
@page { size: A4; margin: 16mm }
body { font: 10.5pt/1.4 Georgia, "Times New Roman", serif; color: #1d2328; background: #fff;
       max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 16pt; margin: 0 0 .2rem } h2 { font-size: 11.5pt; margin: 1rem 0 .2rem }
p { margin: .3rem 0 } .main { font-size: 12.5pt; font-weight: bold; margin: .6rem 0 }
.quiet { color: #4b545b; font-size: 9pt } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .15rem .6rem .15rem 0; border-bottom: 1px solid #c9ced2;
         vertical-align: top; font-size: 9.5pt }
"""


def summary(reviewed: Reviewed, group_by: str, link: str, today: datetime.date) -> str:
    """The headline, the spread, who has no recourse, the groups, and the settings."""
    case, frame = reviewed.case, reviewed.frame
    title = f"Review of recourse: {case.dataset.title}"
    finished = "" if frame.attrs["complete"] else " The computation was stopped before the end."
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{_e(title)}</title>
<style>{_STYLE}</style></head><body>
<h1>{_e(title)}</h1>
<p class="quiet">{today:%d %B %Y} · {len(frame):,} people whom today's model declines</p>
<p class="main">{_e(headline(reviewed) + finished)}</p>
<h2>How effort and safety are spread over the people who have a plan</h2>
{_table(("", *SHARES.values()), _spread(reviewed))}
<p class="quiet">The worst case is {_e(_promise(case.scenario))} Models that accept a plan are
{"simulated" if case.bundle.future.simulated else "observed"}: a count, not a promise.
{_e(case.bundle.future.source)}</p>
<h2>Who has no recourse</h2>
{_no_recourse(reviewed)}
<h2>By {_e(group_by)}</h2>
{_groups(reviewed, group_by)}
<p class="quiet">Means over those who have a plan, with 95 % intervals. A difference between groups
is an observation about these people and settings; it does not say why, and no difference does not
prove fairness. In groups of fewer than {SMALL} people (marked *) a few people decide the number.
</p>
<h2>Settings</h2>
{_table(("setting", "value"), _settings(reviewed))}
<p class="quiet">A guarantee holds for linear future models within these settings and for nothing
beyond them. This page is no statement about the law. The screen behind it:<br>{_e(link)}</p>
</body></html>
"""


def _spread(reviewed: Reviewed) -> list[Sequence[str]]:
    rows = []
    for quantity in quantities(reviewed.case).values():
        values = quantity.values(reviewed.frame)
        if values.size:
            ends = np.quantile(values, list(SHARES))
            rows.append((quantity.title, *(quantity.words(float(end)) for end in ends)))
    return rows


def _no_recourse(reviewed: Reviewed) -> str:
    frame = reviewed.frame
    lost = frame[~frame["found"].astype(bool)]
    if lost.empty:
        return "<p>Everyone has a plan.</p>"
    doubt = int(lost["too_much_doubt"].sum())
    words = (
        f"{len(lost):,} of {len(frame):,} people have no plan at any effort. A smaller radius of "
        f"doubt alone would open one for {doubt:,} of them."
    )
    blamed = locks_to_blame(lost).head(MOST_LOCKS).astype(str)
    rows = blamed.itertuples(index=False, name=None)
    heads = ("what may not change", "freeing it alone opens a plan", "needed with others")
    return f"<p>{_e(words)}</p>{_table(heads, rows) if len(blamed) else ''}"


def _groups(reviewed: Reviewed, group_by: str) -> str:
    table = equity(reviewed.frame, reviewed.case.dataset, group_by)
    if table.empty:
        return f"<p>{_e(NO_GROUPS)}</p>"
    shown = numbers(table, measures(reviewed))
    marks = np.where(table["n"] < SMALL, "*", "")
    shown["Group"] = [f"{group}{mark}" for group, mark in zip(shown["Group"], marks, strict=True)]
    return _table(tuple(shown.columns), shown.astype(str).itertuples(index=False, name=None))


def _promise(scenario: Scenario) -> str:
    if scenario.link == "gaussian":
        return "an assumption: it holds if the future models scatter like a bell curve."
    return "a guarantee within the radius of doubt, for every distribution of future models."


def _settings(reviewed: Reviewed) -> list[Sequence[str]]:
    scenario, skipped = reviewed.asked.scenario, ("dataset", "applicant")
    told = [
        (SETTING_WORDS[f.name], setting(scenario, f.name))
        for f in fields(Scenario)
        if f.name not in skipped
    ]
    return [("Dataset", reviewed.case.dataset.title), *told]


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{_e(words)}</th>" for words in heads)
    body = "\n".join(f"<tr>{''.join(f'<td>{_e(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"


def _e(text: str) -> str:
    return html.escape(text, quote=True)
