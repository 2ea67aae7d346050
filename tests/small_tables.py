"""A small table of people, as a visitor might upload it."""

import numpy as np
import pandas as pd

ROWS = 60


def people(**more):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 80, ROWS),
            "job": rng.choice(["clerk", "nurse", "other"], ROWS),
            "paid": rng.choice(["yes", "no"], ROWS),
            **more,
        }
    )


def csv(frame, **more):
    return frame.to_csv(index=False, **more).encode()
