"""Adam with a projection after each step: the optimiser the gradient methods were published with.

Kingma, Ba: Adam: A Method for Stochastic Optimization, ICLR 2015, with its default constants.
"""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from dirrac_core.arrays import Array

FIRST_DECAY = 0.9
SECOND_DECAY = 0.999
EPSILON = 1e-8


def adam_path(
    start: Array,
    gradient: Callable[[Array], Array],
    project: Callable[[Array], Array],
    learning_rate: float,
    steps: int,
    groups: Iterable[tuple[int, ...]] = (),
) -> Iterator[Array]:
    """The points after 1, 2, …, `steps` steps from `start`; read as many as are wanted.

    The columns of a one-hot group share one second moment, their average: scaling them apart
    would turn the step, and the projection on their simplex would then stop at a wrong point.
    """
    x = start
    members = [list(group) for group in groups]
    first, second = np.zeros_like(start), np.zeros_like(start)
    for step in range(1, steps + 1):
        g = gradient(x)
        square = g**2
        for group in members:
            square[group] = square[group].mean()
        first = FIRST_DECAY * first + (1.0 - FIRST_DECAY) * g
        second = SECOND_DECAY * second + (1.0 - SECOND_DECAY) * square
        mean = first / (1.0 - FIRST_DECAY**step)
        spread = np.sqrt(second / (1.0 - SECOND_DECAY**step))
        x = project(x - learning_rate * mean / (spread + EPSILON))
        yield x
