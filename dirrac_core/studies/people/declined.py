"""The declined people at a glance: how far each is from acceptance, and whether a plan exists."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from dirrac_core.case.case import Case
from dirrac_core.studies.case_methods import case_applicants


def declined_people(case: Case, rows: Iterable[int]) -> pd.DataFrame:
    """One row per person, by their row: `probability`, `missing` and, for linear models, `plan`.

    `missing` is how much of the probability is missing to what acceptance needs. `plan` says
    whether a plan exists at any effort, with the rules and futures of the case: δ_min is finite.
    """
    listed = [int(row) for row in rows]
    probability = case.bundle.current.probability(case.dataset.present.X[listed])
    found = {"probability": probability, "missing": case.bundle.needed - probability}
    if case.surrogate is None:
        cheapest = [
            case.dirrac.problem(applicant.x0, applicant.actions).delta_min
            for applicant in case_applicants(case, listed)
        ]
        found["plan"] = np.isfinite(cheapest)
    return pd.DataFrame(found, index=pd.Index(listed, name="applicant"))
