"""Two Gaussian classes in the plane, and the paper's mean and covariance shifts (Appendix A)."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from dirrac_core.arrays import checked_choice, checked_number
from dirrac_core.data.dataset import Dataset, Labels, Sample, make_sample
from dirrac_core.data.schema.feature import Feature, ranged
from dirrac_core.data.schema.presets import FREE
from dirrac_core.data.schema.schema import Schema
from dirrac_core.errors import InvalidInput

ShiftKind = Literal["mean", "covariance", "both"]
SHIFTS: tuple[ShiftKind, ...] = ("mean", "covariance", "both")
MEAN_0 = (-3.0, -3.0)
MEAN_1 = (3.0, 3.0)
PER_CLASS = 500
# The shifted sample of `load_dataset`: both shifts, at half the largest magnitude of the paper's
# hundred sets (0.1 times the index, up to 34).
DEFAULT_SHIFT = 1.7
_NAMES = ("Feature 1", "Feature 2")
_PRESET_NAMES = ("sensible", "paper", "free")
_FEATURES = tuple(
    Feature(
        name,
        "continuous",
        decimals=2,
        step=0.01,
        explanation="A coordinate without meaning",
        source=f"x{index}",
    )
    for index, name in enumerate(_NAMES, start=1)
)


@dataclass(frozen=True, eq=False)
class ShiftedSet:
    """One shifted sample: its kind, mean shift α and covariance shift β."""

    kind: ShiftKind
    alpha: float
    beta: float
    sample: Sample


def gaussian_classes(
    rng: np.random.Generator, alpha: float = 0.0, beta: float = 0.0, per_class: int = PER_CLASS
) -> tuple[pd.DataFrame, Labels]:
    """Class 0 from N(μ₀ + [α, 0], (1 + β)·I), class 1 from N(μ₁, I), and the labels."""
    checked_number("The mean shift 'alpha'", alpha)
    checked_number("The covariance shift 'beta'", beta, low=-1.0, strict=True)
    if per_class < 2:
        raise InvalidInput(f"Each class needs at least 2 people, got {per_class}")
    zeros = rng.standard_normal((per_class, 2)) * np.sqrt(1.0 + beta) + MEAN_0 + [alpha, 0.0]
    ones = rng.standard_normal((per_class, 2)) + MEAN_1
    labels = np.repeat(np.array([0, 1], dtype=np.int64), per_class)
    return pd.DataFrame(np.vstack([zeros, ones]), columns=list(_NAMES)), labels


def load_synthetic(seed: int = 0) -> Dataset:
    """The dataset generated on the spot; the same seed gives the same rows."""
    present_rng, shifted_rng = np.random.default_rng(seed).spawn(2)
    people, labels = gaussian_classes(present_rng)
    schema = Schema(ranged(_FEATURES, people), presets=dict.fromkeys(_PRESET_NAMES, FREE))
    moved, moved_labels = gaussian_classes(shifted_rng, DEFAULT_SHIFT, DEFAULT_SHIFT)
    return Dataset(
        name="synthetic",
        title="Synthetic",
        schema=schema,
        present=make_sample(schema, people, labels),
        shifted=make_sample(schema, moved, moved_labels),
        favourable="class 1",
        unfavourable="class 0",
        shift_description=(
            f"Class 0 moves by α = {DEFAULT_SHIFT} to the right and its covariance grows by the "
            f"factor 1 + β = {1 + DEFAULT_SHIFT}; class 1 stays."
        ),
        years="generated",
        notes=("Generated from the seed; nothing here describes a real person.",),
    )


def shifted_set(
    schema: Schema,
    kind: ShiftKind,
    magnitude: float,
    rng: np.random.Generator,
    per_class: int = PER_CLASS,
) -> ShiftedSet:
    """One shifted sample: α = magnitude, β = magnitude or both, encoded by `schema`."""
    checked_choice("A shift", kind, SHIFTS)
    alpha = magnitude if kind in ("mean", "both") else 0.0
    beta = magnitude if kind in ("covariance", "both") else 0.0
    people, labels = gaussian_classes(rng, alpha, beta, per_class)
    return ShiftedSet(kind, alpha, beta, make_sample(schema, people, labels))


def shifted_sets(
    seed: int,
    n: int = 100,
    adapt: float = 0.1,
    schema: Schema | None = None,
    per_class: int = PER_CLASS,
) -> list[ShiftedSet]:
    """n shifted samples, a third of each kind (33, 33, 34 of 100), of growing magnitude.

    The i-th of its kind, i = 1, 2, …, has α = μ_adapt·i and β = Σ_adapt·i with both factors
    `adapt`. `schema` encodes them; by default that of the synthetic dataset of the same seed.
    """
    if n < 3:
        raise InvalidInput(f"The number of shifted sets must be ≥ 3, one a kind, got {n}")
    checked_number("The factor 'adapt'", adapt, low=0.0)
    scheme = load_synthetic(seed).schema if schema is None else schema
    third = n // 3
    kinds: list[tuple[ShiftKind, int]] = [
        *(("mean", i) for i in range(1, third + 1)),
        *(("covariance", i) for i in range(1, third + 1)),
        *(("both", i) for i in range(1, n - 2 * third + 1)),
    ]
    # A child generator each: a set does not depend on how many are drawn before it.
    children = np.random.default_rng([seed, 1]).spawn(n)
    return [
        shifted_set(scheme, kind, adapt * index, rng, per_class)
        for (kind, index), rng in zip(kinds, children, strict=True)
    ]
