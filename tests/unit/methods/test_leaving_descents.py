"""A descent that solves no cone program can be left between two of its steps."""

import numpy as np
import pytest

from dirrac_core import Actions
from dirrac_core.methods import RoarPublished
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.progress import looking_up


class Left(Exception):
    """Somebody waits."""


def test_published_roar_is_left_between_two_steps():
    method = RoarPublished(LinearModel(np.array([1.0, 2.0, -4.0])))
    actions = Actions(lower=[0.0, 0.0], upper=[3.0, 3.0])
    looks = []

    def third_raises():
        looks.append(None)
        if len(looks) == 3:
            raise Left

    with pytest.raises(Left), looking_up(third_raises):
        method.recourse([0.1, 0.1, 1.0], actions)
    assert len(looks) == 3
