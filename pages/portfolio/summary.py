"""One A4 page about a portfolio in the manner of a model card: what it says, and the page as HTML.

The layout stands in `summary.html.j2`; the page is self-contained, and every text of a table is
escaped. `summary_pdf` draws the same contents.
"""

import datetime
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd
from markupsafe import Markup

from dirrac_core.case.scenario import Scenario
from dirrac_core.figures.print_svg import groups_svg, promises_svg
from dirrac_core.studies.people.equity import FEWEST
from dirrac_core.studies.people.portfolio import locks_to_blame
from dirrac_core.studies.people.review import Verdict, demands, riskier_than, verdict
from dirrac_core.wording import joined
from pages.portfolio.asked_of_people import price_sentence
from pages.portfolio.groups import (
    MATRIX,
    NO_GROUPS,
    clear_gaps,
    contrast,
    matrix,
    without_plans,
)
from pages.portfolio.quantities import (
    EFFORT,
    WORST,
    group_measures,
    promise_name,
    quantities,
    worst_title,
)
from pages.portfolio.run import Reviewed
from pages.portfolio.verdict import (
    broken_sentence,
    covered_words,
    happened_words,
    headline,
    promised_words,
)
from pages.shared import wording
from pages.shared.promise import record_of, record_sentence

TEMPLATE = "summary.html.j2"
PURPOSE = (
    "To judge, before anybody is advised, what plans would ask of the people who are declined, how "
    "well such plans last when the model is trained again, and who is left without one."
)
# What fits on one page.
MOST_FEATURES, MOST_GROUPS, MOST_LOCKS = 5, 6, 3
LONGEST_NAME, LONGEST_LINK = 40, 600
_NOT_SETTINGS = ("dataset", "applicant")

Contents = dict[str, Any]


def contents(
    reviewed: Reviewed, group_by: str, level: int, link: str, today: datetime.date
) -> Contents:
    """What the page says, by place; `level` of 100 is what a plan we stand behind may be declined
    by."""
    case, frame = reviewed.case, reviewed.frame
    found = verdict(frame)
    stopped = "" if reviewed.is_whole else " The computation was stopped before the end."
    asked = demands(frame, case.dataset)
    simulated = "simulated" if case.bundle.future.simulated else "observed"
    return {
        "title": f"Review of recourse: {case.dataset.title}",
        "day": f"{today:%d %B %Y} · {len(frame):,} people whom today's model declines",
        "headline": headline(reviewed) + stopped,
        "purpose": PURPOSE,
        "strip": _strip(reviewed, found),
        "record": f"{record_sentence(record_of(case.scenario))} {_promise(reviewed)} Later models "
        f"are {simulated}: a count, not a promise. {case.bundle.future.source}",
        "promises_picture": Markup(promises_svg(frame, quantities(case)[WORST], float(level))),
        "demand_heads": ["what changes", "people", "before → after", "at the edge"],
        "demands": [
            [
                _short(demand.feature),
                f"{demand.people:,}",
                f"{_short(demand.before)} → {_short(demand.after)}",
                f"{demand.at_edge:,}",
            ]
            for demand in asked[:MOST_FEATURES]
        ],
        "demand_note": _demand_note(reviewed, len(asked) - MOST_FEATURES),
        "left_out": _left_out(reviewed),
        "risks": _risks(reviewed, found, level),
        "settings": f"{_settings(reviewed)}. A worst case holds for {_models(reviewed)} within "
        "these settings and for nothing beyond them. This page is no statement about the law. "
        "The screen behind it:",
        "link": link,
        "link_words": link if len(link) <= LONGEST_LINK else "too long to print, here in the file",
        **_groups(reviewed, group_by),
    }


def summary(page: Contents) -> str:
    """The page as HTML."""
    return _template().render(page)


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template(TEMPLATE)


def _strip(reviewed: Reviewed, found: Verdict) -> list[dict[str, str]]:
    case = reviewed.case
    without = found.people - found.plans
    kind = wording.kind_of_models(case.bundle.future)
    return [
        {
            "label": f"Promised · {promise_name(case)}",
            "head": promised_words(found),
            "words": f"{worst_title(case)}, mean over {found.promises:,} plans",
        },
        {
            "label": "Happened",
            "head": happened_words(found),
            "words": f"mean over the same plans, {len(case.bundle.future):,} {kind} models",
        },
        {"label": "Covered?", "head": covered_words(found), "words": broken_sentence(found)},
        {
            "label": "With a plan",
            "head": f"{found.plans:,} of {found.people:,}",
            "words": f"{without:,} without",
        },
    ]


def _promise(reviewed: Reviewed) -> str:
    case = reviewed.case
    if case.surrogate is not None:
        return "The promise is an assumption: it is about linear approximations of the model."
    if case.scenario.link == "gaussian":
        return "The promise is an assumption: it holds if future models scatter like a bell curve."
    return "The promise holds for every distribution of future models within the radius of doubt."


