"""Who the plan is for: dataset, applicant, and today's model."""

from dirrac_core import DATASETS
from dirrac_core.case.scenario import Scenario
from dirrac_core.models.bundle import MODELS
from pages.runs import network_training
from pages.shared import computing, state, wording
from pages.sidebar.setting_widgets import choice

MOST_APPLICANTS = 1_000


def show_who(scenario: Scenario) -> None:
    """Dataset, applicant and model."""
    offered = {**DATASETS, **state.own_tables()}
    choice("Dataset", "dataset", list(offered), offered, apply=state.change_dataset)
    _applicant(scenario)
    choice("Model", "model", MODELS, wording.MODELS, apply=state.change_model)


def _applicant(scenario: Scenario) -> None:
    declined: tuple[int, ...] = ()
    if network_training.is_ready(scenario):
        declined = computing.declined_rows(scenario)
    # A list of thousands would slow every reaction down; “Find” reaches everybody.
    near = sorted(declined, key=lambda row: abs(row - scenario.applicant))[:MOST_APPLICANTS]
    options = sorted({*near, scenario.applicant})
    choice("Applicant", "applicant", options, {})
