"""How far the limits of what is usual must give way before a plan promises something.

The limits are the ellipsoid of real people and the rules that give way. All of them are widened by
one factor f ≥ 1: ‖F(x − c)‖₂ ≤ f·size, and a rule by (f − 1)·give. The smallest f at which every
component reaches a given score is one cone program per piece.
"""

from dataclasses import replace
from itertools import islice

import numpy as np

from dirrac_core.data.schema.actions import Actions
from dirrac_core.data.schema.plausible_set import PlausibleSet
from dirrac_core.feasible import FeasibleSet, Piece
from dirrac_core.robustness import Objective
from dirrac_core.solvers.score_program import ScoreProgram

# Worst cases to aim for, best first; the last one is any plan that is valid at all.
# The first was chosen among 0.2, 0.1 and 0.05 after seeing how such plans fared with shifted
# students (docs/benchmarks.md): their record there is no independent test of it. Present students
# alone say that a smaller one gains a promise nothing more.
LEVELS = (0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0)
# Of whole categories, so many combinations are tried, the cheapest first.
MOST_COMBINATIONS = 64


def widening(feasible: FeasibleSet, objective: Objective) -> float:
    """The smallest factor on the usual limits with which a plan promises the best of LEVELS.

    The categories are the cheapest ones with a plan at all, the applicant's own first: only they
    are within the budget. 1 where nothing has to give way, and where no factor helps.
    """
    people = feasible.actions.plausible
    if people is None:
        return 1.0
    open_set = replace(feasible, actions=_without_usual_limits(feasible.actions), delta=np.inf)
    scores = [max(float(objective.link.score(level)), 0.0) for level in LEVELS]
    for piece in islice(open_set.pieces(), MOST_COMBINATIONS):
        for score in scores:
            factor = _factor(piece, feasible.actions, people, score)
            if factor is not None:
                return factor
    return 1.0


def widened(actions: Actions, factor: float) -> Actions:
    """The same actions with every usual limit widened by the factor."""
    people = actions.plausible
    if people is None or factor <= 1.0:
        return actions
    return replace(
        actions,
        plausible=people.widened_by(factor),
        linear=tuple(
            replace(rule, high=rule.high + (factor - 1.0) * rule.give) for rule in actions.linear
        ),
    )


def _without_usual_limits(actions: Actions) -> Actions:
    """The same actions without ellipsoid and without rules that give way; ranges stay."""
    people = actions.plausible
    assert people is not None
    no_factor = np.zeros((1, people.centre.size))
    return replace(
        actions,
        plausible=PlausibleSet(people.lower, people.upper, no_factor, people.centre, people.size),
        linear=tuple(rule for rule in actions.linear if not rule.give),
    )


def _factor(piece: Piece, actions: Actions, people: PlausibleSet, score: float) -> float | None:
    """The smallest f ≥ 1 of one piece; None when no f reaches the score there."""
    scores = ScoreProgram(piece, np.inf, range(piece.mixture.components))
    program, free = scores.program.copy(), piece.free
    program.at_most(*scores.shortfalls(np.full(piece.mixture.components, score)))
    program.add("f")
    program.at_most({"f": -1.0}, -1.0)
    inside = people.factor @ (piece.base[:-1] - people.centre)
    program.norm({"y": people.factor[:, free]}, inside, {"f": people.size})
    for rule in actions.linear:
        if rule.give:
            fixed = float(rule.coefficients @ piece.base[:-1])
            limit = rule.high - rule.give - fixed
            program.at_most({"y": rule.coefficients[free], "f": -rule.give}, limit)
    solution = program.solver().minimise(program.row({"f": 1.0}))
    return max(float(program.part(solution.v, "f")[0]), 1.0) if solution.usable else None
