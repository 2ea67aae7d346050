"""How many components: the K-means distortion of the re-trained models and its elbow."""

import pandas as pd
import plotly.graph_objects as go

from dirrac_core.data import load_dataset
from dirrac_core.errors import InvalidTable
from dirrac_core.evaluation.parallel import Cancel, Progress
from dirrac_core.experiments.experiment import OURS, PUBLISHED, Experiment, Settings
from dirrac_core.experiments.in_turn import REAL, in_turn
from dirrac_core.experiments.published import published
from dirrac_core.figures.elbow import elbow
from dirrac_core.figures.panels import panelled
from dirrac_core.models.estimate import estimate_mixture
from dirrac_core.models.retraining import retrained_parameters


def compute(settings: Settings, progress: Progress, cancel: Cancel) -> pd.DataFrame:
    """The distortion for every K with `chosen` at the elbow, and the K the paper names."""

    def rows_of(name: str, tell: Progress) -> pd.DataFrame:
        parameters = retrained_parameters(load_dataset(name).present, seed=settings.seed)
        tell(0.5, "models re-trained")
        estimate = estimate_mixture(parameters, "auto", settings.seed)
        if estimate.distortions is None:
            message = "An elbow needs the distortions of K = 1, 2, …, got none"
            raise InvalidTable(message)
        rows = pd.DataFrame({"source": OURS, "distortion": estimate.distortions})
        rows["components"] = range(1, len(rows) + 1)
        return rows.assign(chosen=rows["components"] == estimate.components)

    found = in_turn(REAL, rows_of, progress, cancel)
    printed = published("elbow").assign(chosen=True)
    rows = pd.concat([printed, found], ignore_index=True)
    rows.attrs["complete"] = found.attrs["complete"]
    return rows


def draw(rows: pd.DataFrame, theme: str) -> go.Figure:
    """A panel a dataset, with the published K in its title."""
    printed = rows[rows["source"] == PUBLISHED].set_index("dataset")["components"]
    panels = {}
    for name, part in rows[rows["source"] == OURS].groupby("dataset", sort=False):
        curve = part.sort_values("components")
        chosen = int(curve.loc[curve["chosen"].astype(bool), "components"].iloc[0])
        title = f"{load_dataset(str(name)).title} (paper: K = {int(printed[name])})"
        panels[title] = elbow(curve["distortion"], chosen, theme)
    return panelled(panels, theme=theme)


EXPERIMENTS = (
    Experiment(
        name="elbow",
        kind="figure",
        title="Number of components by the elbow method",
        place="Figure 6, Appendix A",
        about="The elbow of the K-means distortion is at K = 5 (German), 4 (SBA) and 6 (Student).",
        difference=(
            "The curves bend gently, so that the elbow is a matter of taste: we take the point "
            "furthest below the line from the first to the last distortion, which need not be the "
            "one read off by eye in the paper, and the re-trainings are our own."
        ),
        compute=compute,
        draw=draw,
    ),
)
