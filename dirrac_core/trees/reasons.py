"""Why boosted trees decide as they do: the part of each feature in the log-odds."""

from itertools import pairwise

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data.dataset import Sample
from dirrac_core.models.reasons import Contribution, typical_person
from dirrac_core.trees.problem import TreeProblem

# Orders in which the features are swapped, each followed by its reverse.
ORDERS = 100


def tree_contributions(problem: TreeProblem, present: Sample) -> tuple[Contribution, ...]:
    """One entry per feature, the strongest pull towards a decline first.

    The applicant's values replace those of the typical person with a good outcome one feature
    after the other; the change of the log-odds is the part of that feature, averaged over random
    orders (the Shapley value). The parts sum to the difference between the two log-odds exactly.
    """
    schema = problem.schema
    typical = typical_person(present, schema)
    start, person = schema.encode(typical)[0], problem.x0[:-1]
    places = [list(schema.columns_of(feature.name)) for feature in schema.features]
    rng = np.random.default_rng([0, 5])
    orders = [rng.permutation(len(places)) for _ in range(ORDERS)]
    orders += [order[::-1] for order in orders]
    rows = np.concatenate([_walk(start, person, places, order) for order in orders])
    scores = problem.today.log_odds(problem.view.inputs(rows))
    parts, step = np.zeros(len(places)), len(places) + 1
    for index, order in enumerate(orders):
        walked = scores[index * step : (index + 1) * step]
        for feature, (before, after) in zip(order, pairwise(walked), strict=True):
            parts[feature] += (after - before) / len(orders)
    real = schema.decode(person)
    entries = [
        Contribution(
            feature.name,
            float(part),
            real[feature.name],
            typical[feature.name],
            feature.format_value(real[feature.name]),
            feature.format_value(typical[feature.name]),
            feature.protected,
        )
        for feature, part in zip(schema.features, parts, strict=True)
    ]
    return tuple(sorted(entries, key=lambda entry: entry.contribution))


def _walk(
    start: Array,
    person: Array,
    places: list[list[int]],
    order: "np.ndarray[tuple[int], np.dtype[np.int64]]",
) -> Array:
    """From the typical person to the applicant, one feature at a time."""
    rows = np.tile(start, (len(places) + 1, 1))
    for step, feature in enumerate(order):
        rows[step + 1 :, places[feature]] = person[places[feature]]
    return rows
