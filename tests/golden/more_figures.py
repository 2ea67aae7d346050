"""Figures of lessons, records, trees and methods, and the small pictures, from inputs made here."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from dirrac_core.figures.lessons.claims import certificate_lines, effort_lines
from dirrac_core.figures.lessons.dumbbells import dumbbells
from dirrac_core.figures.lessons.links import link_table
from dirrac_core.figures.lessons.teaching import descent, dual_line, score_line, two_points
from dirrac_core.figures.methods.points import method_points
from dirrac_core.figures.plane.settings_map import settings_map_figure
from dirrac_core.figures.plane.tree_regions import draw_tree_regions
from dirrac_core.figures.print_svg import groups_svg, promises_svg
from dirrac_core.figures.reliability import COLUMNS, reliability_diagram
from dirrac_core.figures.small.bars import Bars, small_bars
from dirrac_core.figures.small.steps import small_steps
from dirrac_core.figures.tree_frontier import draw_tree_frontier
from dirrac_core.geometry.settings_map import NO_PLAN, SettingsMap
from dirrac_core.robustness.demonstrations import dual_curve, two_point_law
from dirrac_core.studies.quick_frontier import Point
from dirrac_core.trees.frontier import FrontierPoint
from dirrac_core.trees.regions import Regions
from tests.golden.tables import EFFORT, GROUPS, PEOPLE, WORST

Draw = Callable[[str], Any]


def lessons() -> dict[str, Draw]:
    """Figures of the teaching pages and of the track record."""
    certificates = pd.DataFrame(
        {
            "asked": [0.03, 0.003, 0.0003],
            "gap": [0.02, 0.002, 0.0003],
            "value": [0.33, 0.32, 0.32],
            "lower_bound": [0.31, 0.318, 0.3197],
            "solves": [4, 9, 21],
        }
    )
    radii = np.linspace(0.0, 0.4, 9)
    effort = pd.DataFrame({"rho": radii, "effort": [*(1.0 / (0.45 - radii[:-1])), np.inf]})
    compared = pd.DataFrame(
        {"Paper": [99.0, 94.0], "Ours": [80.0, np.nan]}, index=["DiRRAc", "ROAR"]
    )
    record = pd.DataFrame(
        [(20, 0.1, 0.05, 0.02, 0.12, 1), (5, 0.6, 0.7, 0.4, 0.9, 4)], columns=list(COLUMNS)
    )
    curve = dual_curve("kl", [0.2, 0.3, 0.5], [0.1, 0.4, 0.2], 0.1)
    assert curve is not None
    return {
        "certificate_lines": lambda t: certificate_lines(certificates, t),
        "effort_lines": lambda t: effort_lines(effort, 0.1, 2.5, t),
        "effort_lines beyond": lambda t: effort_lines(effort, 0.5, np.inf, t),
        "dumbbells": lambda t: dumbbells(compared, "M2", t),
        "score_line": lambda t: score_line(1.2, 0.4, 0.3, 1.5, t),
        "two_points": lambda t: two_points(two_point_law(1.2, 0.4), 1.2, t),
        "dual_line": lambda t: dual_line(curve, t),
        "descent": lambda t: descent([0.5, 0.4, 0.36, 0.35], 0.34, t),
        "reliability_diagram": lambda t: reliability_diagram(record, t),
    }


def comparisons() -> dict[str, Draw]:
    """Figures of methods, of a map of settings, and of boosted trees."""
    methods = pd.DataFrame(
        {
            "method": ["DiRRAc", "Wachter", "none", "<i>"],
            "cost_l1": [1.0, 0.5, np.nan, 1.0],
            "m2": [1.0, 0.4, np.nan, 1.0],
            "keeps_rules": [True, False, False, True],
        }
    )
    radii, adds = np.linspace(0.0, 0.2, 4), np.linspace(0.0, 0.6, 3)
    worst = np.clip(0.2 + radii[:, None] - 0.2 * adds, 0.0, 1.0)
    place = np.array([[0, 0, 1], [0, 1, 1], [0, 1, 1], [NO_PLAN] * 3])
    worst[place == NO_PLAN] = 1.0
    plans = SettingsMap(radii, adds, worst, 0.4 + adds + 0 * worst, place, (("a",), ("a", "b")))
    accepted = np.array([[0, 3, 5], [2, 5, 5]])
    regions = Regions(
        ("Duration", "Amount"),
        (np.array([0.0, 10.0, 20.0, 40.0]), np.array([0.0, 500.0, 1000.0])),
        accepted,
        accepted > 2,
        5,
    )
    x = np.zeros(2)
    points = [
        FrontierPoint(n, 40, x, cost, n + 1, declined, 100, proved=n < 39)
        for n, cost, declined in ((0, 0.2, 30), (20, 0.3, 12), (39, 0.6, 1))
    ]
    return {
        "method_points": lambda t: method_points(methods, "cost_l1", "effort", "accept, of 100", t),
        "settings_map_figure": lambda t: settings_map_figure(plans, 0.05, 0.3, t),
        "draw_tree_regions": lambda t: draw_tree_regions(regions, (30, 800), (12, 300), t),
        "draw_tree_frontier": lambda t: draw_tree_frontier(points, t),
    }


def pictures() -> dict[str, Any]:
    """Pictures that are text or data of their own, in one theme."""
    x = np.zeros(1)
    steps = [Point(x, 1.0, 0.2), Point(x, 2.0, 0.1), Point(x, 0.5, 0.05, broken=True)]
    now, before = Bars((0.1, 0.2, 0.2), (0.1, 0.1, 0.1)), Bars((0.2, 0.3, 0.4), (0.1, 0.2, 0.3))
    return {
        "link_table": link_table(1.5),
        "small_bars": small_bars(now, before, ("One", "a & b")),
        "small_steps": small_steps(steps, steps[1:], steps[0], "This plan"),
        "promises_svg": promises_svg(PEOPLE, WORST, 20.0),
        "groups_svg": groups_svg(GROUPS, EFFORT, 30),
    }
