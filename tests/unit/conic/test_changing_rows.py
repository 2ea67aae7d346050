"""Rows that change from solve to solve: the answers of a program made from scratch."""

import numpy as np
import pytest
from scipy import sparse

from dirrac_core.conic import INFEASIBLE, ChangingRows, ConeProgram
from dirrac_core.conic.solver import ConeSolver

COLUMNS = 6


def fixed_part(rng):
    """A box around a point, an equality and a ball, over blocks of very different sizes."""
    program = ConeProgram()
    origin = rng.normal(size=4)
    program.add("y", 4, [1.0, 10.0, 0.1, 1e-3], origin)
    program.add("t", 2, 5.0)
    program.at_most({"y": np.eye(4)}, origin + 1.0)
    program.at_most({"y": -np.eye(4)}, 1.0 - origin)
    program.equal({"y": rng.normal(size=4), "t": [1.0, 0.0]}, rng.normal())
    program.norm({"y": rng.normal(size=(3, 4))}, np.zeros(3), {"t": [0.0, 1.0]}, 3.0)
    program.norm({"t": np.eye(2)}, np.zeros(2), {}, 20.0)
    return program


def from_scratch(program, q, rows, limits):
    whole = program.copy()
    whole.at_most(rows, limits)
    return whole.solver().minimise(q)


def same(one, other):
    assert one.status == other.status
    assert one.v.tolist() == other.v.tolist()
    for name in ("value", "bound", "residual", "reach"):
        assert repr(getattr(one, name)) == repr(getattr(other, name))


@pytest.mark.parametrize("seed", range(8))
def test_changed_rows_give_the_digits_of_a_new_program(seed):
    rng = np.random.default_rng(seed)
    program = fixed_part(rng)
    q = program.row({"y": rng.normal(size=4), "t": [0.1, 0.2]})
    changing = ChangingRows(program)
    for size in (1.0, 100.0, 1e-3, 1.0):
        rows = size * rng.normal(size=(3, COLUMNS))
        limits = rows[:, :4] @ program.origin[:4] + size
        same(changing.minimise(q, rows, limits), from_scratch(program, q, rows, limits))


def test_entries_in_other_places_and_no_point_at_all():
    rng = np.random.default_rng(5)
    program = fixed_part(rng)
    q = program.row({"t": [0.0, 1.0]})
    changing = ChangingRows(program)
    full, limits = rng.normal(size=(2, COLUMNS)), np.array([30.0, 30.0])
    sparser = full * [[1.0, 0.0, 1.0, 0.0, 1.0, 1.0], [0.0] * 6]
    beyond = np.array([[0.0] * 5 + [1.0], [0.0] * 5 + [-1.0]])
    for rows, b in ((full, limits), (sparser, limits), (full, limits), (beyond, [1.0, -2.0])):
        found = changing.minimise(q, rows, np.array(b))
        same(found, from_scratch(program, q, rows, np.array(b)))
    assert found.status == INFEASIBLE
    same(changing.minimise(q, full, limits), from_scratch(program, q, full, limits))


def test_what_is_given_stays_as_it_is():
    rng = np.random.default_rng(6)
    program = fixed_part(rng)
    rows, limits = rng.normal(size=(2, COLUMNS)), np.array([30.0, 30.0])
    rows.flags.writeable = limits.flags.writeable = False
    changing, q = ChangingRows(program), program.row({"t": [0.0, 1.0]})
    first = changing.minimise(q, rows, limits)
    same(changing.minimise(q, rows, limits), first)
    same(program.solver().minimise(q), fixed_part(np.random.default_rng(6)).solver().minimise(q))


@pytest.mark.parametrize("seed", range(5))
def test_a_product_with_the_transposed_matrix_is_that_of_a_sparse_matrix(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(60, 17)) * (rng.random((60, 17)) < 0.5)
    matrix[:, 3] = 0.0
    solver = ConeSolver(matrix.copy(), np.ones(60), [], None, np.ones(17), np.zeros(17))
    z = rng.normal(size=60)
    assert solver._pulled(z).tolist() == (sparse.csc_array(matrix).T @ z).tolist()
