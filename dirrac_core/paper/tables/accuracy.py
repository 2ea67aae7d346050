"""The table of accuracies: the classifiers of today and of the shifted data."""

from functools import partial

import numpy as np
import pandas as pd

from dirrac_core.data import load_dataset
from dirrac_core.models.bundle import prepare
from dirrac_core.paper.comparison import after_published, over_draws
from dirrac_core.paper.experiment import OURS, PROTOCOL, Run, Settings, marked
from dirrac_core.paper.protocol import LOGISTIC, balanced_dataset
from dirrac_core.paper.store import published
from dirrac_core.parallel import mapped

COLUMNS = (
    "source dataset favourable people model draw accuracy accuracy_spread accuracy_draws"
).split()
"""`people` "present": today's classifier on people it was not trained on. "shifted": the average
future classifier on shifted people it was not trained on; `accuracy_spread` is over those
classifiers. The published protocol has a row for each `draw` and one that averages them, with the
standard deviation `accuracy_draws`."""

# A draw of a perceptron is eleven trainings.
MOST_DRAWS = {"logistic": 100, "mlp": 3}


def accuracy_table(run: Run) -> pd.DataFrame:
    """Logistic models and perceptrons on every dataset."""
    printed = published("accuracy")
    steps = [
        (name, draw, model)
        for name in dict.fromkeys(printed["dataset"])
        for model, most in MOST_DRAWS.items()
        for draw in (None, *range(min(run.settings.draws, most)))
    ]
    work = partial(accuracy_rows, settings=run.settings)
    done = mapped(work, steps, *run.how)
    rows = [row for result in done.results for row in result]
    found = pd.DataFrame(rows, columns=COLUMNS)
    drawn = found[found["draw"].notna()]
    averages = [
        over_draws(part, ("accuracy", "accuracy_spread"), ("accuracy",))
        for _, part in drawn.groupby(["dataset", "people", "model"], sort=False)
    ]
    ours_first = found.sort_values("draw", na_position="first", kind="stable")
    frame = after_published(printed, COLUMNS, pd.DataFrame(averages), ours_first)
    return marked(frame, done.complete)


def accuracy_rows(step: tuple[str, int | None, str], settings: Settings) -> list[dict[str, object]]:
    """The row of the present people and that of the shifted ones of (dataset, draw, model).

    Without a draw they are ours.
    """
    name, draw, model = step
    if draw is None:
        dataset, seed, logistic = load_dataset(name), settings.seed, None
    else:
        dataset = balanced_dataset(name, np.random.default_rng([settings.seed, draw]))
        seed, logistic = settings.seed + draw, LOGISTIC
    bundle = prepare(dataset, "mlp" if model == "mlp" else "logistic", seed=seed, logistic=logistic)
    found = bundle.accuracy
    about: dict[str, object] = {
        "source": OURS if draw is None else PROTOCOL,
        "dataset": name,
        "favourable": dataset.favourable,
        "model": model,
        "draw": draw,
    }
    return [
        about | {"people": "present", "accuracy": found.now},
        about
        | {"people": "shifted", "accuracy": found.future, "accuracy_spread": found.future_spread},
    ]
