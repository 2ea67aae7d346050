"""The sidebar: nothing but settings, those that are moved often in sight without scrolling."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from urllib.parse import urlencode, urlsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dirrac_core import load_dataset
from dirrac_core.case.realism import rules_in_force
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import COSTS, MAX_SEED, WEIGHTINGS
from dirrac_core.robustness import DIVERGENCES
from pages.shared import navigation, notices, state, wording
from pages.shared.address.links import MOST
from pages.shared.plain_text import plain
from pages.sidebar import parts
from pages.sidebar.chosen_radius import is_choosing, show_choice
from pages.sidebar.decision_controls import show_decision
from pages.sidebar.filters import follow_address
from pages.sidebar.future_controls import (
    show_components,
    show_future_details,
    show_radius,
    show_which,
)
from pages.sidebar.next_steps import offer_next
from pages.sidebar.setting_widgets import choice, slider
from pages.sidebar.who import show_who

DELTA_STEP, EPS_STEP = 0.05, 0.01
# The page the settings were drawn on last, whether they come first on it, and whether they are
# still to be drawn.
_DRAWN_ON, _FIRST, _DUE = "settings drawn on", "settings first", "settings due"
# The shares of real people who may be more unusual than a plan; 0 is no limit.
UNUSUAL = (0.0, 0.02, 0.05, 0.1, 0.2, 0.5)
DrawPart = Callable[[str], None]


@contextmanager
def sidebar_last(page: str, follows_settings: bool) -> Iterator[None]:
    """Inside, a page about an applicant is drawn, and then who it is and its settings.

    A visitor who has just come to the page gets them first. Afterwards they are in sight already,
    and nobody should wait for them to be drawn again before the plan is. A page that follows its
    settings draws them itself (`settings_last`), unless it fails before.
    """
    session = st.session_state
    who = st.sidebar.container(gap="xsmall")
    first = session[_FIRST] = session.get(_DRAWN_ON) != page
    session[_DRAWN_ON], session[_DUE] = page, True
    if first:
        _draw_who(who)
        if not follows_settings:
            _draw_settings(draw_part)
    with notices.show_last_resort():
        yield
    if not first:
        _draw_who(who)
    if session[_DUE]:
        _draw_settings(draw_part)


@contextmanager
def settings_last(drawn_as: DrawPart) -> Iterator[None]:
    """Inside, what follows the settings is drawn, and then the settings; first for a newcomer."""
    session = st.session_state
    if session[_FIRST]:
        _draw_settings(drawn_as)
    with notices.show_last_resort():
        yield
    if not session[_FIRST]:
        _draw_settings(drawn_as)
    session[_FIRST] = False


def _draw_who(place: DeltaGenerator) -> None:
    with place, notices.show_errors():
        show_who(state.current())


def _draw_settings(drawn_as: DrawPart) -> None:
    """All settings: what is moved often first, the rest on request."""
    st.session_state[_DUE] = False
    with navigation.on_every_page(), notices.show_errors():
        refused = follow_address(state.current().dataset)
        with st.sidebar, st.container(gap="xsmall"):
            for part in parts.PARTS:
                drawn_as(part)
        notices.report_ignored(refused)
        offer_next(state.current())


def draw_part(part: str) -> None:
    """One part of the settings, as they are now."""
    draw = {
        parts.HISTORY: lambda _: _history(),
        parts.FUTURES: show_which,
        parts.RADIUS: show_radius,
        parts.COMPONENTS: show_components,
        parts.EFFORT: _effort,
        parts.MORE: _more,
    }
    with notices.show_errors():
        draw[part](state.current())
    parts.note_drawn(part)


def _more(scenario: Scenario) -> None:
    """Settings that are made once, drawn only while they can be seen: each control costs time."""
    if parts.OPEN not in st.session_state:
        st.session_state[parts.OPEN] = [parts.EVIDENCE] if is_choosing() else []
    draw: dict[str, Callable[[Scenario], None]] = {
        parts.DETAILS: show_future_details,
        parts.EVIDENCE: show_choice,
        parts.REALISM: _realism,
        parts.ADVANCED: _advanced,
        parts.SHARE: _share,
    }
    opened = st.pills(
        "More settings",
        parts.GROUPS,
        selection_mode="multi",
        key=parts.OPEN,
        label_visibility="collapsed",
        # Nothing more than any callback does: what is open now is drawn.
        on_change=lambda: None,
    )
    for title in parts.GROUPS:
        if title in opened:
            st.markdown(f"**{title}**")
            draw[title](scenario)


def _effort(scenario: Scenario) -> None:
    slider(
        "Extra effort δ_add",
        "delta_add",
        "set delta_add",
        scenario.delta_add,
        MOST["delta_add"],
        DELTA_STEP,
    )


def _realism(scenario: Scenario) -> None:
    # A link may hold a share between those offered; 0 stands for no limit.
    share = scenario.plausibility or 0.0
    st.session_state["set plausibility"] = share
    st.selectbox(
        "As unusual as at most … real people",
        sorted({*UNUSUAL, share}),
        key="set plausibility",
        format_func=lambda value: f"1 in {1 / value:g}" if value else "off",
        help=wording.HELP["plausibility"],
        on_change=lambda: state.change(plausibility=st.session_state["set plausibility"] or None),
    )
    st.session_state["set widen"] = scenario.widen
    st.toggle(
        "Widen it where no plan lasts",
        key="set widen",
        help=wording.HELP["widen"],
        on_change=lambda: state.change(widen=st.session_state["set widen"]),
        disabled=scenario.plausibility is None or scenario.model != "logistic",
    )
    st.session_state["set domain_rules"] = scenario.domain_rules
    rules = rules_in_force(load_dataset(scenario.dataset), replace(scenario, domain_rules=True))
    st.toggle(
        "Rules of the domain",
        key="set domain_rules",
        help=wording.HELP["domain_rules"],
        on_change=lambda: state.change(domain_rules=st.session_state["set domain_rules"]),
        disabled=not rules,
    )
    for rule in rules:
        st.caption(f"**{plain(rule.name)}**: {plain(rule.reason or 'no reason stated')}")


def _advanced(scenario: Scenario) -> None:
    show_decision(scenario)
    choice("Effort is measured by", "cost", COSTS, wording.COSTS)
    choice("Component weights p", "weighting", WEIGHTINGS, wording.WEIGHTINGS)
    if scenario.weighting == "ball":
        names = {name: divergence.label for name, divergence in DIVERGENCES.items()}
        choice("Divergence φ", "divergence", list(DIVERGENCES), names)
        slider(
            "Weight radius ε",
            "weight_radius",
            "set weight_radius",
            scenario.weight_radius,
            MOST["weight_radius"],
            EPS_STEP,
        )
    choice("Categories", "categories", list(wording.CATEGORIES), wording.CATEGORIES)
    choice("Solver", "solver", list(wording.SOLVERS), wording.SOLVERS)
    st.session_state["set seed"] = scenario.seed
    st.number_input(
        "Seed",
        0,
        MAX_SEED,
        step=1,
        key="set seed",
        help=wording.HELP["seed"],
        on_change=lambda: state.change(
            seed=int(st.session_state["set seed"]), radii=state.one_radius(state.current())
        ),
    )


def _history() -> None:
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Undo",
            icon=":material/undo:",
            type="tertiary",
            on_click=state.undo,
            disabled=not state.can_undo(),
            help="Take back the last change.",
        )
        st.button(
            "Redo",
            icon=":material/redo:",
            type="tertiary",
            on_click=state.redo,
            disabled=not state.can_redo(),
            help="Bring back what was undone.",
        )
        st.button(
            "Reset",
            icon=":material/restart_alt:",
            type="tertiary",
            on_click=state.reset,
            help="Default settings for this applicant.",
        )


def _share(scenario: Scenario) -> None:
    st.caption("This address restores the exact screen:")
    st.code(address(), language=None, wrap_lines=True)


def address() -> str:
    """The address of the current page with the current scenario."""
    base = urlsplit(st.context.url or "")
    # A choice of several is a parameter that is there several times.
    query = {name: st.query_params.get_all(name) for name in st.query_params}
    return f"{base.scheme}://{base.netloc}{base.path}?{urlencode(query, doseq=True)}"
