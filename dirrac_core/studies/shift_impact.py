"""Validity against the size of the shift (the paper's last figure): mean, covariance or both."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dirrac_core.arrays import Array
from dirrac_core.data.dataset import Sample
from dirrac_core.data.datasets.synthetic import PER_CLASS, SHIFTS, ShiftKind, shifted_set
from dirrac_core.data.schema.schema import Schema
from dirrac_core.methods.protocol import Method
from dirrac_core.models.logistic import fit_logistic
from dirrac_core.progress import Cancel, Progress, never, no_progress
from dirrac_core.studies.intervals import mean_interval
from dirrac_core.studies.people.applicants import Applicant

# The magnitudes α and β of the paper's shifted sets: 0.1 times their index, up to about 3.4.
MAGNITUDES = tuple(float(m) for m in np.linspace(0.0, 3.4, 18))
MODELS = 20


def shift_impact(
    applicants: Sequence[Applicant],
    methods: Sequence[Method],
    schema: Schema,
    kinds: Sequence[ShiftKind] = SHIFTS,
    magnitudes: Sequence[float] = MAGNITUDES,
    models: int = MODELS,
    per_class: int = PER_CLASS,
    seed: int = 0,
    progress: Progress = no_progress,
    cancel: Cancel = never,
) -> pd.DataFrame:
    """One row per method, kind and magnitude: M2 over `models` logistic models.

    The plans are made once, without knowing the shift. Each model is trained on its own shifted
    sample of the synthetic classes, encoded by `schema`; at one magnitude all methods face the
    same models. M2 has its t interval over models; `n` applicants were asked, `plans` got one,
    and `cost_l1` is what those cost on average.
    When cancelled the rows so far are returned and `attrs["complete"]` is False.
    """
    plans, costs = [], []
    for method in methods:
        found = [method.recourse(a.x0, a.actions) for a in applicants]
        plans.append([plan.x for plan in found if plan.x is not None])
        costs.append(mean_interval([plan.cost_l1 for plan in found if plan.x is not None]).value)
    rows: list[dict[str, object]] = []
    steps = [(kind, magnitude) for kind in kinds for magnitude in magnitudes]
    children = np.random.default_rng(seed).spawn(len(steps))
    for index, ((kind, magnitude), rng) in enumerate(zip(steps, children, strict=True)):
        if cancel():
            break
        _, thetas = _after_shift(schema, kind, magnitude, models, rng, per_class)
        for method, people, cost in zip(methods, plans, costs, strict=True):
            accepted = (thetas @ np.array(people).T >= 0.0).mean(axis=1) if people else ()
            m2 = mean_interval(accepted, shares=True)
            rows.append(
                {
                    "method": method.name,
                    "parameter": method.parameter,
                    "kind": kind,
                    "magnitude": float(magnitude),
                    "n": len(applicants),
                    "plans": len(people),
                    "cost_l1": cost,
                    "models": models,
                    "m2": m2.value,
                    "m2_low": m2.low,
                    "m2_high": m2.high,
                    "m2_spread": m2.spread,
                }
            )
        progress((index + 1) / len(steps), f"{kind} shift of {magnitude:.2g}")
    frame = pd.DataFrame(rows)
    frame.attrs["complete"] = len(rows) == len(steps) * len(methods)
    return frame


def impact_at(
    applicants: Sequence[Applicant],
    methods: Sequence[Method],
    schema: Schema,
    models: int,
    seed: int,
    step: tuple[ShiftKind, float],
) -> pd.DataFrame:
    """`shift_impact` of one kind and magnitude; its models do not depend on what else is asked."""
    kind, magnitude = step
    return shift_impact(applicants, methods, schema, [kind], [magnitude], models, seed=seed)


def models_after_shift(
    schema: Schema, kind: ShiftKind, size: float, models: int, seed: int
) -> tuple[Sample, Array]:
    """The people of one shifted sample, and `models` logistic models, each of a sample of its own.

    The random numbers are the same at every size, and those of `impact_at`, so that people and
    models move smoothly and a curve over sizes shows exactly these models.
    """
    (rng,) = np.random.default_rng(seed).spawn(1)
    return _after_shift(schema, kind, size, models, rng)


def _after_shift(
    schema: Schema,
    kind: ShiftKind,
    size: float,
    models: int,
    rng: np.random.Generator,
    per_class: int = PER_CLASS,
) -> tuple[Sample, Array]:
    samples = [
        shifted_set(schema, kind, size, child, per_class).sample for child in rng.spawn(models)
    ]
    return samples[0], np.vstack([fit_logistic(each.X, each.y) for each in samples])
