"""The data files shipped with the project: no network at run time."""

from pathlib import Path

import pandas as pd

SHIPPED = Path(__file__).parent / "csv"


def read_shipped(name: str) -> pd.DataFrame:
    """A shipped file as text columns; blanks stay blank."""
    return pd.read_csv(SHIPPED / name, dtype=str, keep_default_na=False)
