"""All the words of the pages that are not a feature's own."""

import math
from collections.abc import Mapping
from typing import Any

from dirrac_core.case.settings import Settings
from dirrac_core.data import Feature
from dirrac_core.models.accuracy import Accuracy
from dirrac_core.models.futures.future import FutureModels
from dirrac_core.wording import at_most, out_of

GLOSSARY = {
    "recourse": "What a person can change so that a decision turns out favourable.",
    "plan": "The changes suggested to one applicant, in real units.",
    "today's model": "The model that decides now and declined the applicant.",
    "future model": "The model that will decide later, trained again on other or newer data.",
    "shift": "A change between the data of today and the data a later model is trained on.",
    "declared shift": "A story about the future that a plan is asked to survive.",
    "component": "One kind of future: an average model and how much models scatter around it.",
    "K": "K is the number of components: how many different kinds of future are distinguished.",
    "weights": "p̂ says how likely each component is thought to be; the weights sum to 1.",
    "mixture": "All components together with their weights: the picture of the future.",
    "rho": "ρ is the radius of doubt: how far the truth may lie from each estimated component.",
    "Gelbrich distance": "How far apart two groups of models are, by their averages and their "
    "scatter. ρ is measured in it.",
    "ambiguity set": "All distributions of future models within ρ of the components: exactly what "
    "a worst case covers.",
    "effort": "The size of a change: 1 is the whole range of a number; another category counts 2.",
    "delta_min": "δ_min is the effort of the cheapest plan that keeps every condition.",
    "delta_add": "δ_add is the extra effort allowed beyond the cheapest valid plan.",
    "budget": "δ = δ_min + δ_add: the most effort a plan may take.",
    "feasible set": "All plans that keep every rule, stay within the budget, and are accepted by "
    "every component with ρ to spare.",
    "preset": "A ready choice of what may change.",
    "robust score": "How many deviations a plan is away from being declined, with ρ to "
    "spare. Every worst-case number follows from it.",
    "link": "What is assumed of future models: only mean and spread, or also a bell curve. It "
    "turns the robust score into a worst-case number.",
    "weighting": "How the components' worst cases become one number: by the estimated weights, by "
    "uncertain weights, or by the worst component alone.",
    "worst case": "The most that can go wrong among the futures that were declared possible.",
    "guarantee": "A worst case whose kind has been checked on the past: promises like it were kept "
    "as often as announced.",
    "assumption": "Holds if, in addition, the future models scatter like a bell curve (Gaussian).",
    "observed": "Counted on models that were really trained on shifted data. No promise.",
    "M1": "M1 validity: whether today's model accepts a plan, or how many plans it accepts.",
    "M2": "M2 validity: how many models trained after the shift accept a plan. An observation.",
    "certificate": "A proven lower bound: no plan within the budget can do better than it.",
    "gap": "How far the plan can at most be from the best possible one.",
    "adversary": "The future model, within the radius of doubt, that harms this plan most.",
    "price of robustness": "How much more effort the cheapest robust plan needs than the cheapest "
    "plan for today's model alone; without δ_add.",
    "frontier": "For each effort, how well the best plan of a method lasts.",
    "baseline": "Another published method that DiRRAc is compared with.",
    "surrogate": "A linear model fitted, as LIME does, to a neural network near one applicant, to "
    "stand in for it.",
    "seed": "The start of every random draw. The same seed gives the same answer.",
}
# Words of the glossary that are written as symbols on the pages.
_SYMBOLS = {"rho": "ρ", "delta_add": "δ_add", "delta_min": "δ_min", "budget": "budget δ"}

