"""The leaves of trees that one applicant can reach, whatever they choose.

Questions about locked features are answered once and for all, and so are those that an earlier
question on the way to a leaf settles. Every program of an applicant asks the same trees, so the
leaves are kept.
"""

from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.models.boosted.tree_model import LEAF, Nodes, TreeModel
from dirrac_core.trees.cp_sat.choices import Levers
from dirrac_core.trees.problem import TreeProblem


@dataclass(frozen=True)
class Answer:
    """“The choice of this lever is one of those in `mask`”, bit k for choice k."""

    lever: int
    mask: int


@dataclass(frozen=True)
class Leaf:
    """What a leaf adds to the log-odds, and the answers that lead to it."""

    value: float
    path: tuple[Answer, ...]


class ReachableLeaves:
    """The reachable leaves of each tree of each model, for one problem and its levers."""

    def __init__(self, problem: TreeProblem, levers: Levers) -> None:
        self._own = problem.view.inputs(problem.x0[None, :-1])[0]
        self._inputs: list[Array] = []
        for lever in levers.levers:
            people = np.tile(problem.x0[:-1], (len(lever.choices), 1))
            people[:, list(lever.columns)] = [choice.columns for choice in lever.choices]
            self._inputs.append(problem.view.inputs(people))
        # Model column → the lever that decides it; one one-hot column stands for its whole group.
        owner = {c: i for i, lever in enumerate(levers.levers) for c in lever.columns}
        self._lever = {m: owner[c] for m, c in enumerate(problem.view.driver) if c in owner}
        self._all = [(1 << len(lever.choices)) - 1 for lever in levers.levers]
        self._left: dict[tuple[int, float, bool, frozenset[int] | None], int] = {}
        self._kept: dict[int, tuple[TreeModel, list[list[Leaf]]]] = {}

    def of(self, model: TreeModel) -> list[list[Leaf]]:
        """The leaves per tree; the same trees at another threshold have the same leaves."""
        key = id(model.trees)
        if key not in self._kept:
            # The model is kept beside its leaves, so nothing else can take over its identity.
            self._kept[key] = model, [self._walk(tree, 0, {}, ()) for tree in model.trees]
        return self._kept[key][1]

    def everything(self, lever: int) -> int:
        """The mask of all choices of a lever."""
        return self._all[lever]

    def _walk(
        self, tree: Nodes, node: int, open_to: dict[int, int], path: tuple[Answer, ...]
    ) -> list[Leaf]:
        """`open_to` holds which choices of a lever the questions so far leave open."""
        column = int(tree.feature[node])
        if column == LEAF:
            return [Leaf(float(tree.value[node]), path)]
        children = int(tree.left[node]), int(tree.right[node])
        if column not in self._lever:
            goes_left = tree.goes_left(node, float(self._own[column]))
            return self._walk(tree, children[0 if goes_left else 1], open_to, path)
        lever = self._lever[column]
        left, still = self._mask(tree, node), open_to.get(lever, self._all[lever])
        sides = left, self._all[lever] & ~left
        reached = [
            (child, mask) for child, mask in zip(children, sides, strict=True) if mask & still
        ]
        if len(reached) == 1:
            return self._walk(tree, reached[0][0], open_to, path)
        return [
            leaf
            for child, mask in reached
            for leaf in self._walk(
                tree, child, {**open_to, lever: still & mask}, (*path, Answer(lever, mask))
            )
        ]

    def _mask(self, tree: Nodes, node: int) -> int:
        """The choices that go left at a node."""
        column = int(tree.feature[node])
        asked = (
            column,
            float(tree.threshold[node]),
            bool(tree.missing_left[node]),
            tree.categories.get(node),
        )
        if asked not in self._left:
            values = self._inputs[self._lever[column]][:, column]
            self._left[asked] = sum(
                1 << k for k, value in enumerate(values) if tree.goes_left(node, float(value))
            )
        return self._left[asked]
