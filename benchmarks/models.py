"""How fast the models are made: 100 logistic re-trainings three ways, first use, later use.

Run with: python -m benchmarks.models (from the project folder).
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.linear_model import LogisticRegression

from dirrac_core.data.load import DATASETS, load_dataset
from dirrac_core.models.bundle import prepare
from dirrac_core.models.futures.retraining import PRESENT_FRACTION, RETRAININGS, random_draws
from dirrac_core.models.logistic import fit_logistic

REPEATS = 3


def timed(call: Callable[[], Any], repeats: int = REPEATS) -> tuple[float, Any]:
    """The fastest of some runs in seconds, and the last result."""
    best = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        result = call()
        best = min(best, time.perf_counter() - start)
    return best, result


def scikit_learn_fit(X: Any, y: Any) -> Any:
    """One plain re-training, to the accuracy that the vectorised method reaches anyway."""
    model = LogisticRegression(tol=1e-8, max_iter=1000).fit(X, y)
    return np.append(model.coef_[0], model.intercept_)


def retraining(name: str) -> str:
    """One row: a plain loop, joblib on two cores, all at once; ratios and the largest gap."""
    sample = load_dataset(name).present
    draws = random_draws(sample.y, RETRAININGS, PRESENT_FRACTION, np.random.default_rng(0))
    loop, plain = timed(
        lambda: [scikit_learn_fit(sample.X[draw], sample.y[draw]) for draw in draws]
    )
    pool, _ = timed(
        lambda: Parallel(n_jobs=2)(
            delayed(scikit_learn_fit)(sample.X[draw], sample.y[draw]) for draw in draws
        )
    )
    batch, ours = timed(lambda: fit_logistic(sample.X, sample.y, draws))
    gap = np.abs(ours - np.array(plain)).max()
    return (
        f"{name:12} {loop * 1e3:9.0f} {pool * 1e3:9.0f} {batch * 1e3:9.1f} "
        f"{loop / pool:9.1f} {loop / batch:9.1f} {gap:9.1e}"
    )


def first_and_later_use(name: str, model: str, components: Any) -> str:
    """One row: seconds to train everything, and milliseconds from the cache."""
    dataset = load_dataset(name)
    first, _ = timed(lambda: prepare(dataset, model, components, seed=99), repeats=1)
    later, _ = timed(lambda: prepare(dataset, model, components, seed=99))
    return f"{name:12} {model:9} {components!s:5} {first:9.2f} {later * 1e3:9.3f}"


def main() -> None:
    print(f"{RETRAININGS} logistic re-trainings: milliseconds, and the ratio to a plain loop")
    print("dataset           loop    joblib  at once   joblib×  at once×      gap")
    for name in DATASETS:
        print(retraining(name))
    print("\nEverything for a dataset: first use in seconds, later use in milliseconds")
    print("dataset      model     K         first     later")
    for name in DATASETS:
        for model, components in (("logistic", 1), ("logistic", "auto"), ("mlp", 1)):
            print(first_and_later_use(name, model, components))


if __name__ == "__main__":
    main()
