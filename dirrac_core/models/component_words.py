"""Components as text: which weights set one apart from the average model."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.wording import joined

BIAS = "general level (bias)"
MOST_WEIGHTS = 3
# A difference this small beside the component's largest one is not worth a word.
SMALLEST_PART = 1 / 3
# Components whose weights all lie this close to the average, relative to it, are the same model.
HARDLY = 0.01


def weight_names(columns: Sequence[str]) -> tuple[str, ...]:
    """The readable names of all D weights, the bias last."""
    return (*columns, BIAS)


def describe_components(mixture: ParameterMixture, columns: Sequence[str]) -> tuple[str, ...]:
    """One sentence per component: where θ̂_k differs most from the overall mean Σ_k p̂_k θ̂_k.

    `columns` names the D − 1 encoded columns; a higher weight judges people with that category,
    or with a high number, more kindly.
    """
    if len(columns) != mixture.dimension - 1:
        message = f"columns must name {mixture.dimension - 1} weights, got {len(columns)}"
        raise InvalidInput(message)
    if mixture.components == 1:
        return ("The only component, so it is the average model itself.",)
    average = mixture.weights @ mixture.means
    return tuple(_sentence(mean - average, average, columns) for mean in mixture.means)


def most_moved(mixture: ParameterMixture, parameters: npt.ArrayLike) -> tuple[int, int]:
    """The two weights in which the average of some models (n, D) left the overall mean furthest."""
    theta = frozen_array("parameters", parameters, (None, mixture.dimension))
    moved = np.abs(theta.mean(axis=0) - mixture.weights @ mixture.means)
    first, second = np.argsort(-moved, kind="stable")[:2]
    return int(first), int(second)


def _sentence(difference: Array, average: Array, columns: Sequence[str]) -> str:
    size = np.abs(difference)
    if size.max() <= HARDLY * np.abs(average).max():
        return "Hardly differs from the average model."
    telling = [
        int(j)
        for j in np.argsort(-size, kind="stable")[:MOST_WEIGHTS]
        if size[j] >= SMALLEST_PART * size.max()
    ]
    names = (*(_people(column) for column in columns), "everyone")
    parts = []
    # What sets the component apart most comes first.
    for sign in sorted((1.0, -1.0), key=lambda sign: sign != np.sign(difference[telling[0]])):
        named = [
            f"{names[j]} ({'+' if sign > 0 else '−'}{size[j]:.2g})"
            for j in telling
            if np.sign(difference[j]) == sign
        ]
        if named:
            parts.append(f"{'kinder to' if sign > 0 else 'stricter with'} {joined(named)}")
    words = "; ".join(parts)
    return f"{words[0].upper()}{words[1:]}."


def _people(column: str) -> str:
    """Whom a weight is about: those in a category, or with a high number."""
    return f"“{column}”" if ": " in column else f"high “{column}”"
