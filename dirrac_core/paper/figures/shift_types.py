"""The synthetic shifts: what they do to the data, to the boundaries, and to the parameters θ."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dirrac_core.arrays import Array
from dirrac_core.data.dataset import Sample
from dirrac_core.data.datasets.synthetic import SHIFTS, shifted_set
from dirrac_core.data.schema.schema import Schema
from dirrac_core.figures.lessons.shift_types import Shifted, shift_types
from dirrac_core.figures.parameter_cloud import parameter_cloud
from dirrac_core.geometry.axes import plain_axis
from dirrac_core.geometry.model_cloud import model_cloud
from dirrac_core.paper.bench import RADIUS, our_bench
from dirrac_core.paper.experiment import OURS, Run
from dirrac_core.paper.synthetic_futures import KindsOfModels, kinds_of_models

# People drawn of each class; their share of the picture, not of the training data.
PEOPLE = 120
ORIGINAL = "original"
TITLES = {
    ORIGINAL: "Original data",
    "mean": "Mean shift",
    "covariance": "Covariance shift",
    "both": "Both shifts",
}
PERSON, MODEL, TODAY = "person", "model", "today's model"
# Where people are and what weighs them, in real units; and θ of the scaled features.
THETA, SCALED_THETA = ["x1", "x2", "bias"], ["theta_1", "theta_2", "bias"]
COLUMNS = ["source", "shift", "magnitude", "row", *THETA, "outcome"]


def compute_types(run: Run) -> pd.DataFrame:
    """Rows of people (x1, x2, outcome) and of models (x1, x2, bias: their θ), in real units."""
    bench, seed = our_bench("synthetic", run.settings), run.settings.seed
    dataset, known = bench.dataset, kinds_of_models(seed)
    run.progress(0.7, "models of shifted data trained")
    parts = [
        _people(ORIGINAL, 0.0, dataset.present, seed),
        _models(ORIGINAL, MODEL, dataset.schema, bench.parameters),
        _models(ORIGINAL, TODAY, dataset.schema, bench.current.theta[None, :]),
    ]
    for index, kind in enumerate(SHIFTS):
        own = known.labels == index
        size = max(np.array(known.magnitudes)[own])
        rng = np.random.default_rng([seed, index])
        sample = shifted_set(dataset.schema, kind, size, rng).sample
        parts.append(_people(kind, size, sample, seed))
        parts.append(_models(kind, MODEL, dataset.schema, known.parameters[own]))
    run.progress(1.0, "done")
    return pd.concat(parts, ignore_index=True)[COLUMNS]


def _people(shift: str, size: float, sample: Sample, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = np.concatenate(
        [rng.choice(np.flatnonzero(sample.y == label), PEOPLE, replace=False) for label in (0, 1)]
    )
    points = sample.people.to_numpy(dtype=np.float64)[rows]
    about = {"shift": shift, "magnitude": size, "row": PERSON, "outcome": sample.y[rows]}
    return pd.DataFrame(points, columns=THETA[:2]).assign(source=OURS, **about)


def _models(shift: str, row: str, schema: Schema, thetas: Array) -> pd.DataFrame:
    """θ of scaled features as θ of the features themselves: x_scaled = (x − low)/(high − low)."""
    low = np.array([feature.low for feature in schema.features])
    span = np.array([feature.high for feature in schema.features]) - low
    slopes = thetas[:, :-1] / span
    real = np.column_stack([slopes, thetas[:, -1] - slopes @ low])
    return pd.DataFrame(real, columns=THETA).assign(source=OURS, shift=shift, row=row)


def draw_types(rows: pd.DataFrame, theme: str) -> go.Figure:
    """One panel per kind of shift: people, and the boundaries of models trained on them."""
    today = rows.loc[rows["row"] == TODAY, THETA].to_numpy(dtype=np.float64)[0]
    panels = {}
    for shift, part in rows.groupby("shift", sort=False):
        people, models = part[part["row"] == PERSON], part[part["row"] == MODEL]
        size = float(people["magnitude"].iloc[0])
        title = TITLES[str(shift)] + (f" of {size:.1f}" if size else "")
        panels[title] = Shifted(
            people[THETA[:2]].to_numpy(dtype=np.float64),
            people["outcome"].to_numpy(dtype=np.float64),
            models[THETA].to_numpy(dtype=np.float64),
        )
    return shift_types(panels, (plain_axis("Feature 1"), plain_axis("Feature 2")), today, 2, theme)


def compute_clouds(run: Run) -> pd.DataFrame:
    """One row per model: its kind of shift, its magnitude and θ of the scaled features."""
    known = kinds_of_models(run.settings.seed)
    run.progress(1.0, "models of shifted data trained")
    about = {"source": OURS, "shift": known.kinds, "magnitude": known.magnitudes}
    return pd.DataFrame(about | dict(zip(SCALED_THETA, known.parameters.T, strict=True)))


def draw_clouds(rows: pd.DataFrame, theme: str) -> go.Figure:
    """The models as points, one component per kind of shift."""
    parameters = rows[SCALED_THETA].to_numpy(dtype=np.float64)
    known = KindsOfModels(tuple(rows["shift"]), tuple(rows["magnitude"]), parameters)
    names = ("Feature 1", "Feature 2", "bias")
    cloud = model_cloud(parameters, known.labels, known.mixture(), RADIUS, names, view=(0, 1))
    return parameter_cloud(cloud, tuple(TITLES[kind] for kind in SHIFTS), theme)
