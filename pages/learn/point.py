"""The point the formulas are filled with, and how a section of the mathematics is put together."""

import math
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case, Solution
from dirrac_core.case.scenario import Scenario
from dirrac_core.figures.drawing.palette import component_name
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness import (
    LINKS,
    Doubt,
    WorstCaseModel,
    gelbrich_distance,
    score_terms,
    worst_case_model,
)
from pages.shared import computing
from pages.shared.numbers import in_tex
from pages.shared.plain_text import plain


@dataclass(frozen=True)
class Section:
    """Plain words, formulas with their numbers (LaTeX), their source, a table, a picture.

    `curves_at` is the score at which the curves of both links are drawn; `tried` is what the
    visitor may try, under its name in the address.
    """

    title: str
    words: str
    formulas: tuple[str, ...]
    source: str
    table: pd.DataFrame | None = None
    picture: go.Figure | None = None
    curves_at: float | None = None
    tried: str = ""


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
        return self.solution.plan.x is not None

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """m, s, r and a of the component."""
        m, s, r, a = (float(term[self.k]) for term in (self.m, self.s, self.r, self.a))
        return m, s, r, a

    @property
    def components(self) -> int:
        """K."""
        return self.case.problem.mixture.components

    @property
    def one_score_decides(self) -> bool:
        """Whether the best plan is that of the largest score, of one component or the worst."""
        return self.components == 1 or self.scenario.weighting == "worst-component"

    @property
    def name(self) -> str:
        """What the point is called in a sentence."""
        return "this plan" if self.has_plan else "the applicant unchanged"

    @property
    def rho(self) -> float:
        """ρ_k."""
        return float(self.case.problem.radii[self.k])

    @property
    def in_deviations(self) -> bool:
        """Whether ρ is in standard deviations of a re-training (M = Σ̂), not in weights (M = I)."""
        return self.case.problem.doubt.in_deviations

    @property
    def length(self) -> float:
        """√(xᵀMx), what a radius of 1 takes from the score: s, or ‖x‖₂."""
        return float(self.s[self.k]) if self.in_deviations else math.hypot(*self.x)

    @property
    def length_in_tex(self) -> str:
        """That length as a formula."""
        return r"\sqrt{x^\top\hat\Sigma_k x}" if self.in_deviations else r"\lVert x\rVert_2"

    @property
    def safe(self) -> bool:
        """Whether m > r, so that a positive score exists."""
        return bool(self.m[self.k] > self.r[self.k])

    @property
    def adversary(self) -> tuple[WorstCaseModel, float, float]:
        """The worst model within ρ, and the mean and deviation of the scores it gives the point."""
        problem = self.case.problem
        worst = worst_case_model(self.x, problem.mixture, problem.radii, self.k, problem.metric)
        alone = ParameterMixture([1.0], [worst.mean], [worst.covariance])
        (mean,), (deviation,), _ = score_terms(self.x, alone, Doubt.of(alone, 0.0))
        return worst, float(mean), float(deviation)

    def distance(self, mean: Array, covariance: Array) -> float:
        """How far a future lies from the component, in the metric of ρ."""
        mixture, k = self.case.problem.mixture, self.k
        metric = self.case.problem.doubt.matrix(k)
        return gelbrich_distance(mean, covariance, mixture.means[k], mixture.covariances[k], metric)

    def component(self, k: int) -> str:
        """The name of a component."""
        return plain(component_name(k, self.case.component_names))

    def probabilities(self, link: str) -> Array:
        """The worst-case probability of every component under a link, (K,)."""
        return LINKS[link].probability(self.a)


def point_of(scenario: Scenario, k: int | None = None) -> Point:
    """The current plan (or applicant) at component k, the weakest one unless given."""
    solution = computing.solution(scenario)
    case = solution.case
    problem, found = case.problem, solution.plan.x
    x = case.x0 if found is None else found
    a = problem.objective.scores(x)
    chosen = int(a.argmin()) if k is None else k
    return Point(solution, x, chosen, *score_terms(x, problem.mixture, problem.doubt), a)


def factor(value: float) -> str:
    """A number that follows a product sign: in parentheses when negative."""
    return f"({in_tex(value)})" if value < 0 else in_tex(value)


def rows(*lines: str) -> str:
    """A formula on several short lines that fit a narrow screen; & marks where they align."""
    return r"\begin{aligned}" + r" \\ ".join(lines) + r"\end{aligned}"
