"""L2-regularised logistic regression, many re-trainings at once: a vectorised Newton method."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from dirrac_core.arrays import Array, checked_number, frozen_array
from dirrac_core.errors import InvalidInput, SolverFailure

STEP_TOLERANCE = 1e-8
# Scores of hundreds, where people are nearly separable, take many short steps.
MAX_NEWTON_STEPS = 1000
# (exp(d) − d − 1)/d² < 1 for d up to 1.79.
FULL_STEP_REACH = 1.7
# Rows handled at a time: blocks this small stay in the processor's cache and bound the memory.
ROW_BLOCK = 512


@dataclass(frozen=True)
class LogisticSettings:
    """What one logistic regression minimises.

    C · Σ_i w_i log(1 + exp(−s_i θᵀ[x_i, 1])) + ½‖θ‖², s_i = ±1 the outcome: scikit-learn's
    objective and default C = 1. The bias, the last entry of θ, is free of the penalty unless
    `penalise_bias`, which is what training on data padded with ones does (as published).

    `scales` (D − 1,) multiply the columns before training, as a recipe with other units does: the
    ridge then weighs on θ_j / scale_j, and a column of scale 0 is left out. w_i is the person's
    weight; favourable outcomes count `favourable_weight` times as much, or with `balanced` both
    outcomes count alike in every training set (scikit-learn's class_weight="balanced").
    """

    C: float = 1.0
    penalise_bias: bool = False
    scales: tuple[float, ...] | None = None
    favourable_weight: float = 1.0
    balanced: bool = False

    def __post_init__(self) -> None:
        checked_number("The inverse regularisation 'C'", self.C, low=0.0, strict=True)
        name = "The weight of favourable outcomes"
        checked_number(name, self.favourable_weight, low=0.0, strict=True)
        for scale in self.scales or ():
            checked_number("The scale of a column", scale, low=0.0)

    def per_person(self, meant_for: float, people: float) -> "LogisticSettings":
        """The settings whose ridge weighs on each of `people` as these do on each of `meant_for`.

        In the average loss the ridge is ½‖θ‖²/(C·n): C·n stays, so a smaller sample is not shrunk
        more than a larger one.
        """
        return replace(self, C=self.C * meant_for / people)


def fit_logistic(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    draws: npt.NDArray[np.bool_] | npt.NDArray[np.integer[Any]] | None = None,
    weights: npt.ArrayLike | None = None,
    settings: LogisticSettings | None = None,
    start: Array | None = None,
) -> Array:
    """The (m, D) parameters of m regressions, one for each row of `draws` (m, n).

    Regression b counts person i draws[b, i] · weights[i] times: draws are True where a person is
    in, or say how often (a bootstrap). Without `draws` there is one regression on everybody, which
    is found sooner from a `start` (D,) close to it.

    With d = max_i |[x_i, 1]ᵀstep| and λ² = gradientᵀstep, the loss is generalised self-concordant:
    the step length t changes the objective by at most −λ²(t − (exp(td) − td − 1)/d²). The whole
    step, t = 1, therefore lowers it while d < 1.79; a longer one is cut to the best
    t = log(1 + d)/d. So every step lowers the objective, and the end is quadratic.
    """
    settings = settings or LogisticSettings()
    people = _with_constant(X)
    n, dimension = people.shape
    if settings.scales is not None:
        scales = np.append(frozen_array("scales", settings.scales, (dimension - 1,)), 1.0)
        people *= scales
    outcome = checked_outcomes(y, n)
    count = np.ones(n) if weights is None else frozen_array("weights", weights, (n,))
    if (count < 0).any():
        message = f"Every weight of a person must be ≥ 0, got {count.min():g}"
        raise InvalidInput(message)
    chosen = np.ones((1, n), dtype=bool) if draws is None else np.asarray(draws)
    if chosen.ndim != 2 or chosen.shape[1] != n or chosen.shape[0] < 1:
        message = f"draws must have shape (any, {n}), got {chosen.shape}"
        raise InvalidInput(message)
    if chosen.dtype.kind not in "biu" or chosen.min() < 0:
        message = f"draws must say who is in or how often (0, 1, 2, …), got {chosen.dtype} numbers"
        raise InvalidInput(message)
    classes = _class_weights(chosen, count, outcome, settings)
    penalty = np.full(dimension, 1.0 / settings.C)
    if not settings.penalise_bias:
        penalty[-1] = 0.0

    if draws is None:
        theta = np.zeros((1, dimension))
        if start is not None:
            theta += frozen_array("start", start, (dimension,))
            if settings.scales is not None:
                theta = np.divide(theta, scales, out=np.zeros_like(theta), where=scales > 0.0)
    else:
        # Everybody's model is close to each draw's: a warm start halves the steps.
        whole = replace(settings, scales=None)
        theta = np.repeat(fit_logistic(people[:, :-1], y, None, count, whole), len(chosen), axis=0)
    for _ in range(MAX_NEWTON_STEPS):
        gradient, hessian = _derivatives(theta, people, outcome, chosen, count, classes)
        gradient += theta * penalty
        hessian[:, np.arange(dimension), np.arange(dimension)] += penalty
        step = np.asarray(np.linalg.solve(hessian, gradient[..., None]), dtype=np.float64)[..., 0]
        reach = _largest_move(step, people)
        length = np.where(reach <= FULL_STEP_REACH, 1.0, np.log1p(reach) / np.maximum(reach, 1.0))
        theta -= step * length[:, None]
        if np.abs(step).max() <= STEP_TOLERANCE:
            if settings.scales is not None:
                theta *= scales
            theta.flags.writeable = False
            return theta
    message = (
        f"Logistic regression did not settle in {MAX_NEWTON_STEPS} Newton steps; "
        f"the last step was {np.abs(step).max():g} (C = {settings.C:g})"
    )
    raise SolverFailure(message)


def checked_outcomes(y: npt.ArrayLike, n: int) -> Array:
    """y as a read-only array of n outcomes, each 0 (unfavourable) or 1 (favourable)."""
    outcome = frozen_array("y", y, (n,))
    strange = outcome[(outcome != 0.0) & (outcome != 1.0)]
    if strange.size:
        message = f"Every outcome must be 0 or 1 (1 = favourable), got {strange[0]:g}"
        raise InvalidInput(message)
    return outcome


def _with_constant(X: npt.ArrayLike) -> Array:
    people = frozen_array("X", X, (None, None))
    return np.column_stack([people, np.ones(len(people))])


def _class_weights(
    chosen: npt.NDArray[Any], count: Array, outcome: Array, settings: LogisticSettings
) -> Array | None:
    """(m, 2) weights of the unfavourable and the favourable outcome; None where all count alike.

    Refuses a training set with one outcome only.
    """
    favourable = chosen @ (count * outcome)
    unfavourable = chosen @ (count * (1.0 - outcome))
    poor = np.flatnonzero((favourable <= 0) | (unfavourable <= 0))
    if poor.size:
        message = (
            "A training set must hold both outcomes, got "
            f"{favourable[poor[0]]:g} favourable and {unfavourable[poor[0]]:g} unfavourable "
            f"in training set {int(poor[0])}"
        )
        raise InvalidInput(message)
    if settings.balanced:
        totals = np.column_stack([unfavourable, favourable])
        balance: Array = totals.sum(axis=1, keepdims=True) / (2.0 * totals)
        return balance
    if settings.favourable_weight == 1.0:
        return None
    return np.tile([1.0, settings.favourable_weight], (len(chosen), 1))


def _derivatives(
    theta: Array,
    people: Array,
    outcome: Array,
    chosen: npt.NDArray[Any],
    count: Array,
    classes: Array | None,
) -> tuple[Array, Array]:
    """Gradient (m, D) and Hessian (m, D, D) of the data term.

    All Hessians of a row block come out of one matrix product: the weights (m, rows) times the
    products a_i a_j of each person's entries (rows, D(D + 1)/2).
    """
    m, dimension = theta.shape
    first, second = np.triu_indices(dimension)
    gradient = np.zeros((m, dimension))
    upper = np.zeros((m, first.size))
    for start in range(0, len(people), ROW_BLOCK):
        rows = slice(start, start + ROW_BLOCK)
        block = people[rows]
        probability = expit(theta @ block.T)
        counted = chosen[:, rows] * count[rows]
        if classes is not None:
            counted = counted * classes[:, outcome[rows].astype(np.intp)]
        curvature = counted * probability
        gradient += (curvature - counted * outcome[rows]) @ block
        curvature *= 1.0 - probability
        upper += curvature @ (block[:, first] * block[:, second])
    hessian = np.empty((m, dimension, dimension))
    hessian[:, first, second] = upper
    hessian[:, second, first] = upper
    return gradient, hessian


def _largest_move(step: Array, people: Array) -> Array:
    """max_i |[x_i, 1]ᵀstep| of each regression."""
    largest = np.zeros(len(step))
    for start in range(0, len(people), ROW_BLOCK):
        block = people[start : start + ROW_BLOCK]
        np.maximum(largest, np.abs(step @ block.T).max(axis=1), out=largest)
    return largest
