"""The plans of all methods side by side: once for each setting, whatever else the page shows."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dirrac_core.case.case import Case
from dirrac_core.case.scenario import Scenario
from dirrac_core.studies.case_methods import method_rows, one_row_per_plan
from dirrac_core.studies.measures import Measures
from pages.methods.words import broken_words, headline
from pages.shared import computing


@dataclass(frozen=True, eq=False)
class Comparison:
    """One row per plan with the worst case of the scenario's futures; as a table; in a sentence."""

    rows: pd.DataFrame
    table: pd.DataFrame
    headline: str


def compare(scenario: Scenario, plans: dict[str, Measures]) -> Comparison:
    """The plans found so far, by method."""
    return _compared(scenario, tuple(plans), plans)


@computing.kept(64)
def _compared(
    scenario: Scenario, names: tuple[str, ...], _plans: dict[str, Measures]
) -> Comparison:
    case = computing.case(scenario)
    rows = one_row_per_plan(method_rows(case, _plans), case)
    return Comparison(rows, numbers(case, rows), headline(case, rows))


def numbers(case: Case, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows as the table shows them."""
    schema = case.dataset.schema
    models = rows["models"]
    return pd.DataFrame(
        {
            "Method": rows["method"],
            "Effort ℓ1": rows["cost_l1"],
            "Effort ℓ2": rows["cost_l2"],
            "Features": rows["features_changed"],
            "Today": np.where(rows["m1"].astype(bool), "✓ yes", "✗ no"),
            "Later": (1.0 - rows["m2"]) * models,
            "95 % interval": [
                "" if np.isnan(low) else f"{100 * (1 - high):.0f}–{100 * (1 - low):.0f}"
                for low, high in zip(rows["m2_low"], rows["m2_high"], strict=True)
            ],
            "Worst case": 100.0 * np.ceil(rows["worst_case"] * 1e4 - 1e-7) / 1e4,
            "Rules": [
                broken_words(broken) if found else ""
                for broken, found in zip(rows["broken"], rows["found"], strict=True)
            ],
            "Time": 1000.0 * rows["seconds"],
            "Plan": [
                message if x is None else schema.sentence(case.x0, x)
                for x, message in zip(rows["x"], rows["message"], strict=True)
            ],
        }
    )
