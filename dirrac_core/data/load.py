"""The datasets by name."""

from functools import lru_cache

from dirrac_core.arrays import checked_choice
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.datasets.german import load_german
from dirrac_core.data.datasets.sba import load_sba
from dirrac_core.data.datasets.student import load_student
from dirrac_core.data.datasets.synthetic import load_synthetic
from dirrac_core.data.upload.visitor_tables import is_table_name, visitor_table

DATASETS = {
    "german": "German credit",
    "sba": "SBA loans",
    "sba-no-leak": "SBA loans without the leak",
    "student": "Student performance",
    "synthetic": "Synthetic",
}


def load_dataset(name: str) -> Dataset:
    """The dataset called `name`, read-only: a shipped one, read once, or a visitor's table."""
    if is_table_name(name):
        return visitor_table(name)
    return _load(checked_choice("A dataset", name, DATASETS))


def checked_dataset_name(name: str) -> str:
    """`name` when it is a shipped dataset or could be a visitor's table; nothing is read."""
    return name if is_table_name(name) else checked_choice("The dataset", name, DATASETS)


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
