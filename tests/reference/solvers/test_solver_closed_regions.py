"""The lower bound counts every region that was closed, not only those still open.

Without majorise–minimise the best plan stays poor, so regions are closed well below its value:
a bound that forgot them would lie above the optimum.
"""

import numpy as np
import pytest

from dirrac_core import Actions, ParameterMixture, RecourseProblem, find_recourse
from dirrac_core.solvers import certified
from dirrac_core.solvers.last_descent import Descent
from dirrac_core.solvers.majorise import Majoriser

COARSE = 0.05


def far_apart(seed: int, categories: str) -> RecourseProblem:
    """Components that disagree; two one-hot groups when categories are whole."""
    rng = np.random.default_rng(seed)
    d, k = 6, 3
    means = rng.normal(size=d + 1) + 0.6 * rng.normal(size=(k, d + 1))
    x0 = np.append(rng.random(d), 1.0)
    groups = ()
    if categories == "whole":
        groups = ((0, 1), (2, 3))
        x0[:4] = [1.0, 0.0, 1.0, 0.0]
    means[:, -1] -= means @ x0 + 0.2
    roots = 0.4 * rng.normal(size=(k, d + 1, d + 1)) / np.sqrt(d)
    mixture = ParameterMixture([0.3, 0.3, 0.4], means, roots @ roots.transpose(0, 2, 1))
    actions = Actions(np.zeros(d), np.ones(d), groups=groups)
    return RecourseProblem(
        x0, mixture, radii=0.02, delta_add=4.0, actions=actions, categories=categories
    )


@pytest.mark.parametrize("categories", ["relaxed", "whole"])
def test_a_coarse_bound_is_never_above_the_optimum(monkeypatch, categories):
    telling = 0
    for seed in range(12):
        fine = find_recourse(far_apart(seed, categories), gap=1e-3)
        if fine.x is None:
            continue
        with monkeypatch.context() as patched:
            patched.setattr(Majoriser, "improve", lambda self, x, *_: (x, 1.0))
            coarse = find_recourse(far_apart(seed, categories), gap=COARSE)
        assert coarse.lower_bound <= fine.worst_case_probability + 1e-6
        assert coarse.gap <= COARSE + 1e-6
        telling += coarse.worst_case_probability > fine.worst_case_probability + 1e-3
    # Otherwise a bound equal to the plan's own value would pass as well.
    assert telling >= 2


def test_a_category_pruned_unseen_counts_in_the_bound(monkeypatch):
    """Two categories, no freedom besides: the other one is better, but by less than the gap.

    Staying fails with ½·0.30 + ½·0.30. Changing fails with ½·0.52 + ½·0.02, yet its first
    component alone exceeds what is worth looking for, so its piece is closed without a search.
    The last descent then finds it; the bound stays what was proved.
    """
    staying, changing = np.array([0.30, 0.30]), np.array([0.52, 0.02])
    scores = np.sqrt(1.0 / np.array([staying, changing]) - 1.0)
    means = np.column_stack([scores[0], scores[1], np.zeros(2)])
    mixture = ParameterMixture([0.5, 0.5], means, [np.diag([0.0, 0.0, 1.0])] * 2)
    problem = RecourseProblem(
        [1.0, 0.0, 1.0],
        mixture,
        radii=0.0,
        delta=2.0,
        actions=Actions(groups=((0, 1),)),
        categories="whole",
    )
    with monkeypatch.context() as patched:
        patched.setattr(certified, "descend", lambda *_: Descent((), 0))
        plan = find_recourse(problem, gap=COARSE)
    assert plan.worst_case_probability == pytest.approx(0.30)
    assert problem.objective.value(np.array([0.0, 1.0, 1.0])) == pytest.approx(0.27)
    assert plan.status == "optimal"
    assert plan.lower_bound == pytest.approx(0.30 - COARSE)
    descended = find_recourse(problem, gap=COARSE)
    assert descended.worst_case_probability == pytest.approx(0.27)
    assert descended.lower_bound == pytest.approx(0.30 - COARSE)
    assert find_recourse(problem, gap=1e-3).lower_bound > 0.27 - 2e-3
