"""Why single models decline a plan: the features that pull its score down."""

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.data.schema.schema import Schema
from dirrac_core.wording import joined

MOST_PULLS = 3


def pulls_down(
    parameters: npt.ArrayLike, x: npt.ArrayLike, typical: npt.ArrayLike, schema: Schema
) -> tuple[str, ...]:
    """For each linear model θ (n, D), the features that pull its score of x down most.

    A feature's pull is Σ_j θ_j (x_j − typical_j) over its columns, against the encoded person
    `typical` (D − 1,) of the favourable outcome; up to three pulls below 0 are named.
    """
    width = len(schema.columns)
    theta = frozen_array("parameters", parameters, (None, width + 1))
    gap: Array = schema.without_constant(x) - schema.without_constant(typical)
    names = [feature.name for feature in schema.features]
    pulls = np.column_stack(
        [theta[:, columns] @ gap[columns] for columns in map(list, map(schema.columns_of, names))]
    )
    values = schema.decode(x)
    words = [f"{name} ({schema.format_value(name, values[name])})" for name in names]
    sentences = []
    for row in pulls:
        strongest = [i for i in np.argsort(row)[:MOST_PULLS] if row[i] < -1e-9]
        listed = joined([f"{words[i]} {row[i]:+.2f}" for i in strongest]) if strongest else ""
        sentences.append(f"Pulled down by {listed}" if listed else "No feature pulls it down")
    return tuple(sentences)
