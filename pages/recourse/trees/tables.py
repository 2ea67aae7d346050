"""A plan of boosted trees as tables."""

import pandas as pd

from dirrac_core.models.reasons import Contribution


def reason_table(pulls: tuple[Contribution, ...]) -> pd.DataFrame:
    """The part of each feature in the log-odds, the strongest pull to a decline first."""
    return pd.DataFrame(
        [
            {
                "Feature": pull.feature,
                "Applicant": pull.shown_value,
                "Typical": pull.shown_typical,
                "Part of the log-odds": f"{pull.contribution:+.2f}".replace("-", "−"),
            }
            for pull in pulls
        ]
    ).set_index("Feature")
