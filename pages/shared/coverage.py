"""Where the models after the shift lie, and what of that distance is no shift at all."""

import math

from dirrac_core.case.case import Case
from dirrac_core.case.distance import distance_split
from dirrac_core.case.outlook import Outlook
from dirrac_core.figures.drawing.palette import component_name
from pages.shared.plain_text import plain

UNITS = {"weights": "in model weights", "deviations": "standard deviations of a re-training"}


def describe_coverage(case: Case, outlook: Outlook) -> str:
    """The distance of the later models in two parts, and what the balls have to do with it."""
    parts = (_distance(case), _balls(case, outlook))
    return "\n\n".join(part for part in parts if part)


def _distance(case: Case) -> str:
    split = distance_split(case.bundle, case.scenario.radius_unit)
    if split is None:
        return ""
    unit = UNITS[split.metric]
    return (
        f"- **Training size: {_far(split.training_size)}.** Models of today's people when they are "
        f"trained like the later ones, on {split.people:,} people: nothing has shifted there.\n"
        f"- **Shift: {_far(split.shift)}**, from those to the {_kind(case)}.\n"
        f"- **Together: {_far(split.total)}** from what re-trainings of today's people lead to.\n\n"
        f"Mean and scatter, {unit}; the parts need not add up."
    )


def _balls(case: Case, outlook: Outlook) -> str:
    reality, total = outlook.reality, len(outlook.shifted)
    count = {0: "None", total: "All"}.get(reality.inside, f"{reality.inside}")
    nearest = plain(component_name(reality.nearest, outlook.names))
    words = (
        f"**{count} of the {total} {_kind(case)}** {'lies' if reality.inside < 2 else 'lie'} "
        f"within ρ of a component's mean; as a group they are {_far(reality.group_distance)} from "
        f"“{nearest}”, the nearest, whose ρ is {reality.radii[reality.nearest]:g}. "
    )
    if reality.group_inside:
        return words + "They lie inside its ball, so every promise covers them."
    words += (
        "The ball need not contain them: for a plan only the direction counts in which it is "
        "judged."
    )
    if outlook.undeclared is not None and case.scenario.shifts:
        before = outlook.undeclared.group_distance
        words += f" Without any story they would be {_far(before)} away."
    return words


def _kind(case: Case) -> str:
    simulated = case.bundle.future.simulated
    return "simulated future models" if simulated else "models trained after the shift"


def _far(distance: float) -> str:
    return f"{distance:.2f}" if math.isfinite(distance) else "infinitely far"
