"""All tables and figures by name, about in the order of the paper.

What is said of them stands in `experiments.toml`; here is how each is computed and drawn.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dirrac_core.arrays import checked_choice
from dirrac_core.paper.experiment import Compute, Draw, Experiment
from dirrac_core.paper.figures import (
    elbow,
    feasible_set,
    frontier,
    sensitivity,
    shift_impact,
    shift_types,
)
from dirrac_core.paper.tables import accuracy, linear, mint, nonlinear

TEXTS = Path(__file__).parent / "experiments.toml"

HOW: Mapping[str, tuple[Compute, Draw | None]] = {
    "feasible_set": (feasible_set.compute, feasible_set.draw),
    "frontier": (frontier.compute, frontier.draw),
    "linear": (linear.linear_table("linear"), None),
    "nonlinear": (nonlinear.perceptron_table("nonlinear", nonlinear.nonlinear), None),
    "trees": (nonlinear.trees_table, None),
    "accuracy": (accuracy.accuracy_table, None),
    "shift_types": (shift_types.compute_types, shift_types.draw_types),
    "parameter_clouds": (shift_types.compute_clouds, shift_types.draw_clouds),
    "elbow": (elbow.compute, elbow.draw),
    "rho_sensitivity": (sensitivity.compute_over_rho, sensitivity.draw_over_rho),
    "components": (linear.components_table, None),
    "prior": (linear.linear_table("prior"), None),
    "actionability": (linear.linear_table("actionability", preset="paper"), None),
    "frontier_synthetic": (frontier.compute_synthetic, frontier.draw),
    "shift_impact": (shift_impact.compute, shift_impact.draw),
    "rbr": (nonlinear.perceptron_table("rbr", nonlinear.against_rbr), None),
    "mint": (mint.mint_table, None),
    "roar_ensembles": (linear.ensemble_table, None),
    "runtime": (linear.runtime_table, None),
    "delta_sensitivity": (sensitivity.compute_over_delta, sensitivity.draw_over_delta),
}


def _experiments() -> dict[str, Experiment]:
    texts = tomllib.loads(TEXTS.read_text(encoding="utf-8"))
    ours = texts.pop("ours")
    return {
        name: Experiment(name, compute=compute, draw=draw, **_said(texts[name], ours))
        for name, (compute, draw) in HOW.items()
    }


def _said(texts: dict[str, str], ours: str) -> dict[str, Any]:
    return {key: text.replace("{ours}", ours) for key, text in texts.items()}


EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType(_experiments())


def experiment(name: str) -> Experiment:
    """The experiment called `name`."""
    return EXPERIMENTS[checked_choice("A table or figure", name, EXPERIMENTS)]
