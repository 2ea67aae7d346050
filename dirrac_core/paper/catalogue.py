"""All tables and figures by name, about in the order of the paper.

What is said of them stands in `experiments.toml`; here is how each is computed and drawn.
"""

import tomllib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dirrac_core.arrays import checked_choice
from dirrac_core.paper.comparison import comparison, protocol_and_ours
from dirrac_core.paper.experiment import Compute, Draw, Experiment
from dirrac_core.paper.figures.elbow import compute_elbow, draw_elbow
from dirrac_core.paper.figures.feasible_set import compute_feasible_set, draw_feasible_set
from dirrac_core.paper.figures.frontier import compute_frontier, compute_synthetic, draw_frontier
from dirrac_core.paper.figures.sensitivity import compute_over_delta, compute_over_rho, draw_over
from dirrac_core.paper.figures.shift_impact import compute_impact, draw_impact
from dirrac_core.paper.figures.shift_types import (
    compute_clouds,
    compute_types,
    draw_clouds,
    draw_types,
)
from dirrac_core.paper.tables.accuracy import accuracy_table
from dirrac_core.paper.tables.linear import (
    actionability,
    components_table,
    ensemble_parts,
    linear,
    prior,
    runtime,
)
from dirrac_core.paper.tables.mint import mint_parts
from dirrac_core.paper.tables.nonlinear import against_rbr, nonlinear, parts_of, trees_table

TEXTS = Path(__file__).parent / "experiments.toml"

HOW: Mapping[str, tuple[Compute, Draw | None]] = {
    "feasible_set": (compute_feasible_set, draw_feasible_set),
    "frontier": (compute_frontier, draw_frontier),
    "linear": (protocol_and_ours("linear", linear), None),
    "nonlinear": (comparison("nonlinear", partial(parts_of, nonlinear)), None),
    "trees": (trees_table, None),
    "accuracy": (accuracy_table, None),
    "shift_types": (compute_types, draw_types),
    "parameter_clouds": (compute_clouds, draw_clouds),
    "elbow": (compute_elbow, draw_elbow),
    "rho_sensitivity": (compute_over_rho, partial(draw_over, "rho")),
    "components": (components_table, None),
    "prior": (protocol_and_ours("prior", prior), None),
    "actionability": (protocol_and_ours("actionability", actionability, preset="paper"), None),
    "frontier_synthetic": (compute_synthetic, draw_frontier),
    "shift_impact": (compute_impact, draw_impact),
    "rbr": (comparison("rbr", partial(parts_of, against_rbr)), None),
    "mint": (comparison("mint", mint_parts), None),
    "roar_ensembles": (comparison("roar_ensembles", ensemble_parts), None),
    "runtime": (runtime, None),
    "delta_sensitivity": (compute_over_delta, partial(draw_over, "delta_add")),
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
