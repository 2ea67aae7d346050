"""How many components: the K-means distortion of the re-trained models and its elbow."""

from functools import partial

import pandas as pd
import plotly.graph_objects as go

from dirrac_core.data import load_dataset
from dirrac_core.errors import InvalidTable
from dirrac_core.figures.drawing.panels import panelled
from dirrac_core.figures.lessons.elbow import elbow
from dirrac_core.models.estimate import estimate_mixture
from dirrac_core.models.futures.retraining import retrained_parameters
from dirrac_core.paper.experiment import OURS, PUBLISHED, REAL, Part, Settings, in_turn, marked
from dirrac_core.paper.published import published
from dirrac_core.progress import Cancel, Progress


def compute_elbow(settings: Settings, progress: Progress, cancel: Cancel) -> pd.DataFrame:
    """The distortion for every K with `chosen` at the elbow, and the K the paper names."""
    parts: dict[str, Part] = {name: partial(_distortions, name, settings.seed) for name in REAL}
    found = in_turn(parts, progress, cancel)
    rows = pd.concat([published("elbow").assign(chosen=True), found], ignore_index=True)
    return marked(rows, found.attrs["complete"])


def _distortions(name: str, seed: int, progress: Progress, _: Cancel) -> pd.DataFrame:
    parameters = retrained_parameters(load_dataset(name).present, seed=seed)
    progress(0.5, "models re-trained")
    estimate = estimate_mixture(parameters, "auto", seed)
    if estimate.distortions is None:
        raise InvalidTable("An elbow needs the distortions of K = 1, 2, …, got none")
    rows = pd.DataFrame({"dataset": name, "source": OURS, "distortion": estimate.distortions})
    rows["components"] = range(1, len(rows) + 1)
    return rows.assign(chosen=rows["components"] == estimate.components)


def draw_elbow(rows: pd.DataFrame, theme: str) -> go.Figure:
    """One panel per dataset, with the published K in its title."""
    printed = rows[rows["source"] == PUBLISHED].set_index("dataset")["components"]
    panels = {}
    for name, part in rows[rows["source"] == OURS].groupby("dataset", sort=False):
        curve = part.sort_values("components")
        chosen = int(curve.loc[curve["chosen"].astype(bool), "components"].iloc[0])
        title = f"{load_dataset(str(name)).title} (paper: K = {int(printed[name])})"
        panels[title] = elbow(curve["distortion"], chosen, theme)
    return panelled(panels, theme=theme)
