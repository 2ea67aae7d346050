"""Both links as curves of the robust score: what a picture needs in which a point can be moved."""

from typing import Any

import numpy as np

from dirrac_core.figures.drawing.lines import series_style
from dirrac_core.robustness import LINKS
from dirrac_core.wording import at_most

MOST_SCORE, STEPS = 6.0, 120
LINK_NAMES = {"chebyshev": "any distribution, 1/(1+a²)", "gaussian": "Gaussian, Φ(−a)"}


def link_table(a: float) -> dict[str, Any]:
    """The curves at every place the point can take, with what is said there.

    `places` are scores from 0 to beyond `a`, and `a` itself, which is the one at `start`; a score
    that is negative or not finite starts at the end it lies beyond.
    """
    most = max(MOST_SCORE, float(np.ceil(1.1 * a))) if np.isfinite(a) else MOST_SCORE
    here = float(np.clip(a, 0.0, most))
    places = np.union1d(np.linspace(0.0, most, STEPS + 1), [here])
    curves = {link: LINKS[link].probability(places) for link in LINK_NAMES}
    return {
        "most": most,
        "places": places.tolist(),
        "start": int(np.searchsorted(places, here)),
        "curves": [
            {
                "name": LINK_NAMES[link],
                "values": (100.0 * values).tolist(),
                "colour": series_style(place)["line"]["color"],
                "dashed": place > 0,
            }
            for place, (link, values) in enumerate(curves.items())
        ],
        "said": [
            f"a = {score:.3g}: {at_most(float(worst))} decline, {at_most(float(bell))} if Gaussian"
            for score, worst, bell in zip(places, *curves.values(), strict=True)
        ],
    }
