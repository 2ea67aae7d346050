"""The acceptance regions of boosted trees in two numbers of one's choice."""

import streamlit as st

from dirrac_core.arrays import Array
from dirrac_core.case.trees_case import TreeCase
from dirrac_core.figures.plane.tree_regions import draw_tree_regions
from dirrac_core.trees.regions import acceptance_regions
from pages.shared.pictures import draw_picture, theme


def show_regions(case: TreeCase, x: Array | None) -> None:
    """Two choices and the picture; all other features are those of the plan, or the applicant's."""
    schema = case.dataset.schema
    numbers = [feature.name for feature in schema.features if not feature.is_categorical]
    if len(numbers) < 2:
        st.markdown("A plane needs two numbers; this table has fewer.")
        return
    at = case.x0 if x is None else x
    moved = [c.feature for c in schema.describe_change(case.x0, at) if c.feature in numbers]
    start = [*moved, *(name for name in numbers if name not in moved)]
    left, right = st.columns(2)
    first = left.selectbox("Across", numbers, numbers.index(start[0]), key="tree across")
    others = [name for name in numbers if name != first]
    usual = start[1] if start[1] in others else start[0]
    second = right.selectbox("Up", others, others.index(usual), key=f"tree up {first}")
    regions = acceptance_regions(case.problem, (first, second), at)
    now, then = schema.decode(case.x0), schema.decode(at)
    figure = draw_tree_regions(
        regions,
        (float(now[first]), float(now[second])),
        None if x is None else (float(then[first]), float(then[second])),
        theme(),
    )
    draw_picture(figure, "tree regions")
    st.caption(
        "Exact: within a cell no model changes its answer. Dots mark the cells today’s model "
        "accepts. All other features are those of the plan."
    )
