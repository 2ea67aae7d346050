"""Whole portfolios shipped with the package: everyone declined, at the recommended settings.

`dirrac review --store` writes them as `portfolios/NAME.parquet` with a stamp `portfolios/NAME.json`
that holds the settings: a portfolio is shown for exactly those and for no others.
"""

import json
from dataclasses import asdict
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd

from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.errors import InvalidInput, InvalidTable
from dirrac_core.version import version

PORTFOLIOS = Path(__file__).parent / "portfolios"
STAMP = ("version", "date", "people", "seconds", "settings")


def store_portfolio(
    frame: pd.DataFrame, settings: Settings, seconds: float, folder: Path = PORTFOLIOS
) -> Path:
    """Write a complete portfolio of everyone declined, and then its stamp."""
    if not frame.attrs.get("complete", False):
        message = "A stored portfolio must be complete, got one that was stopped"
        raise InvalidInput(message)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{settings.dataset}.parquet"
    stamp = path.with_suffix(".json")
    # A kill in between must not leave an old stamp beside new rows.
    stamp.unlink(missing_ok=True)
    frame.to_parquet(path, index=False)
    content = {
        "version": version(),
        "date": datetime.now(UTC).date().isoformat(),
        "people": len(frame),
        "seconds": round(seconds, 1),
        "settings": asdict(settings),
    }
    stamp.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    stored_portfolio.cache_clear()
    return path


@lru_cache(maxsize=8)
def stored_portfolio(settings: Settings, folder: Path = PORTFOLIOS) -> pd.DataFrame | None:
    """Everyone declined under exactly these settings; None where that is not stored."""
    stamp = folder / f"{settings.dataset}.json"
    if not stamp.is_file():
        return None
    content = json.loads(stamp.read_text(encoding="utf-8"))
    if not isinstance(content, dict) or set(content) != set(STAMP):
        message = f"The stamp {stamp.name!r} must hold {', '.join(STAMP)}, got {content}"
        raise InvalidTable(message)
    stored = Scenario.from_json(json.dumps({**content["settings"], "applicant": 0})).settings
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
