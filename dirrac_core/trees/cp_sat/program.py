"""The constraint program of one applicant, for OR-tools CP-SAT.

Per lever one literal per boundary between two choices ("the choice is at most k"), ordered; per
tree one literal per leaf that implies the answers on its path; per model one row over its leaves,
Σ v_ℓ·ℓ ≥ −(base − threshold), in force when the model's acceptance literal is true. Leaf values are
rounded down to 1/LEAF_SCALE, so a plan the program calls accepted is accepted by the real model.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data.schema.actions import LinearRule
from dirrac_core.loading import cp_sat
from dirrac_core.models.boosted.tree_model import TreeModel
from dirrac_core.trees.cp_sat.choices import Lever, Levers, costs_of
from dirrac_core.trees.cp_sat.reachable import Answer, ReachableLeaves
from dirrac_core.trees.problem import TreeProblem

LEAF_SCALE = 100_000
COST_SCALE = 10_000_000
ROW_SCALE = 1_000_000_000
# Margins are counted in steps of so much of the log-odds.
MARGIN_STEP = 0.5


@dataclass
class _Settings:
    """The variables of one lever: `chosen` per choice, `at_most` per boundary of a number."""

    lever: Lever
    chosen: list[Any] = field(default_factory=list)
    at_most: list[Any] = field(default_factory=list)
    step: Any | None = None
    cost: Any = 0


class Program:
    """The CP-SAT model of a problem; `accepts` holds one literal per re-training.

    A re-training accepts where its log-odds lie above the threshold by `margin` steps of
    MARGIN_STEP, a variable between the two ends given.
    """

    def __init__(
        self,
        problem: TreeProblem,
        levers: Levers,
        leaves: ReachableLeaves,
        margin: tuple[int, int] = (0, 0),
    ) -> None:
        cp_model = cp_sat()
        self._cp = cp_model
        self.model = cp_model.CpModel()
        self.problem = problem
        self.true = self.model.new_constant(1)
        self.levers = [self._lever(lever) for lever in levers.levers]
        self._leaves = leaves
        self._literals_of: dict[Answer, Any] = {}
        for rule in levers.tying:
            self.add_rule(rule)
        self._conditional()
        self.cost = sum((each.cost for each in self.levers), start=0)
        self._accept(problem.today, self.true, 0)
        self.margin = self.model.new_int_var(*margin, "margin")
        self.accepts = [self.model.new_bool_var(f"a{i}") for i in range(len(problem.retrainings))]
        for literal, model in zip(self.accepts, problem.retrainings, strict=True):
            self._accept(model, literal, self.margin)

    # --- levers -------------------------------------------------------------------------------

    def _lever(self, lever: Lever) -> _Settings:
        model, count = self.model, len(lever.choices)
        costs = [round(choice.cost * COST_SCALE) for choice in lever.choices]
        each = _Settings(lever)
        if lever.feature.is_categorical:
            chosen = self._literals(each)
            each.cost = sum(c * literal for c, literal in zip(costs, chosen, strict=True))
            return each
        at_most = [model.new_bool_var(f"{lever.feature.name}<={i}") for i in range(count - 1)]
        for lower, higher in zip(at_most, at_most[1:], strict=False):
            model.add_implication(lower, higher)
        each.at_most = at_most
        if lever.tied:
            self._add_steps(each, costs)
        else:
            each.cost = costs[-1] + sum(
                (costs[k] - costs[k + 1]) * literal for k, literal in enumerate(at_most)
            )
        return each

    def _add_steps(self, each: _Settings, costs: list[int]) -> None:
        """A step counter within the chosen cell, and its cost; cells of ℓ2 are single values."""
        model, lever, chosen = self.model, each.lever, self._literals(each)
        longest = max(choice.steps for choice in lever.choices)
        each.step = step = model.new_int_var(0, longest, f"{lever.feature.name} step")
        rows = [row for c in lever.choices for row in (c.columns, c.last) if row is not None]
        dearest = costs_of(self.problem, lever.columns, np.array(rows)).max()
        each.cost = cost = model.new_int_var(0, round(float(dearest) * COST_SCALE) + 1, "cost")
        ends = list(lever.columns)
        weights = self.problem.bounds.weights[ends]
        for literal, choice, fixed in zip(chosen, lever.choices, costs, strict=True):
            model.add(step <= choice.steps).only_enforce_if(literal)
            if choice.last is None or not choice.steps:
                model.add(cost == fixed).only_enforce_if(literal)
                continue
            slope = (choice.last - choice.columns) / choice.steps
            # One cell may hold values on both sides of the applicant: one row per side.
            for sign in (1.0, -1.0):
                change = sign * weights * (choice.columns - self.problem.x0[ends])
                grow = sign * weights * slope
                row = round(change.sum() * COST_SCALE) + round(grow.sum() * COST_SCALE) * step
                model.add(cost >= row).only_enforce_if(literal)

    # --- rules --------------------------------------------------------------------------------

    def add_rule(self, rule: LinearRule) -> None:
        """low ≤ coefficients·x ≤ high over several levers; rounding makes it a little stricter."""
        terms: list[Any] = []
        error, fixed = 0.0, 0.0
        size = float(np.abs(rule.coefficients).max())
        moving = {c for each in self.levers for c in each.lever.columns}
        for c in np.flatnonzero(rule.coefficients):
            if int(c) not in moving:
                fixed += float(rule.coefficients[c] / size * self.problem.x0[c])
        for each in self.levers:
            ends = list(each.lever.columns)
            weights = rule.coefficients[ends] / size
            if not weights.any():
                continue
            row, missed = self._linear(each, weights)
            terms.append(row)
            error += missed
        total = sum(terms)
        if np.isfinite(rule.high):
            self.model.add(total <= math.floor((rule.high / size - fixed) * ROW_SCALE - error))
        if np.isfinite(rule.low):
            self.model.add(total >= math.ceil((rule.low / size - fixed) * ROW_SCALE + error))

    def _linear(self, each: _Settings, weights: Array) -> tuple[Any, float]:
        """weights·x of a lever's columns times ROW_SCALE, and how far rounding may be off."""
        choices = each.lever.choices
        levels = [round(float(weights @ choice.columns) * ROW_SCALE) for choice in choices]
        literals = self._literals(each)
        row = sum(level * literal for level, literal in zip(levels, literals, strict=True))
        if each.step is None:
            return row, 1.0
        # Within a cell every step adds the same; products of a literal and the counter are tables.
        pieces, longest = [], 0
        for literal, choice in zip(literals, choices, strict=True):
            if choice.last is None or not choice.steps:
                continue
            grow = round(float(weights @ (choice.last - choice.columns)) / choice.steps * ROW_SCALE)
            low, high = sorted((0, grow * choice.steps))
            piece = self.model.new_int_var(low, high, "piece")
            self.model.add(piece == grow * each.step).only_enforce_if(literal)
            self.model.add(piece == 0).only_enforce_if(~literal)
            pieces.append(piece)
            longest = max(longest, choice.steps)
        return row + sum(pieces), 1.0 + longest

    def _literals(self, each: _Settings) -> list[Any]:
        """One literal per choice; a number has only boundaries until they are asked for."""
        if not each.chosen:
            name, count = each.lever.feature.name, len(each.lever.choices)
            each.chosen = [self.model.new_bool_var(f"{name}={i}") for i in range(count)]
            self.model.add_exactly_one(each.chosen)
            for k, literal in enumerate(each.at_most):
                self.model.add(sum(each.chosen[: k + 1]) == literal)
        return each.chosen

    def changes(self) -> Any:
        """How many levers are not left as they are."""
        kept = [
            self._literals(each)[each.lever.own]
            for each in self.levers
            if each.lever.own is not None
        ]
        return len(self.levers) - sum(kept)

    def _conditional(self) -> None:
        """A category that limits a number forbids the choices outside its limits."""
        problem = self.problem
        place = {c: i for i, each in enumerate(self.levers) for c in each.lever.columns}
        for rule in problem.actions.conditional:
            low, high = problem.bounds.in_force(rule, problem.x0, 1.0)
            literal = self._category_literal(rule.category, place)
            if rule.column not in place:
                if not low - 1e-6 <= problem.x0[rule.column] <= high + 1e-6:
                    self.model.add(literal == 0)
                continue
            each = self.levers[place[rule.column]]
            inside = each.lever.columns.index(rule.column)
            for choice, picked in zip(each.lever.choices, self._literals(each), strict=True):
                if not low - 1e-9 <= choice.columns[inside] <= high + 1e-9:
                    self.model.add_implication(literal, ~picked)

    def _category_literal(self, column: int, place: dict[int, int]) -> Any:
        if column not in place:
            return self.true if self.problem.x0[column] == 1.0 else ~self.true
        each = self.levers[place[column]]
        wanted = each.lever.columns.index(column)
        for choice, literal in zip(each.lever.choices, each.chosen, strict=True):
            if choice.columns[wanted] == 1.0:
                return literal
        return ~self.true

    # --- trees --------------------------------------------------------------------------------

    def _literal(self, answer: Answer) -> Any:
        """A literal that is true exactly for the choices in the answer's mask."""
        opposite = Answer(answer.lever, self._leaves.everything(answer.lever) & ~answer.mask)
        if opposite in self._literals_of:
            return ~self._literals_of[opposite]
        if answer not in self._literals_of:
            self._literals_of[answer] = self._new_literal(self.levers[answer.lever], answer.mask)
        return self._literals_of[answer]

    def _new_literal(self, each: _Settings, mask: int) -> Any:
        chosen = [bool(mask >> k & 1) for k in range(len(each.lever.choices))]
        turns = [k for k in range(len(chosen) - 1) if chosen[k] != chosen[k + 1]]
        if each.at_most and len(turns) == 1:
            boundary = each.at_most[turns[0]]
            return boundary if chosen[0] else ~boundary
        literals = self._literals(each)
        wanted = [literal for literal, goes in zip(literals, chosen, strict=True) if goes]
        if len(wanted) == 1:
            return wanted[0]
        if len(wanted) == len(literals) - 1:
            return ~next(lit for lit, goes in zip(literals, chosen, strict=True) if not goes)
        answer = self.model.new_bool_var("left")
        self.model.add(sum(wanted) == answer)
        return answer

    def _accept(self, model: TreeModel, accepted: Any, margin: Any) -> None:
        """Σ leaf ≥ threshold + margin − base in parts of 1/LEAF_SCALE, while `accepted` is true."""
        constant = math.floor((model.base - model.threshold) * LEAF_SCALE)
        terms: dict[int, tuple[Any, int]] = {}

        def add(literal: Any, weight: int) -> None:
            index = literal.index
            before = terms[index][1] if index in terms else 0
            terms[index] = (literal, before + weight)

        for reached in self._leaves.of(model):
            leaves = [(math.floor(leaf.value * LEAF_SCALE), leaf.path) for leaf in reached]
            least = min(value for value, _ in leaves)
            constant += least
            if len(leaves) == 2 and all(len(path) == 1 for _, path in leaves):
                for value, path in leaves:
                    if value > least:
                        add(self._literal(path[0]), value - least)
                continue
            literals = []
            for value, path in leaves:
                literal = self.model.new_bool_var("leaf")
                literals.append(literal)
                for said in path:
                    self.model.add_implication(literal, self._literal(said))
                if value > least:
                    add(literal, value - least)
            self.model.add_exactly_one(literals)
        row = sum(weight * literal for literal, weight in terms.values())
        above = round(MARGIN_STEP * LEAF_SCALE) * margin
        self.model.add(row - above >= -constant).only_enforce_if(accepted)

    # --- answers ------------------------------------------------------------------------------

    def point(self, value: Any) -> Array:
        """The plan (D,) that a solution stands for; `value` reads a variable."""
        x = self.problem.x0.copy()
        for each in self.levers:
            choice = each.lever.choices[self._chosen(each, value)]
            columns = choice.columns
            if each.step is not None and choice.last is not None and choice.steps:
                share = int(value(each.step)) / choice.steps
                columns = choice.columns + share * (choice.last - choice.columns)
                columns[0] = _on_step(each.lever, float(columns[0]))
            x[list(each.lever.columns)] = columns
        return x

    def _chosen(self, each: _Settings, value: Any) -> int:
        if each.at_most:
            return sum(1 - int(value(literal)) for literal in each.at_most)
        if not each.chosen:
            return 0
        return next(i for i, literal in enumerate(each.chosen) if value(literal))


def _on_step(lever: Lever, value: float) -> float:
    """A number within a cell exactly as its real units encode it."""
    feature = lever.feature
    steps = round(feature.real(value) / feature.step)
    return feature.scaled(round(steps * feature.step, 10))
