"""All tables and figures by name, in the order of the paper."""

from collections.abc import Mapping
from types import MappingProxyType

from dirrac_core.arrays import checked_choice
from dirrac_core.experiments import table_accuracy, table_runtime, tables_linear
from dirrac_core.experiments.experiment import Experiment

MODULES = (tables_linear, table_accuracy, table_runtime)

EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType(
    {experiment.name: experiment for module in MODULES for experiment in module.EXPERIMENTS}
)


def experiment(name: str, kind: str | None = None) -> Experiment:
    """The experiment called `name`, of either kind or of the one asked for."""
    names = [each.name for each in EXPERIMENTS.values() if kind in (None, each.kind)]
    return EXPERIMENTS[checked_choice(f"A {kind or 'table or figure'}", name, names)]
