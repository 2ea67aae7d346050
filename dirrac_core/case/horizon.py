"""How far the evidence behind a promise reaches: what it covers, and until when."""

from dataclasses import dataclass

from dirrac_core.case.settings import Settings
from dirrac_core.data.dataset import Dataset
from dirrac_core.models.futures.history import windows_of

LUCK, CHANGES, STRESSES = "luck", "past changes", "named stresses"


@dataclass(frozen=True)
class Horizon:
    """What the futures of some settings rest on.

    `covers` is "luck", "past changes" or "named stresses". `last` is the last period that was
    seen, None for undated people. `reach` is how many periods beyond it the evidence goes: as many
    as the last window has for past changes, 0 for anything that knows nothing of time, None for
    undated people. `until` names the end where periods are whole numbers such as years.
    """

    covers: str
    last: str | None
    reach: int | None
    until: str | None
    sentence: str


def horizon_of(settings: Settings, dataset: Dataset) -> Horizon:
    """How far the evidence of these settings reaches on this dataset."""
    covers = {"history": CHANGES, "stress": STRESSES}.get(settings.futures, LUCK)
    what = {
        LUCK: "luck in training on people like today's",
        CHANGES: "luck and each past change once more",
        STRESSES: "luck and the named stresses",
    }[covers]
    count = len(settings.shifts)
    if count:
        what += f" and {count} declared shift{'' if count == 1 else 's'}"
    periods = dataset.periods
    if periods is None:
        sentence = (
            f"The evidence covers {what}. The people are undated, so it names no day until which "
            "it holds: check again with newer people or a newer model."
        )
        return Horizon(covers, None, None, None, sentence)
    last = periods.names[-1]
    if covers != CHANGES:
        sentence = (
            f"The evidence ends with {last} and covers {what}; it says nothing about later times."
        )
        return Horizon(covers, last, 0, last, sentence)
    window = windows_of(dataset, settings.history_windows)[-1]
    reach = len(set(periods.index[window.rows].tolist()))
    until = str(int(last) + reach) if all(name.isdecimal() for name in periods.names) else None
    end = f"until about {until}" if until is not None else "as far again"
    length = "one period" if reach == 1 else f"{reach} periods"
    sentence = (
        f"The evidence ends with {last} and covers {what}. One change is a step to a window as "
        f"long as {window.name} ({length}), so it reaches {end}: check again then."
    )
    return Horizon(covers, last, reach, until, sentence)
