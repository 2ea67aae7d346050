"""Made-up tables of people whose past is known, for tests of promises and their records."""

import numpy as np
import pandas as pd

from dirrac_core.data.dataset import Dataset, make_sample
from dirrac_core.data.periods import Periods
from dirrac_core.data.schema.feature import Feature
from dirrac_core.data.schema.presets import Preset
from dirrac_core.data.schema.schema import Schema

WEIGHTS = np.array([3.0, 2.0])


def world(people=400, years=0, change=0.0, seed=0, shifted=False):
    """Two numbers and a category decide the outcome; the number “income” counts for `change` less
    from one year to the next (and for the shifted people)."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "income": rng.uniform(0.0, 100.0, people),
            "savings": rng.uniform(0.0, 100.0, people),
            "region": rng.choice(["north", "south"], people),
        }
    )
    year = np.sort(rng.integers(0, years, people)) if years else np.zeros(people, dtype=np.int64)

    def outcome(table, when):
        scaled = table[["income", "savings"]].to_numpy() / 100.0 - 0.5
        strength = WEIGHTS - np.outer(when, [change, 0.0])
        noise = rng.logistic(0.0, 0.3, len(table))
        return ((scaled * strength).sum(axis=1) + noise >= 0.0).astype(int)

    schema = Schema(
        (
            Feature("income", "continuous", low=0.0, high=100.0),
            Feature("savings", "continuous", low=0.0, high=100.0),
            Feature("region", "unordered", categories=("north", "south")),
        ),
        presets={"sensible": Preset({"region": "It is where people live."}, {}, {})},
    )
    present = make_sample(schema, frame, outcome(frame, year))
    later = None
    if shifted:
        later = make_sample(schema, frame, outcome(frame, np.full(people, max(years, 1))))
    return Dataset(
        "world",
        "A small world",
        schema,
        present,
        later,
        "paid",
        "not paid",
        "none",
        "",
        periods=Periods(year, tuple(str(2000 + y) for y in range(years))) if years else None,
    )
