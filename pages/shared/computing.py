"""Cached calls from a scenario to results of the core; shared by visitors, bounded, read-only."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import ParamSpec, TypeVar

import pandas as pd
import streamlit as st

from dirrac_core import load_dataset
from dirrac_core.arrays import Array, frozen_array
from dirrac_core.case import facts as facts_module
from dirrac_core.case.case import Case, Solution, bundle_of, make_case, solve
from dirrac_core.case.facts import (
    Facts,
    Price,
    UnlockValue,
    facts_of,
    price_of_robustness,
    value_of_unlocking,
)
from dirrac_core.case.no_plan import OwnRange, own_ranges_to_blame, why_no_plan
from dirrac_core.case.outlook import Outlook, outlook_of
from dirrac_core.case.scenario import Scenario, without_futures
from dirrac_core.case.settings import Settings
from dirrac_core.feasible import Explanation
from dirrac_core.geometry.algorithm_walk import Walk, walk
from dirrac_core.geometry.case_plane import CasePlane, case_plane
from dirrac_core.models import protected
from dirrac_core.models.protected import PriceOfLeavingOut
from dirrac_core.models.reasons import Reason, main_reasons
from dirrac_core.models.training import ModelBundle
from dirrac_core.recourse.kinds.alternatives import SAFEST
from dirrac_core.recourse.kinds.menu import MenuPlan, menu
from dirrac_core.recourse.room import Room, room_to_move
from dirrac_core.studies.case_frontier import TodaysPlans
from dirrac_core.studies.people.declined import declined_people

# What every page asks for dozens of times in one run is kept for this many settings: with fewer
# than there are visitors at one time, they would push out each other's and compute theirs again.
AT_ONCE = 256
# Long enough for every shipped dataset; a table with very many categories stops here and says so.
TIME_LIMIT = 20.0
# A menu solves several such problems: none where the first took longer than this many seconds.
LONGEST_FIRST = 4.0

Given = ParamSpec("Given")
Result = TypeVar("Result")


def kept(
    entries: int, spinner: str | bool = False
) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """Keep the last `entries` results of a function of settings, for all visitors.

    Streamlit would take the settings apart field by field at every look-up; a page makes dozens.
    """
    return st.cache_resource(
        max_entries=entries,
        show_spinner=spinner,
        hash_funcs={Scenario: _in_words, Settings: _in_words},
    )


@lru_cache(maxsize=1024)
def _in_words(settings: Settings) -> str:
    # Equal settings give equal plans, so the words of the first of them will do.
    return repr(settings)


def bundle(settings: Settings) -> ModelBundle:
    """The trained models behind the settings; the core keeps the last ones."""
    return bundle_of(settings)


@kept(AT_ONCE)
def case(scenario: Scenario) -> Case:
    """The problem of a scenario without its solution."""
    return make_case(scenario, time_limit=TIME_LIMIT)


@kept(AT_ONCE)
def solution(scenario: Scenario) -> Solution:
    """The plan of a scenario."""
    return solve(case(scenario), TIME_LIMIT)


@kept(AT_ONCE)
def plan_menu(safest: Scenario) -> tuple[MenuPlan, ...] | None:
    """The plans to choose from, by the scenario of the safest; None where it would take long."""
    this, first = case(safest), solution(safest).plan
    if first.seconds > LONGEST_FIRST:
        return None
    return menu(this.dataset, this.problem, gap=safest.gap, safest=first)


@kept(AT_ONCE)
def room(scenario: Scenario) -> Room | None:
    """How far the numbers of the plan may move; None without a plan."""
    this, plan = case(scenario), solution(scenario).plan
    if plan.x is None:
        return None
    kept = scenario.level is not None and plan.worst_case_probability <= scenario.level
    return room_to_move(this.dataset, this.problem, plan.x, scenario.level if kept else None)


@kept(AT_ONCE)
def facts(scenario: Scenario, x: tuple[float, ...]) -> Facts:
    """The guarantee, the Gaussian figure and what re-trained models said of x."""
    return facts_of(case(scenario), point(x))


def without_later_models(scenario: Scenario) -> Scenario:
    """The settings a plan depends on that knows today's model only, or its linear stand-in around
    the applicant, but for how far limits give way to later models."""
    return without_futures(replace(scenario, widen=False, training_size=None))


def made_today(scenario: Scenario) -> tuple[Scenario, float]:
    """All that a plan depends on that knows today's model only."""
    return without_later_models(scenario), case(scenario).widened


@kept(AT_ONCE)
def _todays_plans(about: Scenario) -> TodaysPlans:
    return TodaysPlans()


def todays_plans(scenario: Scenario) -> TodaysPlans:
    """Where plans of compared methods are kept that know today's model only."""
    return _todays_plans(without_later_models(scenario))


