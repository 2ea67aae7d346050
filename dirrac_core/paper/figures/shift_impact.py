"""The impact of the size of a shift on the share of future models that accept a plan."""

from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go

from dirrac_core.figures.lessons.shift_impact import shift_impact_lines
from dirrac_core.methods import ActionableRecourse, Method, Roar, RoarSettings, Wachter
from dirrac_core.paper.bench import our_bench
from dirrac_core.paper.experiment import Run, our_rows
from dirrac_core.paper.synthetic_futures import kinds_of_models
from dirrac_core.studies import shift_impact

APPLICANTS = 20
# Budgets and λ at which the three robust methods cost about the same, 0.49 on the scaled features.
DECLARED_DELTA_ADD = 0.01
RESPLIT_DELTA_ADD = 0.05
LAMBDA = 3.0
DECLARED, RESPLITS = "DiRRAc, shifts declared", "DiRRAc, re-splits only"


def compute(run: Run) -> pd.DataFrame:
    """Rows of `shift_impact`: robust methods at about the same cost, and two that are not."""
    settings = run.at_most(APPLICANTS).settings
    bench = our_bench("synthetic", settings)
    resplits = replace(bench.dirrac(), delta_add=RESPLIT_DELTA_ADD)
    declared = bench.dirrac(kinds_of_models(settings.seed).mixture())
    declared = replace(declared, delta_add=DECLARED_DELTA_ADD)
    roar = Roar(bench.current, RoarSettings(lam=LAMBDA))
    ar, wachter = ActionableRecourse(bench.current, bench.people), Wachter(bench.current)
    methods: dict[str, Method] = {DECLARED: declared, RESPLITS: resplits}
    methods |= {method.name: method for method in (roar, ar, wachter)}
    people, schema, asked = bench.applicants, bench.dataset.schema, list(methods.values())
    frame = shift_impact(
        people, asked, schema, seed=settings.seed, progress=run.progress, cancel=run.cancel
    )
    # Every kind and magnitude has one row per method, in their order.
    names = list(methods) * (len(frame) // len(methods))
    return our_rows(frame, ["source", *frame.columns], method=names)


def draw(rows: pd.DataFrame, theme: str) -> go.Figure:
    """One panel per kind of shift; each method is named with its mean cost."""
    named = [
        f"{method} (cost {cost:.2f})"
        for method, cost in zip(rows["method"], rows["cost_l1"], strict=True)
    ]
    return shift_impact_lines(rows.assign(method=named), theme=theme)
