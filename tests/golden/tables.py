"""Small tables of a portfolio that several pictures are drawn from."""

import numpy as np
import pandas as pd

from dirrac_core.figures.portfolio import Quantity

PEOPLE = pd.DataFrame(
    {
        "row": [3, 5, 8, 9],
        "found": [True, True, True, False],
        "cost": [0.5, 1.0, 2.5, np.nan],
        "worst_case": [0.101, 0.2, 0.3, 1.0],
    }
)
GROUPS = pd.DataFrame(
    {
        "group": ["a <b>", "c"],
        "n": [50, 3],
        "cost": [1.0, 2.0],
        "cost_low": [0.8, np.nan],
        "cost_high": [1.3, np.nan],
    }
)
EFFORT = Quantity("cost", "effort")
WORST = Quantity("worst_case", "worst case, in 100", 100.0, 0, bound=True)
