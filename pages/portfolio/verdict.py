"""The verdict on a portfolio: promised, happened, covered or not, and the tail of the promises."""

import math

import streamlit as st

from dirrac_core.figures.portfolio import distribution
from dirrac_core.studies.people.review import Verdict, riskier_than, verdict
from dirrac_core.wording import in_100
from pages.portfolio.quantities import EFFORT, WORST, promise_name, quantities, worst_title
from pages.portfolio.run import Reviewed
from pages.shared import notices, wording
from pages.shared.pictures import draw_picture, theme
from pages.shared.promise import USELESS, show_cards, show_record

USUAL_LEVEL = 20
_LEVEL = "portfolio_level"


def show_verdict(reviewed: Reviewed) -> int:
    """The headline, the strip and the tail; how many of 100 may decline a plan we stand behind."""
    st.markdown(f"### {headline(reviewed)}")
    found = verdict(reviewed.frame)
    if not found.plans:
        return USUAL_LEVEL
    _strip(reviewed, found)
    show_record(reviewed.case.scenario)
    return _tail(reviewed, found)


def headline(reviewed: Reviewed) -> str:
    """How many have a plan, and what half of them need at most."""
    asked, found = len(reviewed.frame), len(reviewed.with_plan)
    who = (
        f"Of {asked:,} declined people"
        if asked == reviewed.declined
        else f"Of the first {asked:,} of {reviewed.declined:,} declined people"
    )
    if not found:
        return f"{who} nobody has a plan under these conditions."
    with_plan = "everyone has" if found == asked else f"{found:,} have"
    effort = wording.amount(float(reviewed.with_plan[EFFORT].median()))
    return f"{who} {with_plan} a plan; half of them need an effort of at most {effort}."


def promised_words(found: Verdict) -> str:
    """ "At most 42 of 100 decline"."""
    return f"At most {in_100(found.promised)} of 100 decline" if found.promises else "No promise"


def happened_words(found: Verdict) -> str:
    """ "7 of 100 declined"."""
    return f"{100 * found.happened:.0f} of 100 declined" if found.promises else "Nothing to compare"


def covered_words(found: Verdict) -> str:
    """ "Covered", "Covered on average" or "Not covered"."""
    if not found.promises:
        return "No promise to keep"
    if not found.covered:
        return "✗ Not covered"
    return "✓ Covered" if not found.broken else "✓ Covered on average"


def broken_sentence(found: Verdict) -> str:
    """How many single promises were broken."""
    if not found.broken:
        return f"no plan of {found.promises:,} was declined more often than promised"
    were = "was" if found.broken == 1 else "were"
    return f"{found.broken:,} of {found.promises:,} plans {were} declined more often than promised"


def _strip(reviewed: Reviewed, found: Verdict) -> None:
    case = reviewed.case
    simulated = case.bundle.future.simulated
    kind, models = wording.kind_of_models(case.bundle.future), len(case.bundle.future)
    unpromised = found.plans - found.promises
    show_cards(
        (
            f":material/functions: PROMISED · {promise_name(case).upper()}",
            promised_words(found),
            f"{worst_title(case)}, on average over {found.promises:,} plans"
            + (f"; {unpromised:,} without, today's own model declines them" if unpromised else ""),
        ),
        (
            f":material/visibility: HAPPENED · {'SIMULATED' if simulated else 'OBSERVED'}",
            happened_words(found),
            f"on average over the same plans, by {models:,} {kind} models",
        ),
        (":material/rule: COVERED?", covered_words(found), broken_sentence(found)),
        (
            ":material/route: WITH A PLAN",
            f"{found.plans:,} of {found.people:,}",
            "nobody is without"
            if found.plans == found.people
            else f"{wording.people(found.people - found.plans, 'has', 'have')} none; see below",
        ),
    )


def _tail(reviewed: Reviewed, found: Verdict) -> int:
    st.markdown("#### Plans we would stand behind")
    left, right = st.columns([2, 3], gap="large", vertical_alignment="center")
    with left:
        notices.report_numbers((_LEVEL,))
        level = st.slider(
            "At most so many of 100 future models may decline",
            0,
            100,
            value=USUAL_LEVEL,
            step=5,
            key=_LEVEL,
            bind="query-params",
        )
        for sentence in tail_sentences(reviewed, level):
            st.markdown(sentence)
    with right:
        shown = quantities(reviewed.case)[WORST]
        figure = distribution(reviewed.frame, shown, theme(), float(level))
        draw_picture(figure, "tail")
    return level


def _when(reviewed: Reviewed) -> str:
    """ "in the worst case", or what a promise that is an assumption holds under."""
    title = worst_title(reviewed.case)
    return "in the worst case" if title == "worst case" else title.removeprefix("declined ")


def tail_sentences(reviewed: Reviewed, level: int) -> list[str]:
    """How many plans keep within the level, and for how many more than half may decline."""
    plans = len(reviewed.with_plan)
    behind = plans - riskier_than(reviewed.frame, level / 100)
    lines = [
        f"**{behind:,} of {plans:,} plans**: at most {level} of 100 decline, {_when(reviewed)}."
    ]
    useless = riskier_than(reviewed.frame, USELESS)
    if useless:
        of = "1 plan" if useless == 1 else f"{useless:,} of {plans:,} plans"
        lines.append(f"{of}: more than half of the futures may decline. No useful promise.")
    worst = float(reviewed.with_plan[WORST].max())
    if math.isfinite(worst):
        lines.append(f"The riskiest plan: at most {in_100(worst)} of 100.")
    return lines
