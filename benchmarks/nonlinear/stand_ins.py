"""Linear stand-ins of neural networks: how exact they are, how fast, and how plans settle on them.

    python -m benchmarks.nonlinear.stand_ins [--datasets german sba] [--people 40]

First table: the stand-in of a network and the spread of its re-trainings around one applicant, by
this project and by the LIME package with as many of its own points as were used before. The error
is the root of the mean square over 12 seeds, relative to what 16 times as many points lead to, in
spreads of the features; the last column is how far LIME with 60,000 points is from that. Second
table: the plans of the first declined people, with the search that looks where plans lead to and
with one that does not. Prints Markdown.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial
from unittest.mock import patch

import numpy as np
from lime.lime_tabular import LimeTabularExplainer

from dirrac_core import DATASETS
from dirrac_core.arrays import Array
from dirrac_core.case.case import bundle_of, make_case
from dirrac_core.case.nonlinear import linearised
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.models import surrogate
from dirrac_core.models.classifiers import CERTAIN, Classifier
from dirrac_core.models.training import ModelBundle

NETWORK = "mlp"
SEEDS, LIME_POINTS, MANY = 12, 3000, 60_000
LIMIT_POINTS = 16 * surrogate.EVEN_POINTS
Fit = Callable[[int], Array]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="*", default=list(DATASETS), choices=list(DATASETS))
    parser.add_argument("--people", type=int, default=40)
    asked = parser.parse_args(arguments)
    print("| dataset | by | error | error of the spread | ms | LIME, many points |")
    print("|---|---|---|---|---|---|")
    for name in asked.datasets:
        exactness(name, bundle_of(recommended(name, NETWORK)))
    print("\n| dataset | plans are sought | people | agree | rounds | mean worst case |")
    print("|---|---|---|---|---|---|")
    for name in asked.datasets:
        settling(name, asked.people)


def exactness(name: str, bundle: ModelBundle) -> None:
    """Two rows: ours and the package's."""
    x = bundle.dataset.present.X[bundle.declined[0]]
    networks, people = (bundle.current, *bundle.retrained), bundle.people
    outputs = [partial(_log_odds, each) for each in networks]

    def ours(seed: int) -> Array:
        return np.array(
            surrogate.retrained_surrogate(
                networks[0], networks[1:], people, x, inflation=1.0, seed=seed
            ).coefficients
        )

    def by_lime(seed: int, points: int = LIME_POINTS) -> Array:
        thetas = _lime(outputs, people, x, seed, points)
        return thetas[0] + thetas[1:] - thetas[1:].mean(axis=0)

    with patch.object(surrogate, "EVEN_POINTS", LIMIT_POINTS):
        surrogate._even_points.cache_clear()
        limit = np.mean([ours(seed) for seed in range(4)], axis=0)
    surrogate._even_points.cache_clear()
    spread = people.std(axis=0)

    def local(thetas: Array) -> Array:
        return np.column_stack([thetas[:, :-1] * spread, thetas @ np.append(x, 1.0)])

    far = _error([local(by_lime(SEEDS, MANY))], local(limit))[0]
    for words, fit in (("this project", ours), (f"LIME, {LIME_POINTS:,} points", by_lime)):
        fit(0)
        begin = time.perf_counter()
        found = [local(fit(seed)) for seed in range(SEEDS)]
        milliseconds = 1e3 * (time.perf_counter() - begin) / SEEDS
        center, around = _error(found, local(limit))
        print(
            f"| {name} | {words} | {center:.2%} | {around:.2%} | {milliseconds:.0f} | {far:.2%} |",
            flush=True,
        )


def _error(found: Sequence[Array], limit: Array) -> tuple[float, float]:
    """Of the mean, today's stand-in, and of what the re-trainings differ from it by."""
    errors = []
    for part in (lambda each: each.mean(axis=0), lambda each: each - each.mean(axis=0)):
        squares = [np.square(part(each) - part(limit)).sum() for each in found]
        errors.append(float(np.sqrt(np.mean(squares)) / np.linalg.norm(part(limit))))
    return errors[0], errors[1]


def _log_odds(network: Classifier, X: Array) -> Array:
    p = np.clip(network.probability(X), CERTAIN, 1.0 - CERTAIN)
    odds: Array = np.log(p / (1.0 - p)) - network.threshold
    return odds


def _lime(
    outputs: Sequence[Callable[[Array], Array]], people: Array, x: Array, seed: int, points: int
) -> Array:
    """The package, with the same points for all outputs."""
    explainer = LimeTabularExplainer(
        people.copy(),
        discretize_continuous=False,
        feature_selection="none",
        sample_around_instance=True,
        random_state=seed,
    )

    def columns(X: Array) -> Array:
        values = np.column_stack([output(X) for output in outputs])
        return np.column_stack([1.0 - values.sum(axis=1), values])

    labels = range(1, len(outputs) + 1)
    explained = explainer.explain_instance(
        x, columns, labels=labels, num_features=x.size, num_samples=points
    )
    mean, scale = explainer.scaler.mean_, explainer.scaler.scale_
    thetas = np.zeros((len(outputs), x.size + 1))
    for theta, label in zip(thetas, labels, strict=True):
        for column, weight in explained.local_exp[label]:
            theta[column] = weight / scale[column]
        theta[-1] = explained.intercept[label] - theta[:-1] @ mean
    return thetas


def settling(name: str, people: int) -> None:
    """Two rows: fits where the plans lead to, and each around the plan before."""
    settings = recommended(name, NETWORK)
    declined = bundle_of(settings).declined[:people]
    for words, ahead in (
        ("where they lead to", linearised.where_plans_lead),
        ("around the one before", lambda plan, *_: plan),
    ):
        with patch.object(linearised, "where_plans_lead", ahead):
            cases = [make_case(Scenario.of(settings, int(row))) for row in declined]
        found = [(case, case.linearised) for case in cases if case.linearised is not None]
        worst = [
            case.problem.objective.value(each.plan) for case, each in found if each.plan is not None
        ]
        print(
            f"| {name} | {words} | {len(cases)} | {sum(each.settled for _, each in found)} "
            f"| {np.mean([each.rounds for _, each in found]):.1f} | {np.mean(worst):.3f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
