"""What a visitor starts with: the recommended settings of a dataset, for its first applicant."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

from dirrac_core import load_dataset
from dirrac_core.case.case import bundle_of
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.data import checked_dataset_name
from dirrac_core.data.upload.visitor_tables import is_table_name
from dirrac_core.errors import InvalidInput
from dirrac_core.models.cut_off import APPROVAL

LOGISTIC, NETWORK, TREES = "logistic", "mlp", "trees"
# The weights of a network's approximation are slopes of a probability: about ten times smaller.
NETWORK_RADIUS = 0.01
# "As in the paper": 80 % re-splits, K by the elbow, its ball and weights.
PAPER: dict[str, Any] = {
    "futures": "paper",
    "training_size": None,
    "radius_unit": "weights",
    "components": "auto",
    "weighting": "nominal",
    "radii": 0.1,
}


def paper_settings(model: str) -> dict[str, Any]:
    """The paper's futures for this model, with ρ on the scale of its weights."""
    return PAPER if model == LOGISTIC else {**PAPER, "radii": NETWORK_RADIUS}


def usual_settings(dataset: str, model: str = LOGISTIC) -> Settings:
    """The settings to start with."""
    cut_off = _opening_cut_off(dataset) if is_table_name(dataset) else {}
    return replace(recommended(dataset, model), **cut_off)


@lru_cache(maxsize=64)
def _opening_cut_off(table: str) -> dict[str, Any]:
    """One half, unless that declines nobody: then as many are approved as turned out well."""
    dataset = load_dataset(table)
    if dataset.cut_off is not None or bundle_of(recommended(table)).declined.size:
        return {}
    share = float(dataset.present.y.mean())
    return {"cut_off": share, "cut_off_kind": APPROVAL}


def usual_scenario(dataset: str, applicant: int, model: str = LOGISTIC) -> Scenario:
    """The settings to start with, for one applicant."""
    return Scenario.of(usual_settings(dataset, model), applicant)


def offered_futures(dataset: str, model: str) -> tuple[str, ...]:
    """The futures that can be chosen: past changes need a period for each person."""
    if model == NETWORK:
        return ("sampling", "paper")
    if model == TREES:
        return ("sampling", "stress", "paper")
    dated = load_dataset(dataset).periods is not None
    return ("sampling", "history", "stress", "paper") if dated else ("sampling", "stress", "paper")


def first_declined(dataset: str) -> Scenario:
    """The first person today's model declines, with the settings to start with."""
    checked_dataset_name(dataset)
    declined = bundle_of(usual_settings(dataset)).declined
    if not declined.size:
        message = "Today's model must decline somebody for there to be a plan, got nobody declined"
        raise InvalidInput(message)
    return usual_scenario(dataset, int(declined[0]))
