"""A table kept with the package and the stamp beside it: when it was made, with which settings."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.errors import InvalidTable
from dirrac_core.version import version


def store_stamped(
    path: Path, write: Callable[[Path], object], settings: Settings, said: Mapping[str, Any]
) -> Path:
    """Let `write` write the table to `path`, then its stamp with all that is `said`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    stamp = path.with_suffix(".json")
    # A kill in between must not leave an old stamp beside new rows.
    stamp.unlink(missing_ok=True)
    write(path)
    content = {
        "version": version(),
        "date": datetime.now(UTC).date().isoformat(),
        **said,
        "settings": asdict(settings),
    }
    stamp.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def read_stamp(stamp: Path, said: tuple[str, ...]) -> tuple[dict[str, Any], Settings]:
    """What a stamp says, which must be this and no more, and the settings."""
    content = json.loads(stamp.read_text(encoding="utf-8"))
    names = ("version", "date", *said, "settings")
    if not isinstance(content, dict) or set(content) != set(names):
        message = f"The stamp {stamp.name!r} must hold {', '.join(names)}, got {content}"
        raise InvalidTable(message)
    scenario = Scenario.from_json(json.dumps({**content["settings"], "applicant": 0}))
    return content, scenario.settings