def plan_for_today(scenario: Scenario) -> Array | None:
    """The cheapest plan today's linear model accepts, with no thought of later ones."""
    # Its margin has the unit of ρ.
    return _plan_for_today(
        made_today(scenario), scenario.cost, scenario.radius_unit, case(scenario)
    )


@kept(AT_ONCE)
def _plan_for_today(
    about: tuple[Scenario, float], cost: str, radius_unit: str, _case: Case
) -> Array | None:
    return facts_module.plan_for_today(_case)


@kept(64)
def price(scenario: Scenario) -> Price:
    """What robustness costs."""
    return price_of_robustness(case(scenario))


@kept(64)
def unlock_values(scenario: Scenario, delta: float) -> tuple[UnlockValue, ...]:
    """What freeing each restricted feature would bring at budget delta."""
    return value_of_unlocking(case(scenario), delta)


@kept(64)
def no_plan(scenario: Scenario) -> Explanation | None:
    """Why there is no plan."""
    return why_no_plan(case(scenario))


@kept(64)
def own_ranges(scenario: Scenario) -> tuple[OwnRange, ...]:
    """The visitor's own ranges that stand in the way of a plan."""
    return own_ranges_to_blame(case(scenario))


def outlook(scenario: Scenario) -> Outlook | None:
    """The future models and components the scenario assumes; None for a network."""
    this = case(scenario)
    if this.bundle.estimate is None:
        return None
    # Where models lie is the same for everybody, whatever ρ, effort and the promise are.
    question = replace(scenario, plan_kind=SAFEST, level=None, delta_add=0.0, radii=0.0)
    alike = replace(question, applicant=0, link=Settings.link)
    shifts = tuple(replace(shift, radius=0.0) for shift in scenario.shifts)
    found = _outlook(replace(alike, shifts=shifts), this)
    return None if found is None else found.at_radii(this.problem.radii)


@kept(64)
def _outlook(key: Scenario, _case: Case) -> Outlook | None:
    return outlook_of(_case)


def reasons(scenario: Scenario) -> tuple[Reason, ...]:
    """The main reasons of today's decision."""
    # Today's linear model is the same whatever is planned for; a surrogate may not be.
    about = None if scenario.model == "logistic" else scenario
    return _reasons(scenario.dataset, scenario.applicant, scenario.seed, about, scenario)


@kept(AT_ONCE)
def _reasons(
    dataset: str, applicant: int, seed: int, about: Scenario | None, _scenario: Scenario
) -> tuple[Reason, ...]:
    this = case(_scenario)
    if this.surrogate is None:
        return this.bundle.reasons(this.x0)
    theta = this.surrogate.mixture.means[0]
    return main_reasons(theta, this.x0, this.dataset.present, this.dataset.schema)


@kept(AT_ONCE)
def largest_radius(scenario: Scenario) -> float:
    """The largest common ρ that leaves a plan at any effort."""
    return case(scenario).problem.unbounded.largest_radius()


def radius_ceiling(scenario: Scenario) -> float:
    """The largest common ρ that leaves this applicant a plan, whatever ρ and effort are set to."""
    return largest_radius(replace(scenario, plan_kind=SAFEST, level=None, delta_add=0.0, radii=0.0))


@kept(16)
def glance(settings: Settings, rows: tuple[int, ...]) -> pd.DataFrame:
    """How far these people are from acceptance, and whether each has a plan."""
    return declined_people(case(Scenario.of(settings, rows[0])), rows)


@kept(AT_ONCE)
def plane(scenario: Scenario, features: tuple[str, str], at_plan: bool) -> CasePlane:
    """The slice in two features, the others held at the plan or at the applicant."""
    this, found = case(scenario), solution(scenario).plan.x
    seen = case_plane(this, features, found if at_plan and found is not None else this.x0)
    # Every picture of it needs its outline, which is solved for once and then kept with it.
    _ = seen.slice.outlines
    return seen


@kept(128)
def algorithm_1_walk(scenario: Scenario) -> Walk | None:
    """The steps of Algorithm 1 that gain something."""
    return walk(case(scenario))


@kept(16)
def price_of_leaving_out(dataset: str, seed: int) -> PriceOfLeavingOut | None:
    """What today's model loses in accuracy without protected attributes."""
    return protected.price_of_leaving_out(load_dataset(dataset), seed)


def declined_rows(settings: Settings) -> tuple[int, ...]:
    """The rows of the present people whom today's model declines."""
    deciding = (settings.model, settings.seed, settings.decision, settings.without_protected)
    return _declined(settings.dataset, deciding, settings)


@kept(16)
def _declined(dataset: str, deciding: tuple[object, ...], _settings: Settings) -> tuple[int, ...]:
    # Today's model is the same whatever futures are declared.
    return tuple(int(row) for row in bundle_of(_settings).declined)


def point(x: tuple[float, ...]) -> Array:
    """A plan kept as a tuple, as the read-only vector it was."""
    return frozen_array("x", x, (None,))
