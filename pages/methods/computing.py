"""Kept plans of the methods page, one method at a time; shared by visitors, bounded, read-only."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.case.scenario import Scenario, without_futures
from dirrac_core.progress import Cancel, Progress, look_up
from dirrac_core.studies.case_methods import DIRRAC_VARIANTS, base_name, measured_plan
from dirrac_core.studies.measures import Measures
from dirrac_core.trees.method import EXACT_TREES
from pages.runs import background
from pages.runs.people import is_private, result_about
from pages.runs.processes import run_apart
from pages.shared import computing

_SEEN = "methods already computed"
# Seconds without any page being drawn before a long method begins: starting a process takes the
# cores from the page, and who is still trying settings would call for another one at once.
LONG_AFTER = 1.0


def relevant_settings(scenario: Scenario, name: str) -> Scenario:
    """The scenario with only the settings that the named method's plan depends on.

    A variant of DiRRAc has its own link and weighting; with one component the weights play no
    part. The exact method on trees depends on all of them. The others know nothing of ρ, budget,
    link or weights.
    """
    if name == EXACT_TREES:
        return scenario
    if base_name(name) in DIRRAC_VARIANTS:
        link, weighting = DIRRAC_VARIANTS[base_name(name)]
        several = computing.case(scenario).problem.mixture.components > 1
        return replace(scenario, link=link, weighting=weighting if several else "nominal")
    return without_futures(scenario)


def method_plan(scenario: Scenario, name: str) -> Measures:
    """The named method's plan, measured."""
    solved = _plan(scenario, name)
    _seen().add((relevant_settings(scenario, name), name))
    return solved


def compute(names: Sequence[str], scenario: Scenario) -> None:
    """The plans of these methods for a scenario, kept for whoever asks for them."""
    for name in names:
        look_up()
        _plan(scenario, name)


def _plan(scenario: Scenario, name: str) -> Measures:
    asked, limits = relevant_settings(scenario, name), scenario
    if asked.widen:
        # They give way for what the variant's link promises; else all have the rules of the case.
        limits = replace(scenario, link=asked.link)
    return _solved(asked, _solved_as(asked, name), computing.case(limits))


def _solved_as(asked: Scenario, name: str) -> str:
    """The first method with the same plan: with one component, variants differ in the link only."""
    base = base_name(name)
    if base not in DIRRAC_VARIANTS:
        return name
    formulation = (asked.link, asked.weighting)
    first = next(each for each, own in DIRRAC_VARIANTS.items() if own == formulation)
    return f"{name.removesuffix(base)}{first}"


def long_method_plan(scenario: Scenario, name: str) -> Measures | None:
    """The same of a method that takes long: None until a run beside the page has found it.

    The run is started here once; a stopped one is started again by `begin_long`.
    """
    asked = relevant_settings(scenario, name)
    solved: Measures | None = result_about(name, asked)
    if solved is not None:
        return solved
    run = background.run_of(name)
    if run is None or run.about != asked:
        begin_long(asked, name)
    return None


def begin_long(asked: Scenario, name: str) -> None:
    """Compute a method in a process of its own; for a callback, too."""
    work = partial(_plan_apart, asked, name)
    background.start(name, asked, work, not is_private(asked), LONG_AFTER)


def _plan_apart(asked: Scenario, name: str, progress: Progress, cancel: Cancel) -> Measures | None:
    # The problem is put together here, once the page is at rest.
    return run_apart(measured_plan, (computing.case(asked), name), progress, cancel)


def is_ready(scenario: Scenario, name: str) -> bool:
    """Whether this visitor has had the method computed before, so that it comes at once."""
    return (relevant_settings(scenario, name), name) in _seen()


@computing.kept(1024)
def _solved(asked: Scenario, name: str, _case: Case) -> Measures:
    return measured_plan(_case, name, today=computing.todays_plans(asked))


def _seen() -> set[tuple[Scenario, str]]:
    seen: set[tuple[Scenario, str]] = st.session_state.setdefault(_SEEN, set())
    return seen
