"""Cached rows of the frontier page; shared by visitors, bounded, read-only."""

from collections.abc import Sequence

import pandas as pd

from dirrac_core.case.scenario import Scenario
from dirrac_core.geometry.settings_map import SettingsMap, settings_map
from dirrac_core.recourse.kinds.alternatives import SAFEST
from dirrac_core.studies.case_frontier import DIRRAC, case_frontier, current_setting, with_guarantee
from pages.frontier.sweep import relevant_settings
from pages.shared import computing


def family_rows(scenario: Scenario, family: str) -> pd.DataFrame:
    """The rows of one family of methods.

    DiRRAc is solved again for every setting but δ_add, over which it is swept. The others do not
    know about future models, so their plans are kept and only their guarantee is computed again.
    """
    rows = _solved(relevant_settings(scenario, family), family)
    return rows if family == DIRRAC else with_guarantee(rows, computing.case(scenario))


def compute(families: Sequence[str], scenario: Scenario) -> None:
    """The rows of these families for a scenario, kept for whoever asks for them."""
    for family in families:
        _solved(relevant_settings(scenario, family), family)
    current_row(scenario)


@computing.kept(1024)
def _solved(scenario: Scenario, family: str) -> pd.DataFrame:
    today = computing.todays_plans(scenario)
    return case_frontier(computing.case(scenario), family, telling=True, today=today)


@computing.kept(128)
def current_row(scenario: Scenario) -> pd.DataFrame:
    """One row: DiRRAc at the δ_add that is set."""
    known = computing.solution(scenario).plan.exact if scenario.plan_kind == SAFEST else None
    return current_setting(computing.case(scenario), known)


@computing.kept(32, "Solving for every ρ and δ_add")
def map_of(scenario: Scenario) -> SettingsMap:
    """The map around the settings in force."""
    return settings_map(computing.case(scenario))
