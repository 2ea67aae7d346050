"""What is loaded when: OR-tools before cvxpy, and nothing that takes long before it is needed."""

import subprocess
import sys

import pytest

SECOND = "from dirrac_core.loading import convex_programs, cp_sat\n"


def said(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_both_work_when_the_house_loads_them():
    code, words = said(
        SECOND + "cp = convex_programs()\n"
        "x = cp.Variable()\n"
        "assert cp.Problem(cp.Minimize(x), [x >= 2]).solve(solver=cp.CLARABEL) > 1.99\n"
        "assert cp_sat().CpModel() is not None"
    )
    assert code == 0, words


@pytest.mark.skipif(sys.platform != "linux", reason="the clash is one of shared object names")
def test_the_wrong_order_is_a_named_error():
    code, words = said("import highspy\n" + SECOND + "cp_sat()")
    assert code != 0 and "SolverFailure: OR-tools cannot be loaded after cvxpy" in words


def test_planning_alone_does_not_load_scikit_learn():
    """Every worker process and every command waits for what the core imports."""
    code, words = said("import sys, dirrac_core\nassert 'sklearn' not in sys.modules")
    assert code == 0, words
