"""Answers of scenarios: every dataset, link, weighting, cost, treatment of categories and preset.

Two components keep a solve quick and still tell the weightings apart.
"""

from itertools import product
from typing import Any

from dirrac_core.case.case import bundle_of, solve_scenario
from dirrac_core.case.documents.file import answer_of
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import CATEGORIES, COSTS, WEIGHTINGS
from dirrac_core.data import DATASETS, load_dataset
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.models.futures.shift import Shift
from dirrac_core.robustness import DIVERGENCES, LINKS

COMPONENTS = 2
PEOPLE = 2
NETWORKS = ("german", "synthetic")


def grid(dataset: str) -> dict[str, Scenario]:
    """Every combination of settings for the first people declined, by a name that says it."""
    found: dict[str, Scenario] = {}
    declined = bundle_of(Scenario(dataset, 0, components=COMPONENTS)).declined
    for applicant in map(int, declined[:PEOPLE]):
        for link, weighting, cost, categories, preset in product(
            LINKS, WEIGHTINGS, COSTS, CATEGORIES, load_dataset(dataset).schema.presets
        ):
            words = (dataset, applicant, link, weighting, cost, categories, preset)
            found[" ".join(map(str, words))] = Scenario(
                dataset,
                applicant,
                components=COMPONENTS,
                link=link,
                weighting=weighting,
                cost=cost,
                categories=categories,
                preset=preset,
            )
    return found


def special() -> dict[str, Scenario]:
    """What the grid leaves out: divergences, radii, edits, shifts, Algorithm 1."""
    german = {"dataset": "german", "applicant": 1}
    found = {
        f"german 1 ball {divergence} {link}": Scenario(
            **german, components=3, weighting="ball", divergence=divergence, link=link
        )
        for divergence, link in product(sorted(DIVERGENCES), LINKS)
    }
    found["german 1 defaults"] = Scenario(**german)
    found["german 1 one component"] = Scenario(**german, components=1)
    found["german 1 five components"] = Scenario(**german, components=5, weighting="ball")
    found["german 1 two radii"] = Scenario(**german, components=2, radii=(0.05, 0.2))
    found["german 1 no radius"] = Scenario(**german, radii=0.0)
    found["german 1 no plan"] = Scenario(**german, radii=2.0)
    found["german 1 seed 7"] = Scenario(**german, seed=7)
    found["german 1 edits"] = Scenario(
        **german,
        edits=(FeatureRule("Age", "no"), FeatureRule("Credit amount", "down", 1000.0, 5000.0, 2.0)),
    )
    for link in LINKS:
        found[f"german 1 Algorithm 1 {link}"] = Scenario(
            **german, link=link, solver="projected_gradient"
        )
    found["german 1 shifts"] = Scenario(
        **german,
        shifts=(
            Shift("sampling-noise"),
            Shift("coding-correction", 1.0, 2.0, 0.05),
        ),
    )
    found["student 0 shift"] = Scenario("student", 0, shifts=(Shift("sampling-noise"),))
    return found


def networks() -> dict[str, Scenario]:
    """The first person a neural network declines."""
    found = {}
    for dataset in NETWORKS:
        applicant = int(bundle_of(Scenario(dataset, 0, model="mlp")).declined[0])
        found[f"{dataset} {applicant} mlp"] = Scenario(dataset, applicant, model="mlp")
    return found


def answers() -> dict[str, Any]:
    asked = special() | networks()
    for dataset in DATASETS:
        asked |= grid(dataset)
    return {name: answer_of(solve_scenario(scenario)) for name, scenario in asked.items()}
