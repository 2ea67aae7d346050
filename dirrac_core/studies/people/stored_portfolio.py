"""Whole portfolios shipped with the package: everyone declined, at the recommended settings.

`dirrac review --store` writes them as `portfolios/NAME.parquet` with a stamp `portfolios/NAME.json`
that holds the settings: a portfolio is shown for exactly those and for no others.
"""

from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import pandas as pd

from dirrac_core.case.settings import Settings
from dirrac_core.errors import InvalidInput
from dirrac_core.studies.stamps import read_stamp, store_stamped

PORTFOLIOS = Path(__file__).parent / "portfolios"


def store_portfolio(
    frame: pd.DataFrame, settings: Settings, seconds: float, folder: Path = PORTFOLIOS
) -> Path:
    """Write a complete portfolio of everyone declined, and then its stamp."""
    if not frame.attrs.get("complete", False):
        message = "A stored portfolio must be complete, got one that was stopped"
        raise InvalidInput(message)
    path = folder / f"{settings.dataset}.parquet"
    said = {"people": len(frame), "seconds": round(seconds, 1)}
    store_stamped(path, partial(frame.to_parquet, index=False), settings, said)
    stored_portfolio.cache_clear()
    return path


@lru_cache(maxsize=8)
def stored_portfolio(settings: Settings, folder: Path = PORTFOLIOS) -> pd.DataFrame | None:
    """Everyone declined under exactly these settings; None where that is not stored."""
    stamp = folder / f"{settings.dataset}.json"
    if not stamp.is_file():
        return None
    _, stored = read_stamp(stamp, ("people", "seconds"))
    return _read(stamp.with_suffix(".parquet")) if stored == settings else None


def _read(path: Path) -> pd.DataFrame:
    stored = pd.read_parquet(path)
    plans = [None if x is None else np.array(x, dtype=np.float64) for x in stored["x"]]
    unlocks = [tuple(tuple(map(str, names)) for names in sets) for sets in stored["unlocks"]]
    frame = stored.assign(
        x=pd.Series(plans, index=stored.index, dtype=object),
        unlocks=pd.Series(unlocks, index=stored.index, dtype=object),
    )
    frame.attrs["complete"] = True
    return frame
