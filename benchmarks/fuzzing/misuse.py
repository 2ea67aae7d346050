"""Every public door with arguments it is not made for: only named errors may come out."""

import time
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.fuzzing.checks import Finding
from dirrac_core import (
    Actions,
    FeasibleSet,
    ParameterMixture,
    RecourseProblem,
    WeightBall,
    assess,
    find_recourse,
    load_dataset,
    robust_scores,
    worst_case_model,
)
from dirrac_core.bulk.people import people_in_file, people_in_table
from dirrac_core.bulk.stream import Bulk, stream_portfolio
from dirrac_core.case.case import bundle_of, make_case, solve_scenario
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.data import with_constant
from dirrac_core.data.dataset import make_sample
from dirrac_core.data.schema.feature import Feature
from dirrac_core.data.schema.plausible_set import PlausibleSet
from dirrac_core.errors import DirracError
from dirrac_core.methods import Dirrac, Wachter
from dirrac_core.models.bundle import prepare
from dirrac_core.robustness import Objective, worst_weights

MIXTURE = ParameterMixture([0.4, 0.6], [[1, 2, -1.5], [2, 1, -1.4]], [0.02 * np.eye(3)] * 2)
LIKE = PlausibleSet([0, 0, 0], [1, 1, 1], np.eye(3), [0, 0, 0], 2.0)
X0 = np.array([0.2, 0.3, 1.0])
ACTIONS = Actions([0, 0], [1, 1], only_up=[0])
PROBLEM = RecourseProblem(X0, MIXTURE, 0.1, actions=ACTIONS)
GERMAN = load_dataset("german")
PERSON = GERMAN.present.X[0]
PEOPLE = people_in_table(GERMAN.present.people[:3], "german")
SETTINGS = Settings("german", components=1)
NOWHERE = Path(gettempdir()) / "not there" / "out.csv"

