"""All tables and figures by name: tables first, each kind about in the order of the paper."""

from collections.abc import Mapping
from types import MappingProxyType

from dirrac_core.arrays import checked_choice
from dirrac_core.experiments import (
    figure_elbow,
    figure_feasible_set,
    figure_frontier,
    figure_sensitivity,
    figure_shift_impact,
    figure_shift_types,
    table_accuracy,
    table_mint,
    table_roar_ensembles,
    table_runtime,
    tables_linear,
    tables_nonlinear,
)
from dirrac_core.experiments.experiment import Experiment

MODULES = (
    tables_linear,
    tables_nonlinear,
    table_accuracy,
    table_mint,
    table_roar_ensembles,
    table_runtime,
    figure_feasible_set,
    figure_frontier,
    figure_shift_types,
    figure_elbow,
    figure_sensitivity,
    figure_shift_impact,
)

EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType(
    {experiment.name: experiment for module in MODULES for experiment in module.EXPERIMENTS}
)


def experiment(name: str) -> Experiment:
    """The experiment called `name`."""
    return EXPERIMENTS[checked_choice("A table or figure", name, EXPERIMENTS)]