FUTURES = {
    "sampling": "luck only",
    "history": "luck and past changes",
    "stress": "luck and a standard stress set",
    "paper": "as in the paper",
}
FUTURE_LINES = {
    "sampling": "Models trained on other people of the same kind, as many as declared.",
    "history": "The same luck, and each change between past periods happens once more.",
    "stress": "The same luck, and a few named shifts as strong as today's subgroups differ.",
    "paper": "Draws of 80 % of today's people; judged by models of 20 % of the shifted ones.",
}
RADIUS_UNITS = {"deviations": "standard deviations", "weights": "model weights"}
HISTORY_BASES = {"all": "all periods", "recent": "the last window"}
HISTORY_WEIGHTINGS = {"equal": "all alike", "recency": "recent ones more"}
LINKS = {"chebyshev": "any distribution", "gaussian": "Gaussian"}
MODELS = {"logistic": "logistic regression", "mlp": "neural network", "trees": "boosted trees"}
COSTS = {"l1": "ℓ1: sum of changes", "l2": "ℓ2: length of the change"}
WEIGHTINGS = {
    "nominal": "as estimated",
    "ball": "uncertain",
    "worst-component": "worst component",
}
SOLVERS = {"certified": "certified", "projected_gradient": "Algorithm 1 of the paper"}
CATEGORIES = {"whole": "whole categories", "relaxed": "fractions allowed"}
PRESETS = {"sensible": "sensible", "paper": "as in the paper", "free": "everything free"}
PLAN_KINDS = {
    "safest": "Safest within the budget",
    "cheapest": "Cheapest that lasts",
    "fewest": "Fewest changes",
    "sparing": "Leaves something alone",
    "more effort": "Safer with more effort",
    "at most": "Cheapest at the stated worst case",
}
QUESTIONS = {"budget": "safest plan", "at most": "cheapest plan"}
CUT_OFFS = {
    "probability": "a probability",
    "score": "a score (log-odds)",
    "approval": "a share of approvals",
}
MOVES = {"no": "no", "both": "either way", "up": "only up", "down": "only down"}

SETTINGS = {
    "dataset": "Dataset",
    "applicant": "Applicant",
    "model": "Model",
    "components": "Components K",
    "link": "Future models follow",
    "radii": "Radius of doubt ρ",
    "radius_unit": "Unit of ρ",
    "futures": "Futures",
    "training_size": "Future models are trained on",
    "history_windows": "Windows of the past",
    "history_base": "Changes start from",
    "history_weighting": "Weights of past changes",
    "history_strength": "Strength of past changes",
    "delta_add": "Extra effort δ_add",
    "cost": "Effort measured by",
    "weighting": "Component weights",
    "divergence": "Divergence φ",
    "weight_radius": "Weight radius ε",
    "categories": "Categories",
    "preset": "Preset",
    "edits": "Edited features",
    "solver": "Solver",
    "gap": "Target gap",
    "seed": "Seed",
    "shifts": "Declared shifts",
    "plausibility": "Real people who may be more unusual than a plan",
    "widen": "Limits give way where no usual plan lasts",
    "domain_rules": "Rules of the domain",
    "rules": "Edited rules",
    "plan_kind": "Kind of plan",
    "level": "Worst case a plan may have",
    "cut_off": "Cut-off",
    "cut_off_kind": "Cut-off stated as",
    "without_protected": "Models see no protected attributes",
}

_YES_OR_NO = {True: "yes", False: "no"}
# How the values of a setting read, where there are few.
_VALUES: dict[str, Mapping[Any, str]] = {
    "futures": FUTURES,
    "radius_unit": RADIUS_UNITS,
    "history_base": HISTORY_BASES,
    "history_weighting": HISTORY_WEIGHTINGS,
    "link": LINKS,
    "model": MODELS,
    "cost": COSTS,
    "weighting": WEIGHTINGS,
    "solver": SOLVERS,
    "categories": CATEGORIES,
    "preset": PRESETS,
    "plan_kind": PLAN_KINDS,
    "cut_off_kind": CUT_OFFS,
    "domain_rules": {True: "in force", False: "not in force"},
    "without_protected": _YES_OR_NO,
    "widen": _YES_OR_NO,
}
# By what each entry of a setting that is a list is told.
_TOLD_BY = {"edits": "feature", "shifts": "title", "rules": "name"}

# A fall of the observed share that is worth a sentence.
NOTABLE_FALL = 0.05

WHY_NO_PLAN = "Why there is no plan, and the ways out"

