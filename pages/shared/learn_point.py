"""The point the formulas are filled with, and how a section of the mathematics is put together."""

import math
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from dirrac_core.arrays import Array
from dirrac_core.figures.palette import component_name
from dirrac_core.robustness import LINKS, robust_scores, score_terms
from dirrac_core.scenario import Case, Scenario, Solution
from pages.shared import computing

SMALLEST_PLAIN, LARGEST_PLAIN = 1e-3, 1e5


@dataclass(frozen=True)
class Section:
    """Plain words, the formulas with their numbers (LaTeX), where they come from, a table."""

    title: str
    words: str
    formulas: tuple[str, ...]
    source: str
    table: pd.DataFrame | None = None


@dataclass(frozen=True, eq=False)
class Point:
    """A plan, or the applicant where there is none, seen by component `k` of its problem.

    `m`, `s`, `r` and `a` (K,) are the three numbers and the robust score of every component.
    """

    solution: Solution
    x: Array
    k: int
    m: Array
    s: Array
    r: Array
    a: Array

    @property
    def case(self) -> Case:
        """The problem and everything behind it."""
        return self.solution.case

    @property
    def scenario(self) -> Scenario:
        """What the visitor has set."""
        return self.case.scenario

    @property
    def has_plan(self) -> bool:
        """Whether the point is a plan."""
        return self.solution.real.plan.x is not None

    @property
    def components(self) -> int:
        """K."""
        return self.case.problem.mixture.components

    @property
    def name(self) -> str:
        """What the point is called in a sentence."""
        return "this plan" if self.has_plan else "the applicant unchanged"

    @property
    def rho(self) -> float:
        """ρ_k."""
        return float(self.case.problem.radii[self.k])

    @property
    def norm(self) -> float:
        """‖x‖₂."""
        return math.hypot(*self.x)

    @property
    def safe(self) -> bool:
        """Whether m > r, so that a positive score exists."""
        return bool(self.m[self.k] > self.r[self.k])

    def component(self, k: int) -> str:
        """The name of a component."""
        return component_name(k, self.case.component_names)

    def probabilities(self, link: str) -> Array:
        """The worst-case probability of every component under a link, (K,)."""
        return LINKS[link].probability(self.a)


def point_of(scenario: Scenario, k: int | None = None) -> Point:
    """The current plan (or applicant) at component k, the weakest one unless given."""
    solution = computing.solution(scenario)
    case = solution.case
    problem, found = case.problem, solution.real.plan.x
    x = case.x0 if found is None else found
    a = robust_scores(x, problem.mixture, problem.radii)
    chosen = int(a.argmin()) if k is None else k
    return Point(solution, x, chosen, *score_terms(x, problem.mixture, problem.radii), a)


@st.cache_resource(max_entries=64, show_spinner=False)
def ceiling(scenario: Scenario) -> float:
    """The largest common ρ that leaves a plan at any effort."""
    return computing.case(scenario).problem.unbounded.largest_radius()


def number(value: float) -> str:
    """A number in LaTeX, with four digits."""
    value = float(value)
    if math.isinf(value):
        return r"\infty" if value > 0 else r"-\infty"
    if value == 0.0:
        return "0"
    if SMALLEST_PLAIN <= abs(value) < LARGEST_PLAIN:
        digits = max(0, 3 - math.floor(math.log10(abs(value))))
        text = f"{value:.{digits}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    mantissa, power = f"{value:.2e}".split("e")
    return rf"{mantissa}\cdot 10^{{{int(power)}}}"


def factor(value: float) -> str:
    """A number that follows a product sign: in parentheses when negative."""
    return f"({number(value)})" if value < 0 else number(value)


def rows(*lines: str) -> str:
    """A formula on several short lines that fit a narrow screen; & marks where they align."""
    return r"\begin{aligned}" + r" \\ ".join(lines) + r"\end{aligned}"


def plain(value: float) -> str:
    """The same number as it reads in a sentence."""
    words = number(value).replace(r"\infty", "∞").replace("-", "−")
    return words.replace(r"\cdot ", "·").replace("{", "").replace("}", "")
