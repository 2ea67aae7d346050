"""What the methods are, and how their numbers are to be read."""

import pandas as pd

from dirrac_core.case.case import Case
from dirrac_core.studies.case_methods import AVERAGE, EXACT, LIME, MINT, PUBLISHED, RELAXED
from dirrac_core.trees.method import EXACT_TREES
from dirrac_core.wording import in_100, joined
from pages.shared import wording
from pages.shared.plan_tables import CHECKS

ABOUT = {
    EXACT_TREES: "the plan within the budget that most re-trainings of the boosted trees accept, "
    "proved by constraint programming; it needs no linear approximation.",
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

# Values closer than this are printed alike.
SAME_AS_BEST = 5e-3
MOST_NAMED = 3


def explanations(case: Case, names: tuple[str, ...]) -> list[str]:
    """One line per method, and why one is missing."""
    lime = any(name.startswith(LIME) for name in names)
    shown = {name.removeprefix(LIME) for name in names}
    lines = [f"**{name}**: {words}" for name, words in ABOUT.items() if name in shown]
    if lime:
        lines.append(
            "**LIME-**: a method for linear models, asked about the linear approximation that "
            "LIME makes of the model near the applicant. The model itself judges the plan."
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
    kind = wording.kind_of_models(case.bundle.future)
    relaxed = [name for name in names if name.removeprefix(LIME) in RELAXED]
    notes = []
    if relaxed and case.dataset.schema.groups:
        notes.append(
            f"{joined(relaxed)} move categories in fractions on their way. Where a plan ends "
            "between two categories nobody can carry it out: read its effort together with the "
            "broken rule. The written plan names the nearer category."
        )
    notes.append(
        "The worst case is that of the futures set on the left, whichever method made the plan; "
        f"only DiRRAc knows of them. “Decline later” counts {kind} models and promises "
        "nothing."
    )
    notes.append("Plans are shown as solved, before rounding to whole units.")
    return notes


def one_plan_words(rows: pd.DataFrame) -> list[str]:
    """Which variants of DiRRAc stand in one row."""
    return [
        f"One plan, one row: {'; '.join(variants)}."
        for variants in rows["variants"]
        if len(variants) > 1
    ]


def broken_words(broken: str) -> str:
    """The broken checks of a plan as text; "all kept" when there is none."""
    if not broken:
        return "✓ all kept"
    return "✗ broken: " + "; ".join(_check_words(name) for name in broken.split(", "))


def _check_words(name: str) -> str:
    """ "whole category: 3" → "no category is a mixture (3)"."""
    check, _, count = name.partition(": ")
    words = CHECKS.get(_KNOWN.get(check, check), check).rstrip(".")
    said = f"{words[0].lower()}{words[1:]}"
    return f"{said} ({count})" if count else said


_KNOWN = {"today's model accepts": "today's model"}


def headline(case: Case, rows: pd.DataFrame) -> str:
    """How many methods found a plan, and which of them win at what."""
    found = rows[rows["found"].astype(bool)]
    asked = len(rows)
    if found.empty:
        return f"None of the {asked} methods finds a plan under these conditions."
    whole = f"All {asked}" if len(found) == asked else f"{len(found)} of {asked}"
    return f"{whole} methods find a plan. {winners(case, found)}"


def winners(case: Case, rows: pd.DataFrame) -> str:
    """Who needs the least effort, lasts best and promises most, among plans that keep every rule.

    `rows` has one row per method, for one person or averaged over several.
    """
    fair = rows[(rows["keeps_rules"].astype(float) >= 1.0) & (rows["m1"].astype(float) >= 1.0)]
    unfair = len(rows) - len(fair)
    left_out = (
        f" {unfair} {'is' if unfair == 1 else 'are'} left out: a plan breaks a rule or today's "
        "model declines it."
        if unfair
        else ""
    )
    if fair.empty:
        return f"None of them keeps every rule and is accepted today.{left_out}"
    kind = wording.kind_of_models(case.bundle.future)
    costs = fair[f"cost_{case.scenario.cost}"].astype(float)
    later, worst = fair["m2"].astype(float), fair["worst_case"].astype(float)
    said = [
        f"Least effort: {_names(fair, costs, costs.min())} ({costs.min():.2f}).",
        f"Least declined later: {_names(fair, later, later.max())} "
        f"({100 * (1 - later.max()):.0f} of 100 {kind} models).",
    ]
    if worst.notna().any():
        said.append(
            f"Smallest worst case: {_names(fair, worst, worst.min())} "
            f"(at most {in_100(worst.min())} of 100 decline)."
        )
    return " ".join(said) + left_out


def _names(rows: pd.DataFrame, values: "pd.Series[float]", best: float) -> str:
    """Those who reach the best value, as far as it is printed; many of them as a number."""
    names = rows.loc[(values - best).abs() < SAME_AS_BEST, "method"].tolist()
    return joined(names) if len(names) <= MOST_NAMED else f"{len(names)} methods"
