"""What real people look like, as a convex set a plan may be asked to stay in."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, checked_number, frozen_array
from dirrac_core.errors import InvalidActions

LIKE_REAL_PEOPLE = "like real people"


@dataclass(frozen=True, eq=False)
class PlausibleSet:
    """{x : lower ≤ x ≤ upper, ‖F(x − c)‖₂ ≤ size} over the D − 1 feature columns.

    `factor` F is (m, D − 1), with zeros in the columns the ellipsoid says nothing of; `centre` is
    c. ±inf in `lower` and `upper` means no range. `widened` is the factor by which the size was
    multiplied because no plan within the requested limits promises enough (1: it was not).
    """

    lower: Array
    upper: Array
    factor: Array
    centre: Array
    size: float
    widened: float

    def __init__(
        self,
        lower: npt.ArrayLike,
        upper: npt.ArrayLike,
        factor: npt.ArrayLike,
        centre: npt.ArrayLike,
        size: float,
        widened: float = 1.0,
    ) -> None:
        c = frozen_array("The centre of real people", centre, (None,), error=InvalidActions)
        ends = {
            name: frozen_array(
                f"The {name} ends", value, c.shape, error=InvalidActions, finite=False
            )
            for name, value in (("lower", lower), ("upper", upper))
        }
        crossed = np.flatnonzero(ends["lower"] > ends["upper"])
        if crossed.size:
            column = int(crossed[0])
            message = (
                "The range of real people needs lower ≤ upper, got "
                f"{ends['lower'][column]:g} > {ends['upper'][column]:g} in column {column}"
            )
            raise InvalidActions(message)
        set_field = object.__setattr__
        set_field(self, "lower", ends["lower"])
        set_field(self, "upper", ends["upper"])
        shape = (None, c.size)
        set_field(self, "factor", frozen_array("The factor", factor, shape, error=InvalidActions))
        set_field(self, "centre", c)
        name = "The size of the ellipsoid"
        set_field(
            self, "size", checked_number(name, size, low=0.0, strict=True, error=InvalidActions)
        )
        name = "The factor on the size"
        set_field(self, "widened", checked_number(name, widened, low=1.0, error=InvalidActions))

    def widened_by(self, factor: float) -> "PlausibleSet":
        """The same ranges with an ellipsoid that is `factor` times as large."""
        return PlausibleSet(
            self.lower,
            self.upper,
            self.factor,
            self.centre,
            factor * self.size,
            factor * self.widened,
        )

    def distance(self, x: Array) -> float:
        """‖F(x − c)‖₂ of one person, with or without the trailing constant."""
        return float(np.linalg.norm(self.factor @ (x[: self.centre.size] - self.centre)))
