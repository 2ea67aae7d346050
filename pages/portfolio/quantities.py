"""What is known of every plan, in the words of axes and tables; shares count declines."""

from dirrac_core.case.case import Case
from dirrac_core.figures.portfolio import Quantity
from pages.shared import wording
from pages.shared.promise import word_for

EFFORT, PRICE, WORST, LATER = "cost", "price_of_robustness", "worst_case", "declined"
WITHOUT = "infeasible"


def quantities(case: Case) -> dict[str, Quantity]:
    """The measures of a plan by the column that holds them."""
    kind = wording.kind_of_models(case.bundle.future)
    known = {
        EFFORT: Quantity(EFFORT, f"effort (ℓ{case.scenario.cost[1]})"),
        WORST: Quantity(WORST, f"{worst_title(case)}, at most in 100", 100.0, 0, bound=True),
        LATER: Quantity(LATER, f"{kind} models that decline, in 100", 100.0, 0),
    }
    if case.surrogate is None:
        known[PRICE] = Quantity(PRICE, "price of robustness (effort)")
    return known


def group_measures(case: Case) -> dict[str, Quantity]:
    """What can be compared between groups, the most important first."""
    without = Quantity(WITHOUT, "without a plan, in 100", 100.0, 0)
    return {WITHOUT: without, **quantities(case)}


def worst_title(case: Case) -> str:
    """What the worst case of a plan is worth, in a few words."""
    if case.surrogate is not None:
        return "declined if the linear approximation holds"
    return "declined if Gaussian" if case.scenario.link == "gaussian" else "worst case"


def promise_name(case: Case) -> str:
    """What the promise may be called: “Guarantee” only where its track record bears it."""
    assumed = case.scenario.link == "gaussian" or case.surrogate is not None
    return "Assumption" if assumed else word_for(case.scenario)
