"""Points thrown at a problem's conditions: one that keeps them all refutes “there is no plan”."""

import numpy as np

from benchmarks.fuzzing.conditions import shortfalls
from dirrac_core import RecourseProblem
from dirrac_core.arrays import Array

THROWS = 60


def witness(problem: RecourseProblem, rng: np.random.Generator) -> Array | None:
    """The cheapest point found that keeps every condition but the budget; the person goes first."""
    points = _thrown(problem, rng)
    missed = np.max([missed.by for missed in shortfalls(problem, points)], axis=0)
    kept = points[missed <= 0.0]
    return min(kept, key=problem.unbounded.cost_of, default=None)


def _thrown(problem: RecourseProblem, rng: np.random.Generator) -> Array:
    """The person, and steps of every size uphill and anywhere, as far as each column may move."""
    actions, y0 = problem.unbounded.actions, problem.x0[:-1]
    uphill = problem.mixture.weights @ problem.mixture.means[:, :-1]
    steps = rng.normal(size=(THROWS, y0.size))
    steps[1::2] = uphill / (float(np.linalg.norm(uphill)) or 1.0)
    far = 10.0 ** rng.uniform(-6.0, 3.0, THROWS)
    far[0] = 0.0
    y = np.clip(
        y0 + far[:, None] * steps,
        -np.inf if actions.lower is None else actions.lower,
        np.inf if actions.upper is None else actions.upper,
    )
    for group in actions.groups:
        chosen = rng.integers(len(group), size=THROWS)
        y[:, list(group)] = np.eye(len(group))[chosen]
        y[0, list(group)] = y0[list(group)]
    up, down, locked = list(actions.only_up), list(actions.only_down), list(actions.locked)
    y[:, up] = np.maximum(y, y0)[:, up]
    y[:, down] = np.minimum(y, y0)[:, down]
    y[:, locked] = y0[locked]
    return np.column_stack([y, np.ones(THROWS)])
