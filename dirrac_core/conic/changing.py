"""A cone program solved again and again for other inequalities of the same shape."""

from dirrac_core.arrays import Array
from dirrac_core.conic.program import ConeProgram, rescale
from dirrac_core.conic.solver import ConeSolution, ConeSolver


class ChangingRows:
    """A program and its last inequalities, which change from solve to solve.

    Everything else is stacked, scaled and handed to the backend once. The answers are those of a
    program made from scratch, to the last digit.
    """

    def __init__(self, program: ConeProgram) -> None:
        self._program = program
        self._solver: ConeSolver | None = None

    def minimise(self, q: Array, rows: Array, limits: Array) -> ConeSolution:
        """Solve with the objective q and with rows · v ≤ limits besides what the program says."""
        if self._solver is None:
            self._solver = self._started(rows, limits)
        else:
            self._rewrite(self._solver, rows, limits)
        return self._solver.minimise(q)

    def _started(self, rows: Array, limits: Array) -> ConeSolver:
        program = self._program.copy()
        program.at_most(rows, limits)
        matrix, offset = program.stacked()
        self._place = program.last_inequalities(len(limits))
        self._unscaled = matrix.copy()
        self._size, self._origin = program.size, program.origin
        return program.solver_of(matrix, offset)

    def _rewrite(self, solver: ConeSolver, rows: Array, limits: Array) -> None:
        self._unscaled[self._place] = rows
        # The whole product: that of these rows alone may end in another digit.
        offset = limits - (self._unscaled @ self._origin)[self._place]
        scaled = rows.copy()
        rescale(scaled, offset, self._size)
        solver.rewrite(self._place, scaled, offset)