# A door, and arguments it is made for; `stream_portfolio` never gets as far as to begin.
DOORS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "ParameterMixture": (
        ParameterMixture,
        {"weights": [1.0], "means": [[1.0, 2.0, 0.5]], "covariances": [np.eye(3)]},
    ),
    "Actions": (
        Actions,
        {
            "lower": [0, 0, 0],
            "upper": [1, 1, 1],
            "locked": [0],
            "only_up": [],
            "only_down": [],
            "groups": [[1, 2]],
            "weights": [1, 1, 1],
            "linear": [([1, 1, 1], 0, 2)],
            "conditional": [(1, 0, 0, 1)],
            "plausible": LIKE,
            "not_advised": [2],
        },
    ),
    "FeasibleSet": (
        lambda **given: FeasibleSet(**given).cheapest,
        {
            "x0": X0,
            "mixture": MIXTURE,
            "radii": 0.1,
            "actions": ACTIONS,
            "cost": "l1",
            "delta": 1.0,
            "margin": 1e-3,
            "categories": "relaxed",
            "metric": "deviations",
        },
    ),
    "contains": (PROBLEM.unbounded.contains, {"x": X0}),
    "project": (PROBLEM.unbounded.project, {"point": X0}),
    "largest_radius": (PROBLEM.unbounded.largest_radius, {"profile": [1.0, 1.0]}),
    "RecourseProblem": (
        lambda **given: find_recourse(RecourseProblem(**given), time_limit=0.1),
        {
            "x0": X0,
            "mixture": MIXTURE,
            "radii": 0.1,
            "delta_add": 0.3,
            "cost": "l1",
            "link": "gaussian",
            "weighting": WeightBall("kl", 0.1),
            "actions": ACTIONS,
            "categories": "relaxed",
            "margin": 1e-3,
            "delta": None,
            "current_model": [1.0, 2.0, -1.0],
            "metric": "deviations",
        },
    ),
    "Objective": (
        Objective,
        {
            "mixture": MIXTURE,
            "radii": [0.1, 0.2],
            "link": "chebyshev",
            "weighting": "nominal",
            "metric": "weights",
        },
    ),
    "WeightBall": (WeightBall, {"divergence": "kl", "radius": 0.1}),
    "worst_weights": (
        worst_weights,
        {"divergence": "burg", "weights": [0.3, 0.7], "f": [0.1, 0.2], "radius": 0.1},
    ),
    "robust_scores": (
        robust_scores,
        {"x": X0, "mixture": MIXTURE, "radii": 0.1, "metric": "weights"},
    ),
    "worst_case_model": (
        worst_case_model,
        {"x": X0, "mixture": MIXTURE, "radii": 0.1, "component": 1, "metric": "weights"},
    ),
    "find_recourse": (
        find_recourse,
        {"problem": PROBLEM, "solver": "certified", "gap": 1e-2, "time_limit": 0.1, "model": None},
    ),
    "assess": (assess, {"problem": PROBLEM, "x": X0}),
    "load_dataset": (load_dataset, {"name": "german"}),
    "prepare": (
        prepare,
        {"dataset": GERMAN, "model": "logistic", "components": 1, "seed": 0, "bootstrap": None},
    ),
    "Settings": (
        Settings,
        {"dataset": "german", **{name: getattr(SETTINGS, name) for name in SETTINGS.__dict__}},
    ),
    "Scenario": (Scenario, {"dataset": "german", "applicant": 3, "radii": (0.1, 0.2), "seed": 1}),
    "Scenario.from_json": (Scenario.from_json, {"text": Scenario("german", 3).to_json()}),
    "Bulk": (
        Bulk,
        {"settings": SETTINGS, "rounded": True, "chunk": 10, "most_plans": 3},
    ),
    "people_in_table": (people_in_table, {"frame": GERMAN.present.people[:3], "name": "three"}),
    "people_in_file": (
        people_in_file,
        {"path": NOWHERE, "schema": GERMAN.schema, "id_column": None},
    ),
    "stream_portfolio": (
        stream_portfolio,
        {"people": PEOPLE, "out": NOWHERE, "bulk": Bulk(SETTINGS), "version": "1", "jobs": 1},
    ),
    "Dirrac": (
        lambda x0, actions, **given: Dirrac(prepare(GERMAN).current, **given).problem(x0, actions),
        {
            "x0": X0,
            "actions": ACTIONS,
            "mixture": MIXTURE,
            "radii": 0.1,
            "delta_add": 0.1,
            "cost": "l2",
            "link": "gaussian",
            "weighting": "nominal",
            "categories": "relaxed",
        },
    ),
    "PlausibleSet": (
        PlausibleSet,
        {"lower": [0, 0], "upper": [1, 1], "factor": np.eye(2), "centre": [0, 0], "size": 2.0},
    ),
    "Feature": (
        Feature,
        {"name": "age", "kind": "integer", "unit": "years", "low": 18, "high": 75, "step": 1},
    ),
    "make_sample": (
        make_sample,
        {"schema": GERMAN.schema, "people": GERMAN.present.people[:3], "favourable": [0, 1, 1]},
    ),
    "Dataset.actions": (GERMAN.actions, {"preset": "sensible", "x0": PERSON}),
    "Schema.encode": (GERMAN.schema.encode, {"people": GERMAN.present.people[:3]}),
    "Schema.decode": (GERMAN.schema.decode, {"x": PERSON}),
    "Schema.describe_change": (GERMAN.schema.describe_change, {"x0": PERSON, "x": PERSON}),
    "Schema.rounded": (GERMAN.schema.rounded, {"x0": PERSON, "x": PERSON}),
    "with_constant": (with_constant, {"x": [1.0, 2.0]}),
    "bundle_of": (bundle_of, {"settings": SETTINGS}),
    "make_case": (make_case, {"scenario": Scenario("german", 3), "time_limit": 0.1}),
    "solve_scenario": (solve_scenario, {"scenario": Scenario("german", 3), "time_limit": 0.1}),
    "Wachter": (
        Wachter(prepare(GERMAN).current).recourse,
        {"x0": np.append(GERMAN.present.X[0], 1.0), "actions": Actions()},
    ),
}
WRONG: tuple[tuple[str, Any], ...] = (
    *(("None", None), ("True", True), ("0", 0), ("-1", -1), ("7", 7), ("1e300", 1e300)),
    *(("1e-300", 1e-300), ("2**70", 2**70), ("nan", np.nan), ("inf", np.inf), ("-inf", -np.inf)),
    *(("1j", 1j), ("text", "text"), ("digit", "1"), ("empty text", ""), ("bytes", b"1")),
    *(("list", [1.0, 2.0, 1.0]), ("empty list", []), ("ragged", [[1.0], [1.0, 2.0]])),
    *(("tuple", (1, 2)), ("dict", {"a": 1}), ("set", {1, 2}), ("object", object())),
    *(("type", int), ("function", len), ("range", range(3)), ("generator", (n for n in ()))),
    *(("array", np.ones(3)), ("matrix", np.ones((3, 3))), ("0-d", np.array(1.0))),
    *(("cube", np.ones((2, 3, 3))), ("empty array", np.empty(0)), ("huge", np.full(3, 1e308))),
    *(("tiny", np.full(3, 1e-320)), ("nans", np.full(3, np.nan)), ("names", np.array(["l1"]))),
    *(("complex", X0 + 1j), ("masked", np.ma.masked_array(X0, [True, False, False]))),
    *(("dates", np.array(["2020-01-01"] * 3, "datetime64[D]")), ("objects", np.array([None] * 3))),
    *(("records", np.zeros(3, [("a", float)])), ("date", datetime(2020, 1, 1, tzinfo=UTC))),
    *(("series", pd.Series([1.0, 2.0])), ("frame", pd.DataFrame({"a": [1.0]})), ("NA", pd.NA)),
    *(("mixture", MIXTURE), ("actions", ACTIONS), ("problem", PROBLEM), ("dataset", GERMAN)),
    *(("settings", SETTINGS), ("people", PEOPLE), ("nested", [[[1, 2]]]), ("nothings", [None])),
    *(("texts", ["a", "b"]), ("path", NOWHERE), ("NUL", "a\0b"), ("long", "x" * 5000)),
)


def misuse(seed: int, index: int) -> Finding:
    """Call a door with one or two wrong arguments; the status is how that ended."""
    rng = np.random.default_rng([seed, index])
    door = list(DOORS)[rng.integers(len(DOORS))]
    function, right = DOORS[door]
    places = rng.permutation(len(right))[: 1 + int(rng.integers(3) == 0)]
    wrong = {list(right)[place]: WRONG[rng.integers(len(WRONG))] for place in places}
    tags = tuple(f"{name}={words}" for name, (words, _) in wrong.items())
    call = Finding(index, door, tags, "accepted")
    begin = time.process_time()
    try:
        with warnings.catch_warnings():
            # A warning of numpy's is a value that went in unlooked-at.
            warnings.simplefilter("error")
            function(**{**right, **{name: value for name, (_, value) in wrong.items()}})
    except DirracError as error:
        call.status = type(error).__name__
        if not str(error):
            call.violations.append("an error without words")
    except Exception as error:  # noqa: BLE001  any other exception is exactly what is looked for
        call.status = type(error).__name__
        call.violations.append(f"unnamed {call.status}: {error}")
    call.seconds = time.process_time() - begin
    return call
