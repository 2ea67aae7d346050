"""The certified solver: a plan, and a proof of how far it can be from the best one.

Every weighting is increasing in each component's probability, hence decreasing in each score.
So the largest score each component can reach in a region, put into the weighting, is a lower
bound there. One score (K = 1, or the worst component) makes that bound exact. Otherwise regions
are boxes lo ≤ score ≤ hi: scores ≥ lo is a convex condition, a convex relaxation on the box gives
its bound, and boxes are split until the bound meets the best plan. With whole categories each
combination starts a region of its own, so the certificate covers the enumeration.
"""

import heapq
import itertools
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.conic import ROW_ACCURACY
from dirrac_core.feasible import FeasibleSet, Piece
from dirrac_core.robustness import Objective
from dirrac_core.solvers.best_alone import best_alone
from dirrac_core.solvers.boxes import Box, raised_floors, split_in_two
from dirrac_core.solvers.last_descent import Descent, algorithm_1, descend
from dirrac_core.solvers.majorise import Majoriser
from dirrac_core.solvers.outcome import OPTIMAL, STALLED, TIME_LIMIT, Outcome, Step
from dirrac_core.solvers.relaxation import KEPT_CUTS, Relaxation, Relaxed
from dirrac_core.solvers.score_program import ScoreProgram, Trial, best_score

# Majorise–minimise stops when a step gains less than this share of the asked gap or of the value.
SMALL_GAIN = 0.02
# A plan not proved to be this close to the best one is descended from once more.
FINE = 1e-4
# What a plan of another solver may miss validity by, relative to the terms in it (far inside the
# checklist's tolerance): the certificate must hold for it, too.
PROOF_SLACK = ROW_ACCURACY


def solve_certified(
    feasible: FeasibleSet,
    objective: Objective,
    start: Array,
    gap: float = 1e-3,
    time_limit: float | None = None,
) -> Outcome:
    """Minimise the objective over the feasible set to the requested absolute gap.

    `start` is any point of the set. The clock is looked at before every cone program. At the time
    limit the best plan is kept and the gap reached is reported.
    """
    return _Search(feasible, objective, start, gap, time_limit).run()


