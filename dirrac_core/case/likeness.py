"""What is said where the limit of what is usual gave way for an applicant."""

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.data.plausibility import real_people
from dirrac_core.wording import out_of


def widened_words(case: Case, x: Array) -> str:
    """How much wider the limit is, and how many real people are as unusual as the plan x (D,).

    Empty where the limit did not give way.
    """
    people, share = case.actions.plausible, case.scenario.plausibility
    if people is None or share is None or people.widened == 1.0:
        return ""
    shape = real_people(case.dataset, share).shape_of(x[:-1])
    narrow = people.factor[:, case.dataset.schema.number_columns]
    distances = np.linalg.norm((shape.numbers - shape.mean) @ narrow.T, axis=1)
    count = int((distances >= people.distance(x)).sum())
    counted = "none" if count == 0 else f"{count:,}"
    return (
        f"No plan as usual as {out_of(1.0 - share)} real people lasts well enough, so the limit is "
        f"{people.widened:.1f} times as wide here: {counted} of the {len(distances):,} real people "
        f"of this kind with “{case.dataset.favourable}” are as unusual as this plan."
    )
