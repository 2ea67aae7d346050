"""Links: what a scenario becomes in an address, what an address becomes, and what is ignored."""

import json
from dataclasses import replace
from typing import Any

from dirrac_core.case.case import bundle_of
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.data import DATASETS, load_dataset
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.models.futures.compose import available_stories
from dirrac_core.models.futures.usual_shifts import usual_shift
from pages.shared.address.links import from_query, to_query

START = Scenario("german", 1)
SETTINGS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "network": {"model": "mlp"},
    "components": {"components": 2, "radii": (0.05, 0.2)},
    "Gaussian": {"link": "gaussian", "radii": 0.25, "delta_add": 1 / 3},
    "ball": {"weighting": "ball", "divergence": "burg", "weight_radius": 1e-05, "cost": "l2"},
    "solver": {"solver": "projected_gradient", "gap": 1e-4, "seed": 7, "categories": "relaxed"},
    "preset": {"preset": "free", "applicant": 17},
}
# Addresses that are wrong in one way each, beside a part that is right.
WRONG = (
    {"dataset": "nowhere"},
    {"dataset": "table-" + "0" * 32},
    {"applicant": "1000"},
    {"applicant": "²"},
    {"rho": "much"},
    {"rho": "-1"},
    {"rho": "5"},
    {"rho": "nan"},
    {"rho": "0.1_0.2"},
    {"k": "99"},
    {"model": "mlp", "k": "3"},
    {"preset": "mine"},
    {"seed": "1.5"},
    {"gap": "1e-9"},
    {"eps": "2"},
    {"assume": "uniform"},
    {"norm": "l3"},
    {"weights": "mine"},
    {"divergence": "none"},
    {"may": "Age:sideways"},
    {"may": "Age"},
    {"may": "Height:up"},
    {"may": "Age:both:500"},
    {"may": "Age:both;Height:up;Duration:no"},
    {"shifts": "nowhere"},
    {"shifts": "sampling-noise::99"},
    {"shifts": "population-drift:0.5:1:0.1:Age:nan"},
    {"shifts": "population-drift:0.5:1:0.1:Height:1;prior-shift:0.5"},
    {"colour": "red"},
    {"tab": "Proof", "chapter": "Glossary"},
)


def answers() -> dict[str, Any]:
    """Address of each case, whether it reads back as the same, and what wrong ones change."""
    found: dict[str, Any] = {}
    for dataset in DATASETS:
        for name, scenario in _scenarios(dataset).items():
            query = to_query(scenario)
            back, ignored = from_query(query, START)
            found[f"{dataset} · {name}"] = {
                "address": query,
                "round trip": back == scenario,
                "ignored": ignored,
            }
    for wrong in WRONG:
        read, ignored = from_query({"add": "0.7", **wrong}, START)
        name = " & ".join(f"{key}={value}" for key, value in wrong.items())
        usual = json.loads(START.to_json())
        changed = {k: v for k, v in json.loads(read.to_json()).items() if usual.get(k) != v}
        found[f"wrong · {name}"] = {"changed": changed, "ignored": ignored}
    return found


def _scenarios(dataset: str) -> dict[str, Scenario]:
    declined = bundle_of(Settings(dataset)).declined
    start, data = Scenario(dataset, int(declined[0])), load_dataset(dataset)
    found = {name: replace(start, **settings) for name, settings in SETTINGS.items()}
    first = data.schema.features[0]
    numbers = [feature.name for feature in data.schema.features if not feature.is_categorical]
    low = float(data.present.people[numbers[0]].min())
    found["edits"] = replace(
        start,
        edits=(
            FeatureRule(numbers[0], "up", low=low, effort=2.5),
            *(FeatureRule(feature.name, "no") for feature in (first,) if first.is_categorical),
        ),
    )
    for story in available_stories(data):
        found[f"shift {story}"] = replace(start, shifts=(usual_shift(data, story),))
    found["every shift"] = replace(
        start,
        shifts=tuple(
            replace(usual_shift(data, story), weight=1.5, radius=0.05)
            for story in available_stories(data)
        ),
    )
    return found
