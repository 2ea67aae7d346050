"""A plan of boosted trees as tables."""

import pandas as pd

from dirrac_core.arrays import Array
from dirrac_core.case.nonlinear.trees import TreeCase
from dirrac_core.models.reasons import Contribution


def before_after(case: TreeCase, x: Array) -> pd.DataFrame:
    """Every feature now and in the plan, the changed ones first, and what follows from them."""
    schema = case.dataset.schema
    now, then = schema.decode(case.x0), schema.decode(x)
    changed = {change.feature for change in schema.describe_change(case.x0, x)}
    rows = [
        {
            "Feature": feature.name,
            "Now": feature.format_value(now[feature.name]),
            "Plan": feature.format_value(then[feature.name]) if feature.name in changed else "same",
        }
        for feature in sorted(schema.features, key=lambda f: f.name not in changed)
    ]
    return pd.DataFrame(rows).set_index("Feature")


def reason_table(pulls: tuple[Contribution, ...]) -> pd.DataFrame:
    """The part of each feature in the log-odds, the strongest pull to a decline first."""
    return pd.DataFrame(
        [
            {
                "Feature": pull.feature,
                "Applicant": pull.shown_value,
                "Typical": pull.shown_typical,
                "Part of the log-odds": f"{pull.contribution:+.2f}",
            }
            for pull in pulls
        ]
    ).set_index("Feature")