class _Search:
    def __init__(
        self,
        feasible: FeasibleSet,
        objective: Objective,
        start: Array,
        gap: float,
        time_limit: float | None,
    ) -> None:
        self.feasible, self.objective, self.gap = feasible, objective, gap
        self.time_limit = time_limit
        self.deadline = self.half_time = np.inf
        if time_limit is not None:
            begin = time.perf_counter()
            self.deadline, self.half_time = begin + time_limit, begin + 0.5 * time_limit
        self.k = objective.mixture.components
        self.solves = self.nodes = 0
        # The smallest lower bound of the regions already closed.
        self.floor = np.inf
        # Whether every piece has been bounded, so that floor and queue say something of them all.
        self.covered = False
        # Weights the weighting may pick, the last ones met; each bounds every box from below.
        self.weight_cuts: deque[Array] = deque(maxlen=KEPT_CUTS)
        self.queue: list[tuple[float, int, Box]] = []
        self._order = itertools.count()
        self.x, self.value = start, objective.value(start)
        r = objective.doubt.terms(start)
        self.slack = PROOF_SLACK * (np.abs(objective.mixture.means) @ np.abs(start) + r)
        # Beyond the budget of the proof by no more than rounding.
        self.most_cost = 2.0 * feasible.proof_budget() - feasible.budget()
        self.trace = [Step(start, self.value, 0.0, "cheapest valid plan")]

    def run(self) -> Outcome:
        """Close every region, or stop at the deadline with the bound reached so far."""
        single = self.objective.is_one_score
        open_piece = self._open_single if single else self._open_mixture
        # What categories not looked at in time can reach: nothing is known until half time.
        unseen: float | None = None
        for number, piece in enumerate(self.feasible.pieces()):
            if number and unseen is None and time.perf_counter() > self.half_time:
                unseen = self._relaxed_floor(open_piece)
            if number and self._late():
                self._close(0.0 if unseen is None else unseen)
                break
            open_piece(piece, offer=True)
        self.covered = True
        while self.queue:
            bound, _, box = self.queue[0]
            if bound >= self._target() or self._late():
                break
            heapq.heappop(self.queue)
            self._split(box, bound)
        # A cone program that stalls leaves its region unproved, however much time there is.
        unproved = TIME_LIMIT if self._late() else STALLED
        self._finish(single)
        lower = self._lower_bound()
        self.trace.append(Step(self.x, self.value, lower, "end"))
        status = OPTIMAL if self._reached() else unproved
        return Outcome(
            status, self.x, self.value, lower, tuple(self.trace), self.solves, self.nodes
        )

    def _late(self) -> bool:
        return time.perf_counter() > self.deadline

    def _relaxed_floor(self, open_piece: Callable[[Piece, bool], None]) -> float:
        """A lower bound on every combination of categories at once: that of their relaxation."""
        floor, self.floor = self.floor, np.inf
        for piece in replace(self.feasible, categories="relaxed").pieces():
            open_piece(piece, False)
        found, self.floor = self.floor, floor
        return found

    def _target(self) -> float:
        """Only plans with a value below this are still of interest."""
        return max(self.value - self.gap, 0.0)

    def _lower_bound(self) -> float:
        waiting = self.queue[0][0] if self.queue else np.inf
        return max(0.0, min(self.floor, waiting, self.value))

    def _close(self, bound: float) -> None:
        self.floor = min(self.floor, bound)

    def _offer(self, x: Array | None, note: str) -> bool:
        """Keep x when it beats the best plan so far, passes the checklist, and costs no more than
        the certificate assumes."""
        if x is None:
            return False
        value, weights = self.objective.weigh(self.objective.probabilities(x))
        if value >= self.value or not self.feasible.contains(x):
            return False
        if self.feasible.cost_of(x) > self.most_cost:
            return False
        self.x, self.value = x, value
        self.weight_cuts.append(weights)
        self.trace.append(Step(x, value, self._lower_bound() if self.covered else 0.0, note))
        return True

    def _open_single(self, piece: Piece, offer: bool) -> None:
        """One score decides: its largest value in the piece is the optimum there."""
        self.nodes += 1
        program = ScoreProgram(piece, self.feasible.proof_budget(), range(self.k), self.slack)

        def attempt(a: float) -> Trial:
            if self.k == 1:
                return program.try_score(a)
            return program.try_common(np.full(self.k, a))

        def score_of(x: Array) -> float:
            return float(self.objective.scores(x).min())

        found = best_score(attempt, score_of, score_of(self.x) if offer else 0.0, self._late)
        self.solves += program.solves
        if offer:
            self._offer(found.x, "best score")
        if found.upper > -np.inf:
            self._close(float(self.objective.link.probability(found.upper)))

    def _open_mixture(self, piece: Piece, offer: bool) -> None:
        """Bound a piece by the best score of each component; improve the best plan inside it."""
        self.nodes += 1
        budget = self.feasible.proof_budget()
        program = ScoreProgram(piece, budget, range(self.k), self.slack)
        lo = self._raised(np.zeros(self.k), np.full(self.k, np.inf))
        inside: list[Array] = []
        if offer and lo.any() and not self._late():
            trial = program.try_common(lo)
            self.solves += 1
            if trial.bound <= 0.0:
                self._close(self._target())
                return
            if trial.x is not None:
                inside.append(trial.x)
        alone = best_alone(piece, budget, self.slack, self._late)
        self.solves += alone.solves
        if alone.empty:
            return
        hi = alone.upper
        inside += alone.points
        if offer and inside:
            inside.append(np.mean(inside, axis=0))
            best = min(inside, key=self.objective.value)
            self._offer(best, "best of the components")
            self._improve(program, best)
        bound = self.objective.weigh(self.objective.link.probability(hi))[0]
        if bound >= self._target() or not offer:
            # A piece that only bounds must not be searched: its plans are not whole.
            self._close(bound)
        else:
            relaxation = Relaxation(program, self.objective, self._late)
            self._bound_box(relaxation, np.zeros(self.k), hi, bound)

    def _improve(self, program: ScoreProgram, x: Array) -> None:
        majoriser = Majoriser(program, self.objective)
        small = max(1e-9, SMALL_GAIN * min(self.gap, self.objective.value(x)))
        better, _ = majoriser.improve(x, small, self._late)
        self.solves += majoriser.solves
        self._offer(better, "majorise–minimise")

    def _finish(self, single: bool) -> None:
        """Leave nothing on the table that a plain descent would find.

        The requested gap can be met by a plan that still has a little to gain. Where it could not
        be met, or a step could not be computed, fall back to Algorithm 1.
        """
        stalled = not self._reached()
        left = self.value - self._lower_bound() > FINE
        if single:
            # One score is at its best unless a cone program could not be computed.
            stalled = stalled or left
        elif left:
            found = descend(self.feasible, self.objective, self.x, self._late)
            stalled = self._take(found) or stalled
        if stalled:
            # Also at the time limit: a moment of it may beat all that the search has found.
            self._take(algorithm_1(self.feasible, self.objective, self.time_limit))

    def _take(self, descent: Descent) -> bool:
        """Keep the best end of a descent; whether it ended too early."""
        self.solves += descent.solves
        for x in descent.ends:
            self._offer(x, "last descent")
        return descent.stalled

    def _reached(self) -> bool:
        # The bound of a closed region may equal value − gap; rounding must not undo that.
        return self.value - self._lower_bound() <= self.gap * (1.0 + 1e-9) + 1e-12

    def _raised(self, lo: Array, hi: Array) -> Array:
        """Floors that every plan better than the target must meet, given the ceilings hi."""
        known = self.objective.worst_weights(self.x)
        return raised_floors(self.objective, lo, hi, self._target(), known)

    def _bound_box(self, relaxation: Relaxation, lo: Array, hi: Array, parent: float) -> None:
        """Bound the plans with lo ≤ scores ≤ hi: close the box, or queue it for a split."""
        self.nodes += 1
        lo = self._raised(lo, hi)
        if (lo > hi).any():
            self._close(max(parent, self._target()))
            return
        at_best, weights = self.objective.weigh(self.objective.link.probability(hi))
        parent = max(parent, at_best)
        if self._late():
            # Not solved, so no more is known of the box than of its parent.
            relaxed = Relaxed(0.0, None, None)
        else:
            solves, cuts = relaxation.solves, [weights, *self.weight_cuts]
            known = len(cuts)
            relaxed = relaxation.sharpened(lo, hi, cuts, self.value, self._target())
            self.weight_cuts.extend(cuts[known:])
            self.solves += relaxation.solves - solves
        if self._offer(relaxed.x, "branch and bound") and relaxed.x is not None:
            self._improve(relaxation.program, relaxed.x)
        bound = max(parent, min(relaxed.bound, self._target()))
        if bound >= self._target():
            self._close(bound)
        else:
            box = Box(relaxation, lo, hi, relaxed)
            heapq.heappush(self.queue, (bound, next(self._order), box))

    def _split(self, box: Box, bound: float) -> None:
        """Split the box and bound both parts."""
        raised = self._raised(box.lo, box.hi)
        halves = split_in_two(self.objective, raised, box.hi, box.relaxed)
        if halves is None:
            self._close(bound)
            return
        for lo, hi in halves:
            self._bound_box(box.relaxation, lo, hi, bound)