HELP = {
    "dataset": "The people, the model trained on them, and what the future brought.",
    "applicant": "The row of the person among the present people.",
    "model": "What decides today. A neural network is approximated near the applicant by LIME.",
    "link": GLOSSARY["link"],
    "futures": "Which models may decide later. A promise covers these and no others.",
    "training_size": "How many people a future model learns from. Fewer people, more luck. Empty: "
    "as many as today's model.",
    "radius_unit": "Standard deviations of a re-training: free of the scale of the model. Model "
    "weights: the paper's ball. Another unit sets ρ back to 0.1.",
    "history_windows": "Into how many stretches of time, of about equal information, the past is "
    "cut. A change is the step from one to the next.",
    "history_base": "Where every past change starts again: the model of all people, or of the last "
    "window alone.",
    "history_weighting": "Whether recent changes count for more; not used for the worst component.",
    "history_strength": "1 repeats each past change as it was, 2 makes it twice as hard.",
    "components": GLOSSARY["K"] + " BIC can answer 1; the elbow is the paper's rule.",
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
    "plausibility": "How unusual a plan may be among real people with the favourable outcome. Off: "
    "every value between the smallest and the largest in the data.",
    "widen": "Where no plan this usual has a worst case of at most 1 in 20, the limit gives way by "
    "the least factor that allows one. The plan then says so.",
    "domain_rules": "Rules that keep a plan sensible in its field, each with its reason.",
    "question": "The safest plan within the effort below, or the cheapest plan with a stated worst "
    "case, whatever its effort (δ_add then counts for nothing).",
    "level": "Of all future models, the share that may decline the plan.",
    "cut_off_kind": "How the lender states what it takes to be accepted. A share of approvals "
    "becomes the score it takes today; later models are judged by that score.",
    "without_protected": "Train every model without sex, age, marital status, origin and the like. "
    "What that costs in accuracy is shown below the switch.",
    "cut_off": "What a person needs to be accepted, today and by every later model.",
    "share": "This address restores the exact screen.",
}


def term(word: str) -> str:
    """A word of the glossary as it is written on the pages."""
    return _SYMBOLS.get(word, word)


def amount(cost: float) -> str:
    """An effort with three digits."""
    return f"{cost:.3f}".rstrip("0").rstrip(".") if math.isfinite(cost) else "none"


def people(count: int, one: str = "", many: str = "") -> str:
    """ "1 person", "1,200 people"; with verbs "1 person has", "1,200 people have"."""
    return f"1 person {one}".rstrip() if count == 1 else f"{count:,} people {many}".rstrip()


def applicant_name(row: int) -> str:
    """ "Applicant 137"."""
    return f"Applicant {row}"


def feature_label(feature: Feature) -> str:
    """ "Duration (months)"; a unit the name already says is left out."""
    said = not feature.unit or feature.unit.lower() in feature.name.lower()
    return feature.name if said else f"{feature.name} ({feature.unit})"


def setting_words(settings: Settings, name: str) -> str:
    """How one setting, or the applicant of a scenario, reads."""
    value = getattr(settings, name)
    if name in _TOLD_BY:
        return ", ".join(getattr(each, _TOLD_BY[name]) for each in value) or "none"
    if name == "plausibility":
        return "no limit" if value is None else out_of(value)
    if name == "level":
        return "not stated" if value is None else at_most(value)
    if name == "radii":
        listed = value if isinstance(value, tuple) else (value,)
        return ", ".join(f"{radius:g}" for radius in listed)
    if name == "training_size":
        return "as many people as today" if value is None else f"{value:,} people"
    return str(_VALUES.get(name, {}).get(value, value))


def kind_of_models(future: FutureModels) -> str:
    """Who judges plans later: models re-trained after a real shift, or simulated ones."""
    return "simulated" if future.simulated else "re-trained"


def counted_word(future: FutureModels) -> str:
    """What a count of later models is called: nothing is observed where they are simulated."""
    return "Simulated" if future.simulated else "Observed"


def accuracy(ours: Accuracy, published: Mapping[str, tuple[float, float]] | None) -> str:
    """How often the logistic models of a dataset are right, next to the paper's figures."""
    judged = "people it has not seen" if ours.held_out else "people of the table"
    words = (
        f"Today's logistic model is right for {out_of(ours.now)} {judged}, of whom "
        f"{out_of(ours.favourable)} had the good outcome"
    )
    if ours.after is not None and ours.future is not None:
        words += (
            f". It is right for {out_of(ours.after)} after the shift; models trained after the "
            f"shift are right for {out_of(ours.future)} there"
        )
    if published is None:
        return words + "."
    now, later = published["logistic"]
    return (
        f"{words}. The paper reports {out_of(now)} today and {out_of(later)} for models trained "
        "after the shift, on classes it balanced first."
    )
