"""Promises checked on the past, beside the pages; a whole record speaks for every page."""

from typing import Any

from dirrac_core import load_dataset
from dirrac_core.case.settings import Settings
from dirrac_core.progress import Cancel, Progress
from dirrac_core.studies.evidence.backtest import APPLICANTS, Record, backtest
from dirrac_core.studies.evidence.track_record import remember
from pages.runs import background
from pages.shared import notices, state


def begin_check(
    name: str, about: Any, settings: Settings, kind: str, most: int = APPLICANTS
) -> None:
    """Start it, for at most so many declined people at each date; for a callback."""
    state.current()
    with notices.show_errors():
        dataset = load_dataset(settings.dataset)

        def work(progress: Progress, cancel: Cancel) -> Record:
            record = backtest(
                dataset, settings, kind, most, jobs=None, progress=progress, cancel=cancel
            )
            if record.complete:
                remember(record)
            return record

        background.start(name, about, work)
