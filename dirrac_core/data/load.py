"""The datasets by name."""

from functools import lru_cache

from dirrac_core.arrays import checked_choice
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.german import load_german
from dirrac_core.data.sba import load_sba
from dirrac_core.data.student import load_student
from dirrac_core.data.synthetic import load_synthetic

DATASETS = {
    "german": "German credit",
    "sba": "SBA loans",
    "sba-no-leak": "SBA loans without the leaking column",
    "student": "Student performance",
    "synthetic": "Synthetic",
}


def load_dataset(name: str) -> Dataset:
    """The dataset called `name`, read once from the shipped files and then shared, read-only."""
    return _load(checked_choice("A dataset", name, DATASETS))


@lru_cache(maxsize=len(DATASETS))
def _load(name: str) -> Dataset:
    match name:
        case "german":
            return load_german()
        case "student":
            return load_student()
        case "synthetic":
            return load_synthetic()
        case _:
            return load_sba(leak=name == "sba")
