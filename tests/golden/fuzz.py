"""5,000 fuzzed problems: status and worst case of each, and a digest of everything found.

Numbers are compared to 12 significant digits. There is no time limit, so a run is repeatable; the
few problems that would take too long are named below and left out.
"""

import hashlib
from typing import Any

import numpy as np

from benchmarks.fuzzing.problems import fuzz_problem
from dirrac_core.errors import DirracError
from dirrac_core.recourse import Recourse, find_recourse

SEED = 12
PROBLEMS, BLOCK = 5000, 250
DIGEST = 8
# Without a time limit these take from seconds to hours; they are left out.
HARD = (38, 432, 1205, 1347, 1512, 1653, 3412, 3658, 3703, 4496)


def answers(first: int = PROBLEMS) -> dict[str, Any]:
    """The problems in blocks; a block that `first` ends within is computed to its end."""
    return {
        f"problems {start} to {start + BLOCK - 1}": [
            answer(index) for index in range(start, start + BLOCK)
        ]
        for start in range(0, min(first, PROBLEMS), BLOCK)
    }


def answer(index: int) -> str:
    """Status, worst case, and a digest of plan, probabilities, cost, bounds and budget."""
    if index in HARD:
        return "left out"
    problem = fuzz_problem(SEED, index).problem
    try:
        found = find_recourse(problem)
    except DirracError as failure:
        return f"{type(failure).__name__}: {failure}"
    digest = hashlib.sha256(_text(found).encode()).hexdigest()[:DIGEST]
    return f"{found.status} {found.worst_case_probability:.6g} {digest}"


def _text(found: Recourse) -> str:
    numbers = [] if found.x is None else [*found.x, *found.component_probabilities]
    numbers += [found.cost, found.delta_min, found.delta, found.lower_bound]
    return " ".join(map(_rounded, numbers))


def _rounded(number: float) -> str:
    # −0 and 0 are the same answer.
    return np.format_float_scientific(float(number) + 0.0, precision=11, unique=False, trim="-")
