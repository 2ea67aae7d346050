"""How DiRRAc's plans answer to the radius ρ and the extra budget δ_add."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from dirrac_core.methods import Dirrac
from dirrac_core.parallel import ALL_CORES
from dirrac_core.progress import Cancel, Progress, never, no_progress
from dirrac_core.studies.intervals import mean_interval
from dirrac_core.studies.measures import Judge, describe, measure_all, worst_cases
from dirrac_core.studies.people.applicants import Applicant

# The paper's study of ρ fixes δ_add = 0.1 and takes ρ in [0, 0.5].
RADII = tuple(float(rho) for rho in np.linspace(0.0, 0.5, 11))


def sensitivity(
    applicants: Sequence[Applicant],
    dirrac: Dirrac,
    judge: Judge,
    radii: Sequence[float] = RADII,
    delta_adds: Sequence[float] = (0.1,),
    jobs: int | None = ALL_CORES,
    progress: Progress = no_progress,
    cancel: Cancel = never,
) -> pd.DataFrame:
    """DiRRAc at every pair of ρ (the same for all components) and δ_add: columns of `describe`.

    `worst_case` is the mean bound at that ρ. A large ρ leaves some applicants without a plan:
    read the means together with `plans` and `n`.
    """
    pairs = [(float(rho), float(add)) for rho in radii for add in delta_adds]
    methods = [replace(dirrac, radii=rho, delta_add=add) for rho, add in pairs]
    done = measure_all(applicants, methods, judge, jobs, progress, cancel)
    rows = []
    for index, ((rho, add), method) in enumerate(zip(pairs, methods, strict=True)):
        measured = [result[index] for result in done.results]
        bounds = worst_cases(measured, method.objective())
        worst = mean_interval([bound for bound in bounds if not np.isnan(bound)])
        row = {"method": method.name, "rho": rho, "delta_add": add}
        rows.append(row | describe(measured) | {"worst_case": worst.value})
    frame = pd.DataFrame(rows)
    frame.attrs["complete"] = done.complete
    return frame
