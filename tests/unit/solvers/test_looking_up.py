"""Work in a thread can be left between two cone programs, and begun again as if nothing were."""

from threading import Thread

import numpy as np
import pytest

from dirrac_core.case.case import make_case, solve
from dirrac_core.case.scenario import Scenario
from dirrac_core.progress import look_up, looking_up

SCENARIO = Scenario(dataset="synthetic", applicant=1)


class Left(BaseException):
    """As Streamlit's own: no handler of errors stops it."""


def test_a_solve_is_left_and_gives_the_same_plan_afterwards():
    case, looks = make_case(SCENARIO), []

    def leave_at_the_third():
        looks.append(None)
        if len(looks) == 3:
            raise Left

    with pytest.raises(Left), looking_up(leave_at_the_third):
        solve(case)
    assert len(looks) == 3
    again = solve(case)
    assert len(looks) == 3
    assert np.array_equal(again.plan.x, solve(make_case(SCENARIO)).plan.x)


def test_only_the_thread_that_asked_looks_up():
    looks = []
    with looking_up(lambda: looks.append("outer")):
        with looking_up(lambda: looks.append("inner")):
            look_up()
        look_up()
        other = Thread(target=look_up)
        other.start()
        other.join()
    look_up()
    assert looks == ["inner", "outer"]
