"""The portfolio at a glance: headline, four facts, how they are spread, and everyone as a dot."""

import numpy as np
import streamlit as st

from dirrac_core.figures.portfolio import Quantity, distribution, people_dots
from dirrac_core.scenario import Case
from pages.shared import notices, wording
from pages.shared.pictures import picture, theme
from pages.shared.portfolio_run import Reviewed, open_person

EFFORT, PRICE, WORST, LATER = "cost", "price_of_robustness", "worst_case", "m2"


def quantities(case: Case) -> dict[str, Quantity]:
    """What is known of every plan, in the words of the axes."""
    gaussian = case.scenario.link == "gaussian"
    kind = "simulated" if case.bundle.future.simulated else "re-trained"
    known = {
        EFFORT: Quantity(EFFORT, f"effort (ℓ{case.scenario.cost[1]})"),
        WORST: Quantity(
            WORST,
            "declined if Gaussian, at most in 100" if gaussian else "worst case, at most in 100",
            100.0,
            0,
            bound=True,
        ),
        LATER: Quantity(LATER, f"{kind} models that accept, in 100", 100.0, 0),
    }
    if case.surrogate is None:
        known[PRICE] = Quantity(PRICE, "price of robustness (effort)")
    return known


def overview(reviewed: Reviewed) -> None:
    """The facts, the spread, and the dots."""
    frame, case = reviewed.frame, reviewed.case
    found = frame[frame["found"].astype(bool)]
    st.markdown(f"#### {headline(reviewed)}")
    if found.empty:
        return
    _facts(reviewed)
    shown = quantities(case)
    st.markdown("##### How it is spread")
    for column, name in zip(st.columns(3), (EFFORT, WORST, LATER), strict=True):
        with column:
            picture(distribution(frame, shown[name], theme()), f"spread {name}")
    st.caption("Everyone who has a plan; the dashed line has half of them on each side.")
    _dots(reviewed, shown)


def headline(reviewed: Reviewed) -> str:
    """How many have a plan, and what half of them need at most."""
    frame = reviewed.frame
    asked, found = len(frame), int(frame["found"].sum())
    who = (
        f"Of {asked:,} declined people"
        if asked == reviewed.declined
        else f"Of the first {asked:,} of {reviewed.declined:,} declined people"
    )
    if not found:
        return f"{who} nobody has a plan under these conditions."
    with_plan = "everyone has" if found == asked else f"{found:,} have"
    effort = wording.amount(float(frame.loc[frame["found"].astype(bool), EFFORT].median()))
    return f"{who} {with_plan} a plan; half of them need an effort of at most {effort}."


def _facts(reviewed: Reviewed) -> None:
    case, frame = reviewed.case, reviewed.frame
    found = frame[frame["found"].astype(bool)]
    gaussian = case.scenario.link == "gaussian"
    simulated = case.bundle.future.simulated
    columns = st.columns(3 if case.surrogate is not None else 4, border=True)
    with columns[0]:
        without = len(frame) - len(found)
        words = "nobody is without" if not without else f"{without:,} people have none"
        _fact(":material/route: WITH A PLAN", f"{len(found):,} of {len(frame):,}", words)
    with columns[1]:
        _fact(
            ":material/functions: ASSUMPTION" if gaussian else ":material/verified_user: GUARANTEE",
            f"{wording.at_most(float(found[WORST].median())).capitalize()}",
            f"half of the plans are declined by no more future models, {_case(gaussian)}",
        )
    with columns[2]:
        _fact(
            ":material/casino: SIMULATED" if simulated else ":material/visibility: OBSERVED",
            f"{100 * float(found[LATER].mean()):.0f} in 100",
            f"on average so many {'simulated' if simulated else 're-trained'} models accept a plan",
        )
    if case.surrogate is None:
        with columns[3]:
            _fact(
                ":material/payments: PRICE OF ROBUSTNESS",
                f"{wording.amount(float(found[PRICE].median()))} of effort",
                "half of the people pay no more than this on top of their cheapest plan for "
                "today's model",
            )


def _case(gaussian: bool) -> str:
    return "if they scatter like a bell curve" if gaussian else "in the worst case"


def _fact(label: str, head: str, words: str) -> None:
    st.markdown(label)
    st.markdown(f"### {head}")
    st.caption(f"{words[0].upper()}{words[1:]}.")


def _dots(reviewed: Reviewed, shown: dict[str, Quantity]) -> None:
    st.markdown("##### One dot a person")
    titles = {name: shown[name].title for name in shown if name != EFFORT}
    notices.about_choices({"portfolio_up": titles.values()})
    up = st.segmented_control(
        "Effort against",
        list(titles),
        default=WORST,
        required=True,
        format_func=titles.get,
        key="portfolio_up",
        bind="query-params",
    )
    figure = people_dots(reviewed.frame, shown[EFFORT], shown[up], theme())
    chosen = picture(figure, "people", on_select="rerun", selection_mode="points")
    st.caption("Click a dot to open that person's plan.")
    points = chosen["selection"]["points"]
    if points:
        open_person(reviewed, int(np.ravel(points[0]["customdata"])[0]))