def _left_out(reviewed: Reviewed) -> list[str]:
    lost = reviewed.without_plan
    if lost.empty:
        return ["Everyone has a plan."]
    have = "person has" if len(lost) == 1 else "people have"
    lines = [f"{len(lost):,} of {len(reviewed.frame):,} {have} no plan at any effort."]
    doubt = int(lost["too_much_doubt"].sum())
    if doubt:
        lines.append(f"A smaller radius of doubt alone would open one for {doubt:,} of them.")
    blamed = locks_to_blame(lost).head(MOST_LOCKS)
    alone = blamed[blamed["alone"] > 0]
    if len(alone):
        named = [
            f"{_short(name)} ({count:,})"
            for name, count in zip(alone["feature"], alone["alone"], strict=True)
        ]
        lines.append(f"Freeing one feature alone would open a plan: {joined(named)}.")
    return lines


def _risks(reviewed: Reviewed, found: Verdict, level: int) -> list[str]:
    """What the numbers themselves warn of."""
    case, frame = reviewed.case, reviewed.frame
    beyond, at_edge = riskier_than(frame, level / 100), len(reviewed.at_edge)
    lines = []
    if beyond:
        lines.append(
            f"{beyond:,} of {found.plans:,} plans: more than {level} of 100 future models may "
            "decline, or nothing is promised."
        )
    if at_edge:
        lines.append(
            f"{at_edge:,} of {found.plans:,} plans move a number to the end of what the data have "
            "seen, where models know least."
        )
    if found.broken:
        lines.append(f"{broken_sentence(found).capitalize()}.")
    if case.bundle.future.simulated:
        lines.append("The later models are simulated: nobody has seen a real later model yet.")
    lines.append("A shift beyond the declared futures and radius of doubt is not covered.")
    return lines


def _demand_note(reviewed: Reviewed, more: int) -> str:
    note = "Medians over those who change a number, the most frequent change of a category."
    if more > 0:
        note += f" {more} more features change."
    return note if reviewed.case.surrogate is not None else f"{note} {price_sentence(reviewed)}"


def _models(reviewed: Reviewed) -> str:
    if reviewed.case.surrogate is not None:
        return "the linear approximation of each person's model"
    return "linear future models"


def _groups(reviewed: Reviewed, group_by: str) -> Contents:
    table = reviewed.by_group(group_by)
    shown = group_measures(reviewed.case)
    title = {"group_title": f"Groups by {_short(group_by)}"}
    if len(table) < 2:
        blank = {"groups_picture": "", "picture_title": "", "group_heads": [], "groups": []}
        return title | blank | {"group_sentence": NO_GROUPS, "group_note": ""}
    kept = _largest(table)
    cells = matrix(table, shown)
    own, gaps = cells[: len(table)], cells[len(table) :]
    listed = pd.concat([own[own["Group"].isin(kept["group"].map(str))], gaps])
    others = [shown[name] for name in MATRIX if name != EFFORT]
    sentences = [
        without_plans(kept, _short),
        contrast(table, shown[EFFORT], _short),
        *clear_gaps(table, others, _short),
    ]
    more = len(table) - len(kept)
    unlisted = f"{more} smaller groups are not listed. " if more else ""
    return title | {
        "picture_title": f"Effort by {_short(group_by)}",
        "groups_picture": Markup(groups_svg(kept, shown[EFFORT], FEWEST)),
        # As plain text: the template and the PDF escape it.
        "group_sentence": " ".join(filter(None, sentences)),
        "group_heads": list(listed.columns),
        "groups": [[_short(cell) for cell in row] for row in listed.to_numpy()],
        "group_note": f"{unlisted}Means over those who have a plan, with 95 % intervals; a gap is "
        f"between groups of {FEWEST} or more. A difference is an observation about these people "
        "and settings: it does not say why, and no difference does not prove fairness.",
    }


def _largest(table: pd.DataFrame) -> pd.DataFrame:
    """As many groups as fit: those without any plan, then the largest, in their order."""
    ranked = table.assign(lost=table["plans"] == 0).sort_values(
        ["lost", "n"], ascending=False, kind="stable"
    )
    return table.loc[sorted(ranked.index[:MOST_GROUPS])]


def _short(words: object) -> str:
    """A name of a table, cut where it would take more than its place on the page."""
    text = str(words)
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"


def _settings(reviewed: Reviewed) -> str:
    scenario, components = reviewed.asked.scenario, reviewed.case.problem.mixture.components
    said = [
        f"{wording.SETTINGS[f.name]}: "
        # As many as there are: declared futures bring their own, whatever K was set to.
        + (f"{components}" if f.name == "components" else wording.setting_words(scenario, f.name))
        for f in fields(Scenario)
        if f.name not in _NOT_SETTINGS
    ]
    return "; ".join([f"Dataset: {reviewed.case.dataset.title}", *said])
