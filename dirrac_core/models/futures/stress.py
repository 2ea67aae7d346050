"""A standard stress set for data without dates: a few named shifts, each with its reason.

How strong a shift is comes from the present people alone: where their own subgroups differ, the
whole may come to differ as much. Nothing here looks at shifted people.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.schema.feature import Feature
from dirrac_core.models.futures.bootstrap import Bootstrap, pooled_model
from dirrac_core.models.futures.shift import CORRECTION, DRIFT, NOISE, PRIOR, SITE, Shift
from dirrac_core.models.futures.shifts import present_pool

MOST_STRESSES = 8
MOST_SITES = 2
MOST_CORRECTIONS = 2
# A subgroup counts when it holds this share of the people, and this many of each outcome.
SMALLEST_GROUP = 0.1
FEWEST_OF_AN_OUTCOME = 10
TWICE = math.log10(2.0)
KEPT_SETS = 32


@dataclass(frozen=True)
class Stress:
    """A shift of the standard set and, in one sentence, why it is in it."""

    shift: Shift
    reason: str


@dataclass(frozen=True, eq=False)
class Subgroup:
    """Some of the present people, described as “with Internet “no””."""

    feature: str
    value: str
    words: str
    rows: npt.NDArray[np.bool_]


@lru_cache(maxsize=KEPT_SETS)
def stress_set(dataset: Dataset) -> tuple[Stress, ...]:
    """Luck, the outcome more and less common, known recodings, drift, and subgroups as sites."""
    groups = tuple(subgroups(dataset))
    share = float(1.0 - dataset.present.y.mean())
    rates = [float(1.0 - dataset.present.y[group.rows].mean()) for group in groups] or [share]
    seen = f"among subgroups of today it goes from {min(rates):.0%} to {max(rates):.0%}"
    bad = dataset.unfavourable
    found = [Stress(Shift(NOISE), "A model is trained again on other people of the same kind.")]
    if dataset.oversampled:
        # Among all applicants the outcome is rarer than here, so it cannot turn out more common.
        seen = "people with it were collected on purpose, so it can only turn out rarer"
    else:
        found.append(Stress(Shift(PRIOR, TWICE), f"The odds of “{bad}” double; {seen}."))
    found += [
        Stress(Shift(PRIOR, -TWICE), f"The odds of “{bad}” halve; {seen}."),
        *(
            Stress(
                Shift(CORRECTION, 1.0, feature=name),
                f"The codes of {name} are known to be in doubt; they may be put right.",
            )
            for name in tuple(dataset.corrections)[:MOST_CORRECTIONS]
        ),
    ]
    first, *others = _by_influence(dataset)
    # Up and down go together, and so do the sites: a part that does not fit is left out whole.
    parts = (
        _drifts(dataset, first, groups),
        _sites(dataset, groups),
        *(_drifts(dataset, feature, groups) for feature in others),
    )
    for part in parts:
        if len(found) + len(part) <= MOST_STRESSES:
            found += part
    return tuple(found)


def _by_influence(dataset: Dataset) -> list[Feature]:
    """The features, the one that moves today's scores most first: the spread of Σ_j θ_j x_j."""
    schema, present = dataset.schema, dataset.present
    pool = present_pool(present, np.ones(len(present), dtype=bool))
    theta = pooled_model(pool, Bootstrap().sizes(len(present))[0])

    def influence(feature: Feature) -> float:
        columns = list(schema.columns_of(feature.name))
        return float((present.X[:, columns] @ theta[columns]).std())

    return sorted(schema.features, key=influence, reverse=True)


def _drifts(dataset: Dataset, feature: Feature, groups: tuple[Subgroup, ...]) -> list[Stress]:
    """The feature drifts up and down as far as some subgroup's people are from the others.

    A category drifts up towards the most common share any subgroup has of it.
    """
    others = [group for group in groups if group.feature != feature.name]
    if not others:
        return []
    column = dataset.present.people[feature.name]
    if feature.is_categorical:
        return _category_drifts(dataset, feature, others)
    numbers = column.to_numpy(dtype=np.float64)
    means = [float(numbers[group.rows].mean()) for group in others]
    found = []
    for place in (int(np.argmax(means)), int(np.argmin(means))):
        goal = means[place]
        # The average goes all the way at strength 1.
        if not numbers.min() < goal < numbers.max() or goal == float(numbers.mean()):
            continue
        far = feature.format_value(round(goal, feature.decimals + 1))
        found.append(
            Stress(
                Shift(DRIFT, 1.0, feature=feature.name, value=goal),
                f"People {others[place].words} have {feature.name} {far} on average; applicants "
                "may come to be like them.",
            )
        )
    return found


def _category_drifts(dataset: Dataset, feature: Feature, others: list[Subgroup]) -> list[Stress]:
    """The two categories whose share differs most between subgroups, each towards its highest."""
    texts = dataset.present.people[feature.name].astype(str).to_numpy()
    moves = []
    for category in feature.categories:
        inside = texts == category
        share = float(inside.mean())
        shares = [float(inside[group.rows].mean()) for group in others]
        place = int(np.argmax(shares))
        if 0.0 < share < shares[place]:
            moves.append((shares[place] - share, share, shares[place], category, others[place]))
    moves.sort(key=lambda move: -move[0])
    return [
        Stress(
            Shift(DRIFT, (goal - share) / (1.0 - share), feature=feature.name, value=category),
            f"{goal:.0%} of people {group.words} have {feature.name} “{category}”, {share:.0%} of "
            "all; applicants may come to be like them.",
        )
        for _, share, goal, category, group in moves[:2]
    ]


def _sites(dataset: Dataset, groups: tuple[Subgroup, ...]) -> list[Stress]:
    """The subgroups of categories closest to half of the people, as if each were a site."""
    schema, y = dataset.schema, dataset.present.y
    able = [
        group
        for group in groups
        if schema.feature(group.feature).is_categorical
        and min(int(y[group.rows].sum()), int((1 - y[group.rows]).sum())) >= FEWEST_OF_AN_OUTCOME
    ]
    able.sort(key=lambda group: abs(float(group.rows.mean()) - 0.5))
    return [
        Stress(
            Shift(SITE, 1.0, feature=group.feature, value=group.value),
            f"People {group.words} are {group.rows.mean():.0%} of all; the model may be trained "
            "where everybody is like them.",
        )
        for group in able[:MOST_SITES]
    ]


def subgroups(dataset: Dataset) -> Iterator[Subgroup]:
    """The subgroups of today: the people of each category, and both halves of each number."""
    people = dataset.present.people
    for feature in dataset.schema.features:
        if feature.is_categorical:
            texts = people[feature.name].astype(str).to_numpy()
            for category in feature.categories:
                words = f"with {feature.name} “{category}”"
                yield from _large_enough(Subgroup(feature.name, category, words, texts == category))
        else:
            numbers: Array = people[feature.name].to_numpy(dtype=np.float64)
            middle = float(np.median(numbers))
            shown = feature.format_value(middle)
            for words, rows in (
                (f"with {feature.name} above {shown}", numbers > middle),
                (f"with {feature.name} of at most {shown}", numbers <= middle),
            ):
                yield from _large_enough(Subgroup(feature.name, "", words, rows))


def _large_enough(group: Subgroup) -> Iterator[Subgroup]:
    if SMALLEST_GROUP <= float(group.rows.mean()) <= 1.0 - SMALLEST_GROUP:
        yield group
