"""The frontier of one person after the other, for worker processes: no screen, no cache."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import pandas as pd

from dirrac_core.case.case import Case, case_of
from dirrac_core.case.scenario import Scenario, without_futures
from dirrac_core.errors import DirracError
from dirrac_core.models.training import ModelBundle
from dirrac_core.parallel import mapped
from dirrac_core.progress import Cancel, Progress
from dirrac_core.studies.case_frontier import DIRRAC, case_frontier, with_guarantee
from pages.shared.defaults import LOGISTIC

_ANY_BUDGET = 0.0


@dataclass(frozen=True, eq=False)
class PersonRows:
    """The rows of one applicant, and the problem of every family that could not be solved."""

    applicant: int
    rows: pd.DataFrame
    problems: dict[str, str]


def relevant_settings(scenario: Scenario, family: str) -> Scenario:
    """The scenario with only the settings that a family's plans depend on.

    DiRRAc is swept over δ_add. The others do not know about future models. A model that is made
    linear at the plan is another one for every plan, so there all settings count.
    """
    if scenario.model != LOGISTIC:
        return scenario
    if family == DIRRAC:
        return replace(scenario, delta_add=_ANY_BUDGET)
    return without_futures(scenario)


def sweep_people(
    case: Case,
    families: Sequence[str],
    people: Sequence[int],
    progress: Progress,
    cancel: Cancel,
) -> list[PersonRows]:
    """The rows of these people in their order; when stopped, those of the first ones."""
    ask = partial(_person_rows, case.bundle, case.scenario, tuple(families))
    return mapped(ask, people, None, progress, cancel).results


def _person_rows(
    bundle: ModelBundle, scenario: Scenario, families: tuple[str, ...], applicant: int
) -> PersonRows:
    asked = replace(scenario, applicant=applicant)
    cases: dict[Scenario, Case] = {}

    def case(settings: Scenario) -> Case:
        # Several families may have the same settings; those of a network take long.
        if settings not in cases:
            cases[settings] = case_of(settings, bundle)
        return cases[settings]

    frames: list[pd.DataFrame] = []
    problems: dict[str, str] = {}
    for family in families:
        try:
            rows = case_frontier(case(relevant_settings(asked, family)), family)
            frames.append(rows if family == DIRRAC else with_guarantee(rows, case(asked)))
        except DirracError as problem:
            problems[family] = f"{problem}."
    rows = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()
    return PersonRows(applicant, rows, problems)
