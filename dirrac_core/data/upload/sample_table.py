"""Tables to try an upload with: the Student people as a file a stranger could have."""

from typing import Literal

from dirrac_core.data.datasets.student import load_student
from dirrac_core.data.safe_csv import safe_csv

LABEL, GOOD, OTHER = "result", "passed", "failed"


def sample_table(which: Literal["present", "shifted"]) -> str:
    """CSV text of the present people (one school) or the shifted ones (another school)."""
    dataset = load_student()
    sample = dataset.present if which == "present" or dataset.shifted is None else dataset.shifted
    outcome = [GOOD if favourable else OTHER for favourable in sample.y]
    return safe_csv(sample.people.assign(**{LABEL: outcome}))
