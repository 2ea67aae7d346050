"""From re-trainings on the table to those of a model given by its coefficients."""

import math
from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.data.dataset import Dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.futures.recipe import Recipe, recipe_of


@dataclass(frozen=True, eq=False)
class CarryOver:
    """Re-trainings θ_i of the closest recipe (see `recipe`) as those of the given model θ_g.

    Where the recipe reproduces θ_g, its re-trainings are those of the given model: c·θ_i, where c
    is the scale of the given scores (1 for log-odds). Otherwise they are an approximation,
    θ_g + c·(θ_i − θ̄): the moves from their mean θ̄ are taken to be the given model's too, so a plan
    is judged by models around the given one and not by the tool's own. A linear model decides alike
    when all its coefficients are multiplied by c > 0; there c is the ratio of the standard
    deviations of the two models' scores over the present people. The covariance is c² Σ̂.
    """

    given: Array
    centre: Array
    scale: float
    recipe: Recipe

    @classmethod
    def to_given_model(cls, dataset: Dataset, centre: Array) -> "CarryOver":
        """From models around `centre`, trained by `recipe_of`, to the one the dataset was given."""
        recipe = recipe_of(dataset)
        assert dataset.given_model is not None
        given = dataset.seen(dataset.given_model)
        if recipe.reproduced:
            return cls(given, centre, recipe.scale, recipe)
        spreads = [spread_of_scores(theta, dataset.present.X) for theta in (given, centre)]
        return cls(given, centre, spreads[0] / spreads[1], recipe)

    def models(self, parameters: Array) -> Array:
        """Parameters (…, D) of re-trainings, as the given model's."""
        origin = self.scale * self.centre if self.recipe.reproduced else self.given
        moved: Array = origin + self.scale * (parameters - self.centre)
        return frozen_array("parameters", moved, (None,) * moved.ndim)

    @property
    def sentence(self) -> str:
        """Whether these are re-trainings of the given model's recipe, or an approximation."""
        if self.recipe.reproduced:
            return (
                f"Re-trainings of the recipe that reproduces the given model: {self.recipe.words}."
            )
        return (
            "An approximation: no recipe tried here reproduces the given model, so the moves of "
            "re-trained models are carried over to it."
        )

    def agreement(self, people: Array) -> float:
        """The share of people (n, D − 1) on whom θ_g and θ̄ decide alike."""
        given, usual = (LinearModel(theta).decision(people) for theta in (self.given, self.centre))
        return float((given == usual).mean())


def spread_of_scores(theta: Array, people: Array) -> float:
    """The standard deviation of a model's scores; refused where it has one score for everybody."""
    spread = float(np.std(people @ theta[:-1]))
    if not spread > 0.0 or not math.isfinite(spread):
        message = (
            f"Scores of a model must differ between people, got a standard deviation {spread:g}"
        )
        raise InvalidInput(message)
    return spread
