"""How many components: the K-means distortion of the re-trained models and its elbow."""

import pandas as pd
import plotly.graph_objects as go

from dirrac_core.data import DATASETS, load_dataset
from dirrac_core.errors import InvalidTable
from dirrac_core.figures.drawing.panels import panelled
from dirrac_core.figures.lessons.elbow import elbow
from dirrac_core.models.estimate import estimate_mixture
from dirrac_core.models.futures.retraining import retrained_parameters
from dirrac_core.paper.experiment import OURS, PUBLISHED, Run, in_parts, per_dataset
from dirrac_core.paper.store import published


def distortions(name: str, run: Run) -> pd.DataFrame:
    """The distortion for every K, with `chosen` at the elbow."""
    parameters = retrained_parameters(load_dataset(name).present, seed=run.settings.seed)
    run.progress(0.5, "models re-trained")
    estimate = estimate_mixture(parameters, "auto", run.settings.seed)
    if estimate.distortions is None:
        raise InvalidTable("An elbow needs the distortions of K = 1, 2, …, got none")
    rows = pd.DataFrame({"dataset": name, "source": OURS, "distortion": estimate.distortions})
    rows["components"] = range(1, len(rows) + 1)
    return rows.assign(chosen=rows["components"] == estimate.components)


# The K that the paper names comes first.
compute = in_parts(
    per_dataset(distortions),
    lambda found: pd.concat([published("elbow").assign(chosen=True), found], ignore_index=True),
)


def draw(rows: pd.DataFrame, theme: str) -> go.Figure:
    """One panel per dataset, with the published K in its title."""
    printed = rows[rows["source"] == PUBLISHED].set_index("dataset")["components"]
    panels = {}
    for name, part in rows[rows["source"] == OURS].groupby("dataset", sort=False):
        curve = part.sort_values("components")
        chosen = int(curve.loc[curve["chosen"].astype(bool), "components"].iloc[0])
        title = f"{DATASETS[str(name)]} (paper: K = {int(printed[name])})"
        panels[title] = elbow(curve["distortion"], chosen, theme)
    return panelled(panels, theme=theme)
