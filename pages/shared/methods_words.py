"""What the methods are, and what is to be said beside their numbers."""

import pandas as pd

from dirrac_core.evaluation.case_methods import (
    AVERAGE,
    EXACT,
    LIME,
    MINT,
    PUBLISHED,
    RELAXED,
)
from dirrac_core.figures.wording import joined
from dirrac_core.scenario import Case
from pages.shared.recourse_proof import CHECKS

ABOUT = {
    "DiRRAc": "makes the worst-case share of declining future models as small as the budget "
    "allows. With uncertain weights also over the weights of the components; with the worst "
    "component whatever the weights are.",
    "Gaussian DiRRAc": "the same if the future models scatter like a bell curve.",
    EXACT: "one model in a ball around today's, the worst of them; effort weighed by λ = 0.1 "
    "(δ_max = 0.1), solved to the optimum. Upadhyay, Joshi, Lakkaraju 2021.",
    PUBLISHED: "the same objective by the gradient steps of its authors.",
    "ROAR-Ensemble": "ROAR against the worst of 100 re-trained models.",
    AVERAGE: "the mean of the 100 plans of ROAR, one for each re-trained model; slow.",
    "AR": "the cheapest change on a grid that today's linear model accepts, by integer "
    "programming. Ustun, Spangher, Liu 2019.",
    "Wachter": "gradient steps until today's model accepts. Wachter, Mittelstadt, Russell 2018.",
    "CEPM": "a plan that lies among the data, found near the applicant's latent code (here a "
    "linear one, probabilistic PCA). Pawelczyk, Broelemann, Kasneci 2020.",
    "RBR": "leaves the samples that are declined behind, near the boundary. Nguyen, Bui, Nguyen, "
    "Yue, Nguyen 2022.",
    MINT: "the cheapest interventions in a causal model; what follows from them counts too. "
    "Karimi, Schölkopf, Valera 2021.",
}


def explanations(case: Case, names: tuple[str, ...]) -> list[str]:
    """A line a method, and why one is missing."""
    lime = any(name.startswith(LIME) for name in names)
    shown = {name.removeprefix(LIME) for name in names}
    lines = [f"**{name}**: {words}" for name, words in ABOUT.items() if name in shown]
    if lime:
        lines.append(
            "**LIME-**: a method for linear models, asked about the linear approximation that "
            "LIME makes of the network near the applicant. The network itself judges the plan."
        )
    if MINT in shown:
        lines.append(
            "The causal model of MINT: the credit amount depends on the personal status and the "
            "age, the duration on the credit amount. It moves numbers only."
        )
    elif not lime:
        lines.append("MINT is not asked: no causal model is known for this dataset.")
    return lines


def cautions(case: Case, names: tuple[str, ...]) -> list[str]:
    """How the numbers are to be read."""
    relaxed = [name for name in names if name.removeprefix(LIME) in RELAXED]
    told = []
    if relaxed and case.dataset.schema.groups:
        told.append(
            f"{joined(relaxed)} move categories in fractions on their way. Where a plan ends "
            "between two categories nobody can carry it out: read its effort beside the broken "
            "rule. The plan in words names the nearer category."
        )
    told.append(
        "The worst case is that of the futures set on the left, whichever method made the plan; "
        f"only DiRRAc knows of them. “Later” counts {kind_of_models(case)} models and promises "
        "nothing."
    )
    if case.problem.mixture.components == 1:
        told.append(
            "There is one component, so the weights play no part and the best plan is the same "
            "under both assumptions: all variants of DiRRAc agree."
        )
    told.append("Plans are shown as solved, before rounding to whole units.")
    return told


def broken_words(broken: str) -> str:
    """The broken checks of a plan in words; "all kept" when there is none."""
    if not broken:
        return "✓ all kept"
    return "✗ broken: " + "; ".join(_check_words(name) for name in broken.split(", "))


def _check_words(name: str) -> str:
    """ "whole category: 3" → "no category is a mixture (3)"."""
    check, _, count = name.partition(": ")
    words = CHECKS.get(_KNOWN.get(check, check), check)
    said = f"{words[0].lower()}{words[1:]}"
    return f"{said} ({count})" if count else said


_KNOWN = {"today's model accepts": "today's model"}


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def kind_of_models(case: Case) -> str:
    """Who judges plans later: models re-trained after a real shift, or simulated ones."""
    return "simulated" if case.bundle.future.simulated else "re-trained"


def headline(case: Case, rows: pd.DataFrame) -> str:
    """How many methods found a plan, and how differently those fare."""
    found = rows[rows["found"].astype(bool)]
    asked = len(rows)
    if found.empty:
        return f"None of the {asked} methods finds a plan under these conditions."
    models = int(found["models"].max())
    low, high = (round(models * end) for end in (found["m2"].min(), found["m2"].max()))
    later = f"{low}" if low == high else f"{low} to {high}"
    whole = "All" if len(found) == asked else f"{len(found)} of"
    today = int(found["m1"].sum())
    accepted = "all of them are" if today == len(found) else f"{today} {_are(today)}"
    broken = len(found) - int(found["keeps_rules"].sum())
    rules = f"{broken or 'none'} break{'s' if broken < 2 else ''} a rule"
    return (
        f"{whole} {asked} methods find a plan; {accepted} accepted today and {rules}. Later "
        f"{later} of {models} {kind_of_models(case)} models accept them."
    )
