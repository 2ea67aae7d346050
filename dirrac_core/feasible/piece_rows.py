"""What a piece hands to a cone program: its rows, and the part of them no budget changes."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.conic import ConeProgram, Parts

Places = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of one piece over the blocks "y", "e", ["cost"] and ("length", k).

    y are the free columns of x and e ≥ |y − y0| where the sign of the change is open.
    The cost is `cost` · v + `cost_constant`. ("length", k) stands for √(xᵀM_k x): one ‖x‖ for all
    in the paper's metric, otherwise one for each component; absent where r_k is always 0.
    `steps` are the changes of the free columns that the budget and their units allow.
    """

    program: ConeProgram
    cost: Parts
    cost_constant: float
    steps: Array


@dataclass(frozen=True, eq=False)
class FixedRows:
    """`Rows` without sizes, budget and limits of validity; `validity` are the rows of those."""

    program: ConeProgram
    cost: Parts
    cost_constant: float
    validity: Array
    open_sign: Places
