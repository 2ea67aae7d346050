"""Why there is no plan, and what each way out would cost."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from dirrac_core.data.schema.actions import Actions
from dirrac_core.data.schema.plausible_set import LIKE_REAL_PEOPLE
from dirrac_core.feasible.feasible_set import FeasibleSet

RULES = "rules"
# The search over sets of features to unlock stops after this many sets.
MAX_SETS = 4000


@dataclass(frozen=True)
class Unlock:
    """Features (each a column, or all columns of a group) whose unlocking opens a plan."""

    features: tuple[tuple[int, ...], ...]
    delta_min: float


@dataclass(frozen=True)
class Drop:
    """An optional rule, or likeness to real people, whose dropping alone opens a plan."""

    name: str
    delta_min: float


@dataclass(frozen=True)
class Explanation:
    """What keeps the feasible set empty; every way out comes with its price.

    `blame` names, of "budget", "radius", "locks", "rules" and "like real people", those whose
    loosening alone opens a plan.
    `delta_min` is the smallest budget that works (infinite: no budget does). `radius_factor` is
    the largest factor on the radii that still works within the budget (0: not even without
    radii), and `largest_radius` the ceiling on one common radius. `unlocks` are the smallest sets
    of features to unlock that were found, cheapest first. `drops` are the optional rules of which
    any one, dropped alone, opens a plan; likeness to real people is one of them.
    """

    blame: tuple[str, ...]
    delta_min: float
    radius_factor: float
    largest_radius: float
    unlocks: tuple[Unlock, ...]
    message: str
    drops: tuple[Drop, ...] = ()


def explain(feasible: FeasibleSet, deadline: float = np.inf) -> Explanation | None:
    """Why `feasible` is empty, or None when it is not.

    After `deadline` (of `time.perf_counter`) no further sets of features are tried. Freeing what
    the actions call not advised is no way out and is not offered.
    """
    delta_min = feasible.delta_min()
    if feasible.affords(delta_min):
        return None
    largest_radius = feasible.largest_radius()
    radius_factor = feasible.largest_radius(feasible.radii) if feasible.radii.any() else 0.0
    unlocks = _unlocks(feasible, deadline)
    drops = _drops(feasible)
    blame = []
    if np.isfinite(delta_min):
        blame.append("budget")
    if radius_factor > 0.0:
        blame.append("radius")
    if unlocks:
        blame.append("locks")
    if any(drop.name != LIKE_REAL_PEOPLE for drop in drops):
        blame.append(RULES)
    if any(drop.name == LIKE_REAL_PEOPLE for drop in drops):
        blame.append(LIKE_REAL_PEOPLE)
    message = _message(feasible, delta_min, radius_factor, largest_radius, unlocks, drops)
    return Explanation(
        tuple(blame),
        delta_min,
        radius_factor,
        largest_radius,
        unlocks,
        message,
        drops,
    )


def unlocked(actions: Actions, features: tuple[tuple[int, ...], ...]) -> Actions:
    """The same actions with the named columns neither locked nor one-way."""
    freed = {column for feature in features for column in feature}
    return replace(
        actions,
        locked=tuple(c for c in actions.locked if c not in freed),
        only_up=tuple(c for c in actions.only_up if c not in freed),
        only_down=tuple(c for c in actions.only_down if c not in freed),
    )


def dropped(actions: Actions, name: str) -> Actions:
    """The same actions without the optional rules of this name, or without likeness."""
    if name == LIKE_REAL_PEOPLE:
        return replace(actions, plausible=None)
    kept = (rule for rule in actions.linear if not (rule.optional and rule.name == name))
    return replace(actions, linear=tuple(kept))


def _drops(feasible: FeasibleSet) -> tuple[Drop, ...]:
    """Each optional rule that stands alone between the applicant and a plan, cheapest first."""
    actions = feasible.actions
    names = [rule.name for rule in actions.linear if rule.optional]
    names += [LIKE_REAL_PEOPLE] if actions.plausible is not None else []
    found = []
    for name in dict.fromkeys(names):
        price = replace(feasible, actions=dropped(actions, name)).delta_min()
        if feasible.affords(price):
            found.append(Drop(name, price))
    return tuple(sorted(found, key=lambda drop: drop.delta_min))


def restricted_features(actions: Actions) -> tuple[tuple[int, ...], ...]:
    """The features that are locked or one-way; all columns of a group count as one feature."""
    restricted = dict.fromkeys((*actions.locked, *actions.only_up, *actions.only_down))
    group_of = {column: group for group in actions.groups for column in group}
    return tuple(dict.fromkeys(group_of.get(column, (column,)) for column in restricted))


def _unlocks(feasible: FeasibleSet, deadline: float) -> tuple[Unlock, ...]:
    """All smallest sets of features whose unlocking opens a plan within the budget.

    When the search stops early: those found, or one none of whose features can be spared.
    """
    never = set(feasible.actions.not_advised)
    features = tuple(
        feature for feature in restricted_features(feasible.actions) if not never & set(feature)
    )
    if not features or not feasible.affords(_price(feasible, features)):
        return ()
    found: list[Unlock] = []
    size = 0
    for number, chosen in enumerate(_by_size(features)):
        if found and len(chosen) > size:
            break
        if number >= MAX_SETS or time.perf_counter() > deadline:
            found = found or [_minimal(feasible, features)]
            break
        price = _price(feasible, chosen)
        if feasible.affords(price):
            size = len(chosen)
            found.append(Unlock(chosen, price))
    return tuple(sorted(found, key=lambda unlock: unlock.delta_min))


def _by_size(features: tuple[tuple[int, ...], ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    for size in range(1, len(features) + 1):
        yield from combinations(features, size)


def _minimal(feasible: FeasibleSet, features: tuple[tuple[int, ...], ...]) -> Unlock:
    """A set none of whose features can be spared, by dropping one after the other."""
    kept = features
    for feature in features:
        fewer = tuple(f for f in kept if f != feature)
        if feasible.affords(_price(feasible, fewer)):
            kept = fewer
    return Unlock(kept, _price(feasible, kept))


def _price(feasible: FeasibleSet, features: tuple[tuple[int, ...], ...]) -> float:
    return replace(feasible, actions=unlocked(feasible.actions, features)).delta_min()


def _message(
    feasible: FeasibleSet,
    delta_min: float,
    radius_factor: float,
    largest_radius: float,
    unlocks: tuple[Unlock, ...],
    drops: tuple[Drop, ...],
) -> str:
    parts = []
    if feasible.bounds.contradiction is not None:
        parts.append(f"Two rules contradict each other: {feasible.bounds.contradiction}.")
    if np.isfinite(delta_min):
        parts.append(
            f"The budget is too small: {feasible.delta:.4g} is allowed and the cheapest valid "
            f"plan costs {delta_min:.4g}."
        )
    if radius_factor > 0.0:
        parts.append(
            f"The radius is too large: with the radii multiplied by at most {radius_factor:.4g} "
            f"(one common radius of at most {largest_radius:.4g}) a plan exists."
        )
    if unlocks:
        cheapest = unlocks[0]
        columns = ", ".join("+".join(map(str, feature)) for feature in cheapest.features)
        parts.append(
            f"Locked or one-way features stand in the way: unlocking column {columns} gives a "
            f"plan at cost {cheapest.delta_min:.4g}."
        )
    for drop in drops:
        parts.append(
            f"The rule “{drop.name}” stands in the way: without it the cheapest plan costs "
            f"{drop.delta_min:.4g}."
        )
    if not parts:
        parts.append(
            "Neither a larger budget, nor smaller radii, nor unlocked features alone give a plan: "
            "the ranges, the rules and the margin leave no valid point."
        )
    return "No plan satisfies all conditions. " + " ".join(parts)
