"""All the words of the pages that are not a feature's own."""

import math
from collections.abc import Mapping

from dirrac_core.data import Feature
from dirrac_core.figures.wording import out_of
from dirrac_core.models.bundle import Accuracy

GLOSSARY = {
    "recourse": "What a person can change so that a decision turns out favourable.",
    "plan": "The changes suggested to one applicant, in real units.",
    "today's model": "The model that decides now and declined the applicant.",
    "future model": "The model that will decide later, trained again on other or newer data.",
    "shift": "A change between the data of today and the data a later model is trained on.",
    "declared shift": "A story about the future that a plan is asked to survive.",
    "component": "One kind of future: an average model and how much models scatter around it.",
    "K": "K is the number of components: how many different kinds of future are told apart.",
    "weights": "p̂ says how likely each component is thought to be; the weights sum to 1.",
    "mixture": "All components together with their weights: the picture of the future.",
    "rho": "ρ is the radius of doubt: how far the truth may lie from each estimated component.",
    "Gelbrich distance": "How far apart two groups of models are, by their averages and their "
    "scatter. ρ is measured in it.",
    "ambiguity set": "All distributions of future models within ρ of the components: exactly what "
    "a guarantee covers.",
    "effort": "The size of a change: 1 is the whole range of a number; another category counts 2.",
    "delta_min": "δ_min is the effort of the cheapest plan that keeps every condition.",
    "delta_add": "δ_add is the extra effort allowed beyond the cheapest valid plan.",
    "budget": "δ = δ_min + δ_add: the most effort a plan may take.",
    "feasible set": "All plans that keep every rule, stay within the budget, and are accepted by "
    "every component with the radius of doubt taken off.",
    "preset": "A ready choice of what may change.",
    "robust score": "How many deviations a plan is away from being declined once the radius of "
    "doubt is taken off. Every worst-case number follows from it.",
    "link": "What is assumed of future models: only mean and spread, or also a bell curve. It "
    "turns the robust score into a worst-case number.",
    "weighting": "How the components' worst cases become one number: by the estimated weights, by "
    "uncertain weights, or by the worst component alone.",
    "worst case": "The most that can go wrong among the futures that were declared possible.",
    "guarantee": "Holds for every distribution of future models within the radius of doubt.",
    "assumption": "Holds if, in addition, the future models scatter like a bell curve (Gaussian).",
    "observed": "Counted on models that were really trained on shifted data. No promise.",
    "M1": "M1 validity: whether today's model accepts a plan, or how many plans it accepts.",
    "M2": "M2 validity: how many models trained after the shift accept a plan. An observation.",
    "certificate": "A proven lower bound: no plan within the budget can do better than it.",
    "gap": "How far the plan can at most be from the best possible one.",
    "adversary": "The future model, within the radius of doubt, that harms this plan most.",
    "price of robustness": "The extra effort of the cheapest plan that the radius of doubt asks "
    "for.",
    "frontier": "For each effort, how well the best plan of a method lasts.",
    "baseline": "Another published method that DiRRAc is compared with.",
    "surrogate": "A linear model that LIME fits to a neural network near one applicant, to stand "
    "in for it.",
    "seed": "The start of every random draw. The same seed gives the same answer.",
}
# Words of the glossary that are written as symbols on the pages.
_SYMBOLS = {"rho": "ρ", "delta_add": "δ_add", "delta_min": "δ_min", "budget": "budget δ"}

LINKS = {"chebyshev": "any distribution", "gaussian": "Gaussian"}
MODELS = {"logistic": "logistic regression", "mlp": "neural network"}
COSTS = {"l1": "ℓ1: sum of changes", "l2": "ℓ2: length of the change"}
WEIGHTINGS = {
    "nominal": "as estimated",
    "ball": "uncertain",
    "worst-component": "worst component",
}
SOLVERS = {"certified": "certified", "projected_gradient": "Algorithm 1 of the paper"}
CATEGORIES = {"whole": "whole categories", "relaxed": "fractions allowed"}
PRESETS = {"sensible": "sensible", "paper": "as in the paper", "free": "everything free"}
MOVES = {"no": "no", "both": "either way", "up": "only up", "down": "only down"}

WHY_NO_PLAN = "Why there is no plan, and the ways out"

HELP = {
    "dataset": "The people, the model trained on them, and what the future brought.",
    "applicant": "The row of the person among the present people.",
    "model": "What decides today. A neural network is approximated near the applicant by LIME.",
    "link": GLOSSARY["link"],
    "components": GLOSSARY["K"] + " “Choose for me” uses the elbow rule.",
    "rho": GLOSSARY["rho"] + " 0 trusts the estimate fully.",
    "rho_each": "A radius ρ_k for every component k.",
    "delta_add": GLOSSARY["delta_add"] + " More effort buys a safer plan.",
    "cost": "How effort is added up over the features.",
    "weighting": GLOSSARY["weighting"],
    "divergence": "How the distance between weights is measured (φ).",
    "weight_radius": "ε is how far the weights may move from the estimate.",
    "categories": "Whether a plan may name a mixture of two categories.",
    "solver": "“Certified” proves how good its plan is; Algorithm 1 is the paper's own method.",
    "seed": GLOSSARY["seed"],
    "share": "This address restores the exact screen.",
}

NETWORK_NOTE = (
    "LIME approximates the network near the applicant by slopes of its probability. They are about "
    "ten times smaller than logistic weights, so the same ρ is about ten times as much doubt."
)


def term(word: str) -> str:
    """A word of the glossary as it is written on the pages."""
    return _SYMBOLS.get(word, word)


def at_most(probability: float) -> str:
    """A bound: "at most 12 in 100", rounded up so that it stays true."""
    words = out_of(probability, at_most=True)
    return words if words.startswith("fewer") else f"at most {words}"


def no_fewer(probability: float) -> str:
    """A lower bound, rounded down so that it stays true: "17.1 in 100"."""
    return f"{math.floor(1000 * probability + 1e-9) / 10:g} in 100"


def amount(cost: float) -> str:
    """An effort with three digits."""
    return f"{cost:.3f}".rstrip("0").rstrip(".") if math.isfinite(cost) else "none"


def applicant_name(row: int) -> str:
    """ "Applicant 137"."""
    return f"Applicant {row}"


def feature_label(feature: Feature) -> str:
    """ "Duration (months)"; a unit the name already says is left out."""
    said = not feature.unit or feature.unit.lower() in feature.name.lower()
    return feature.name if said else f"{feature.name} ({feature.unit})"


def accuracy(ours: Accuracy, published: Mapping[str, tuple[float, float]] | None) -> str:
    """How often the logistic models of a dataset are right, with the paper's figures beside."""
    judged = "people it has not seen" if ours.held_out else "people of the table"
    words = f"Today's logistic model is right for {out_of(ours.now)} {judged}"
    if ours.after is not None and ours.future is not None:
        words += (
            f", and for {out_of(ours.after)} after the shift; models trained after the shift are "
            f"right for {out_of(ours.future)} there"
        )
    if published is None:
        return words + "."
    now, later = published["logistic"]
    return (
        f"{words}. The paper reports {out_of(now)} today and {out_of(later)} for models trained "
        "after the shift, on classes it balanced first."
    )
