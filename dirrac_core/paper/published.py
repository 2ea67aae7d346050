"""The numbers the paper prints, carried over as they are.

Nguyen, Bui, Nguyen: Distributionally Robust Recourse Action, ICLR 2023. `mint` has no ℓ2 cost,
as in the paper; `elbow` is the K named under the figure of the elbow method.
"""

from pathlib import Path

import pandas as pd

from dirrac_core.arrays import checked_choice
from dirrac_core.paper.experiment import PUBLISHED

FOLDER = Path(__file__).parent / "published_tables"
TABLES = tuple(sorted(path.stem for path in FOLDER.glob("*.csv")))


def published(table: str) -> pd.DataFrame:
    """The published rows of one of TABLES, with `source` "published".

    Datasets are named as in DATASETS, methods as in the paper. A column `…_spread` holds what
    the paper prints after ±.
    """
    path = FOLDER / f"{checked_choice('A published table', table, TABLES)}.csv"
    rows = pd.read_csv(path)
    rows.insert(0, "source", PUBLISHED)
    return rows
