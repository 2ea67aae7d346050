"""Points thrown at a problem's conditions: one that keeps them all refutes “there is no plan”."""

import numpy as np

from benchmarks.fuzz_checks import misses
from dirrac_core import RecourseProblem
from dirrac_core.arrays import Array

THROWS = 60


def witness(problem: RecourseProblem, rng: np.random.Generator) -> Array | None:
    """The cheapest point found that keeps every condition but the budget; the person goes first."""
    actions, x0 = problem.unbounded.actions, problem.x0
    d = x0.size - 1
    lower = np.full(d, -np.inf) if actions.lower is None else actions.lower
    upper = np.full(d, np.inf) if actions.upper is None else actions.upper
    uphill = problem.mixture.weights @ problem.mixture.means[:, :-1]
    length = float(np.linalg.norm(uphill)) or 1.0
    found: list[Array] = []
    for number in range(THROWS):
        step = uphill / length if number % 2 else rng.normal(size=d)
        far = 0.0 if number == 0 else 10.0 ** rng.uniform(-6.0, 3.0)
        y = np.clip(x0[:-1] + far * step, lower, upper)
        y[list(actions.only_up)] = np.maximum(y, x0[:-1])[list(actions.only_up)]
        y[list(actions.only_down)] = np.minimum(y, x0[:-1])[list(actions.only_down)]
        y[list(actions.locked)] = x0[:-1][list(actions.locked)]
        point = np.append(y, 1.0)
        if all(by <= 0.0 for name, by in misses(problem, point) if name != "the budget"):
            found.append(point)
    return min(found, key=problem.unbounded.cost_of, default=None)
