"""How a model given by its coefficients was probably trained, found from them and the table.

A logistic regression is where the gradient of its loss and of its ridge add up to nothing. So the
gradient of the loss at the given coefficients tells the recipe: which ridge, on columns of which
scale, with which weights of the two outcomes. A recipe that fits this table to nearly the given
coefficients can be trained again; its re-trainings are the given model's.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit

from dirrac_core.arrays import Array
from dirrac_core.data.dataset import Dataset, Sample
from dirrac_core.errors import SolverFailure
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.models.futures.recipe_guesses import Guess, guesses, refined, spans_of
from dirrac_core.models.logistic import LogisticSettings, fit_logistic

# A model trained on as many other people lies about √2 of a fit's standard deviation away.
WITHIN_LUCK = 1.5
# Where luck is all there is, a model must still rank people like the recipe to be one of its own.
MOST_OF_SPREAD = 0.5
# log₁₀ of the scales that are tried, from the one that makes the scores the best log-odds: a ridge
# shrinks what it trains.
SCALES = np.linspace(-2.0, 0.5, 11)
# Of the recipes that one Newton step puts closest, this many are really trained. The plainer one
# wins when its gap is as good but for this factor, or so small a part of the scores.
TRAINED = 4
AS_GOOD = 1.2
NO_GAP = 1e-3
NO_RIDGE = 1e3
KEPT_RECIPES = 32


@dataclass(frozen=True)
class Recipe:
    """A logistic regression like the given model, trained on the same table.

    `settings` are for the number of `people` that today's model is taken to have seen, `C` is that
    of the whole table. The given scores are `scale` times its scores but for `gap` (root mean
    square, in log-odds), where another draw of people would move them by `luck`; between
    people they have the standard deviation `spread`.
    """

    settings: LogisticSettings
    people: int
    C: float
    units: str
    scale: float
    gap: float
    luck: float
    spread: float

    @property
    def reproduced(self) -> bool:
        """Whether the given model may be a training of this recipe on such people."""
        return self.gap <= min(WITHIN_LUCK * self.luck, MOST_OF_SPREAD * self.spread)

    @property
    def words(self) -> str:
        """Such as “logistic regression with C = 0.05 on standardised numbers”."""
        settings = self.settings
        ridge = f"with C = {self.C:.2g} on {self.units}"
        parts = [ridge if self.C < NO_RIDGE else "with hardly any penalty"]
        if self.C < NO_RIDGE and settings.penalise_bias:
            parts.append("the intercept penalised too")
        if settings.balanced:
            parts.append("both outcomes counting alike")
        elif settings.favourable_weight != 1.0:
            weight = settings.favourable_weight
            parts.append(f"good outcomes counting {weight:.2g} times as much as bad ones")
        left_out = sum(scale == 0.0 for scale in settings.scales or ())
        if left_out:
            parts.append(f"{left_out} of {len(settings.scales or ())} encoded columns left out")
        return f"logistic regression {', '.join(parts)}"

    def again(self, people: Sample) -> Array:
        """The model (D,) of this recipe for these people, on the scale of the given one."""
        ridge = self.settings.per_person(self.people, len(people))
        theta: Array = self.scale * fit_logistic(people.X, people.y, settings=ridge)[0]
        theta.flags.writeable = False
        return theta


def recipe_of(dataset: Dataset) -> Recipe:
    """The recipe that comes closest to the model the dataset was given."""
    return _recipe(dataset.for_training)


def trained_again(dataset: Dataset, people: Sample) -> Array | None:
    """The given model as its recipe would have it of other people.

    None without a given model, or where no recipe reproduces it.
    """
    if dataset.given_model is None or not recipe_of(dataset).reproduced:
        return None
    return recipe_of(dataset).again(people)


@lru_cache(maxsize=KEPT_RECIPES)
def _recipe(learnt: Dataset) -> Recipe:
    given = learnt.given_model
    assert given is not None
    people = np.column_stack([learnt.present.X, np.ones(len(learnt.present))])
    y = learnt.present.y.astype(np.float64)
    spans = spans_of(learnt)
    # No decision depends on the scale of the coefficients, so none of it is taken for granted: the
    # ridge shows in the direction, and the scale is the one on which some ridge comes closest.
    factor = _log_odds_factor(people @ given, y)
    factor *= _best_scale(people, y, factor * given, spans)
    found = _closest(people, y, factor * given, spans)
    if found is None:
        message = "A given model needs a re-training to be compared with, got none that settled"
        raise SolverFailure(message)
    n, _ = Bootstrap().sizes(len(y))
    settings = found.settings.per_person(len(y), n)
    return replace(found, settings=settings, people=n, scale=found.scale / factor)


def _best_scale(people: Array, y: Array, given: Array, spans: Array) -> float:
    """The factor under which some recipe comes closest to the given model, for its size."""
    size = float(np.sqrt(np.mean((people @ given) ** 2)))

    def gap(log_factor: float) -> float:
        factor = 10.0**log_factor
        least = min(guess.gap for guess in guesses(people, y, factor * given, spans))
        return float(least / factor / size)

    _, best = refined(gap, SCALES, np.array([gap(each) for each in SCALES]), 1e-6)
    return float(10.0**best)


def _closest(people: Array, y: Array, given: Array, spans: Array) -> Recipe | None:
    """The plainest of the recipes that come closest to the given model; None if none settles."""
    size = float(np.sqrt(np.mean((people @ given) ** 2)))
    tried = list(guesses(people, y, given, spans))
    gaps = np.array([guess.gap for guess in tried])
    close = [tried[place] for place in np.argsort(gaps, kind="stable")[:TRAINED]]
    likely = [tried[place] for place in np.flatnonzero(gaps <= _as_good(gaps, size))[:TRAINED]]
    trained = [_trained(people, y, given, guess) for guess in dict.fromkeys([*likely, *close])]
    settled = [recipe for recipe in trained if recipe is not None]
    if not settled:
        return None
    most = _as_good(np.array([recipe.gap for recipe in settled]), size)
    return next(recipe for recipe in settled if recipe.gap <= most)


def _as_good(gaps: Array, size: float) -> float:
    """The largest gap that is as good as the smallest, for scores of this size."""
    return float(max(AS_GOOD * gaps.min(), NO_GAP * size))


def _trained(people: Array, y: Array, given: Array, guess: Guess) -> Recipe | None:
    """The recipe, really trained, with what is left of the gap; None where it does not settle."""
    try:
        theta = fit_logistic(people[:, :-1], y, settings=guess.settings, start=given)[0]
    except SolverFailure:
        return None
    scores, fitted = people @ given, people @ theta
    scale = float(scores @ fitted / (fitted @ fitted))
    gap = float(np.sqrt(np.mean((scores / scale - fitted) ** 2))) if scale > 0.0 else np.inf
    luck = _luck(people, y, theta, guess)
    spread = float(fitted.std())
    return Recipe(guess.settings, len(y), 1.0 / guess.ridge, guess.units, scale, gap, luck, spread)


def _luck(people: Array, y: Array, theta: Array, guess: Guess) -> float:
    """How far another draw of the people moves the scores of this recipe (root mean square).

    The sandwich A⁻¹BA⁻¹ is the covariance of its coefficients, A the curvature of the loss with
    its ridge and B the sum of the squared gradients.
    """
    weights, p = guess.weighting.people, expit(people @ theta)
    free = np.append(np.array(guess.scales) > 0.0, True)
    kept = people[:, free]
    scales = np.append(guess.scales, 1.0)[free]
    pull = 1.0 / scales**2
    pull[-1] = float(guess.penalise_bias)
    curvature = kept.T @ ((weights * p * (1.0 - p))[:, None] * kept) + np.diag(guess.ridge * pull)
    gradients = kept * (weights * (p - y))[:, None]
    moved = np.linalg.solve(curvature, gradients.T)
    moments = kept.T @ kept / len(kept)
    return float(np.sqrt(np.einsum("in,ij,jn->", moved, moments, moved, optimize=True)))


def _log_odds_factor(scores: Array, y: Array) -> float:
    """The factor that makes log-odds of scores: the one under which the outcomes are likeliest."""
    size = max(float(np.sqrt(np.mean(scores**2))), 1e-300)
    signs = np.where(y == 1.0, -1.0, 1.0) * scores / size

    def loss(log_factor: float) -> float:
        return float(np.logaddexp(0.0, np.exp(log_factor) * signs).mean())

    return float(np.exp(minimize_scalar(loss, bounds=(-5.0, 5.0), method="bounded").x) / size)
