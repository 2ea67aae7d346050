"""Every method by name for the settings of a case: DiRRAc's six variants and all it is compared to.

A method is asked for one applicant by `method_row`, or for many by `measure_all` with the methods
of `dataset_method`, whose results `dataset_rows` averages.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.actionability import edited_actions
from dirrac_core.arrays import checked_choice
from dirrac_core.baselines import (
    ActionableRecourse,
    CausalModel,
    Dirrac,
    Lime,
    Method,
    Mint,
    Plan,
    Roar,
    RoarAverage,
    RoarPublished,
)
from dirrac_core.baselines.protocol import judged
from dirrac_core.data.actions import Actions
from dirrac_core.data.schema import with_constant
from dirrac_core.evaluation.applicants import Applicant
from dirrac_core.evaluation.case_frontier import (
    DIRRAC,
    OTHERS,
    case_actions,
    case_methods,
    linear_stand_in,
    with_guarantee,
)
from dirrac_core.evaluation.frontier import applicant_frontier
from dirrac_core.evaluation.measures import Judge, Measures, describe, table
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.robustness import WeightBall
from dirrac_core.scenario import BALL, Case

# The six formulations: 2 links × 3 weightings.
DIRRAC_VARIANTS = MappingProxyType(
    {
        "DiRRAc": ("chebyshev", "nominal"),
        "DiRRAc, uncertain weights": ("chebyshev", BALL),
        "DiRRAc, worst component": ("chebyshev", "worst-component"),
        "Gaussian DiRRAc": ("gaussian", "nominal"),
        "Gaussian DiRRAc, uncertain weights": ("gaussian", BALL),
        "Gaussian DiRRAc, worst component": ("gaussian", "worst-component"),
    }
)
LIME = "LIME-"
AR, AVERAGE, MINT = "AR", "ROAR-Avg", "MINT"
EXACT, PUBLISHED = ROARS = ("ROAR (exact)", "ROAR (as published)")
# They move categories in fractions on the way; their checklist tells when one is left so.
RELAXED = ("Wachter", PUBLISHED, "RBR")
# Dataset → feature → its causes, where the literature names them: Karimi, Schölkopf and Valera
# for German credit, with the sex in the personal status.
CAUSES = MappingProxyType(
    {"german": {"Credit amount": ("Personal status", "Age"), "Duration": ("Credit amount",)}}
)


def base_name(name: str) -> str:
    """The linear method behind a LIME variant; any other name as it is."""
    return name.removeprefix(LIME)


def method_names(case: Case) -> tuple[str, ...]:
    """The methods that can be asked in this case, DiRRAc first.

    A non-linear model leaves out those that need several linear ones, and the linear methods
    become LIME variants. MINT needs a linear model and a known causal model.
    """
    if not isinstance(case.bundle.current, LinearModel):
        linear = (*DIRRAC_VARIANTS, *ROARS, AR)
        return (*(LIME + name for name in linear), "Wachter", "CEPM", "RBR")
    names = (*DIRRAC_VARIANTS, *ROARS, "ROAR-Ensemble", AVERAGE, AR, "Wachter", "CEPM", "RBR")
    return (*names, MINT) if case.scenario.dataset in CAUSES else names


def case_method(case: Case, name: str) -> Method:
    """The named method, ready to be asked for the applicant of the case."""
    checked_choice("A method", name, method_names(case))
    base = base_name(name)
    if base in DIRRAC_VARIANTS:
        return _dirrac(case, base)
    return _on_surrogate(case, _linear(case, base)) if name != base else _other(case, base)


def case_dirrac(case: Case) -> Dirrac:
    """DiRRAc with every setting of the case."""
    swept = case_methods(case, DIRRAC)[0]
    assert isinstance(swept, Dirrac)
    return replace(swept, delta_add=case.scenario.delta_add)


def dataset_method(case: Case, name: str) -> Method:
    """The named method, ready to be asked for anybody: a LIME variant explains each one anew."""
    method = case_method(case, name)
    if case.surrogate is not None and isinstance(method, Dirrac):
        return _on_surrogate(case, method)
    return method


def method_row(case: Case, name: str) -> pd.DataFrame:
    """One row: the named method's plan for the applicant, measured as in `applicant_frontier`."""
    judge, method = Judge.of(case.bundle), case_method(case, name)
    frame = applicant_frontier(case.x0, case_actions(case), [method], judge)
    return with_guarantee(frame.assign(method=name), case)


def case_applicants(case: Case, rows: Iterable[int]) -> list[Applicant]:
    """The people of these rows with what the scenario lets each of them change."""
    dataset, scenario = case.dataset, case.scenario
    applicants = []
    for row in rows:
        x0 = with_constant(dataset.present.X[row])
        actions = edited_actions(dataset, scenario.preset, scenario.edits, x0)
        applicants.append(Applicant(int(row), x0, actions))
    return applicants


def dataset_rows(case: Case, measured: dict[str, Sequence[Measures]]) -> pd.DataFrame:
    """One row a method: the columns of `summary`, the mean `worst_case` and the rules broken.

    `worst_case` is that of the case's future models, NaN where each applicant has a surrogate of
    their own. `broken` names the checks that failed, with the number of plans.
    """
    rows = []
    for name, measures in measured.items():
        bounds = [] if case.surrogate is not None else _bounds(case, measures)
        broken = table(measures)["broken"].str.split(", ").explode()
        counts = broken[broken != ""].value_counts()
        rows.append(
            {
                "method": name,
                **describe(measures),
                "worst_case": float(np.mean(bounds)) if bounds else np.nan,
                "broken": ", ".join(f"{check}: {count}" for check, count in counts.items()),
            }
        )
    return pd.DataFrame(rows)


@dataclass(frozen=True, eq=False)
class MintOnNumbers:
    """MINT that moves numbers only: every category stays what it is."""

    mint: Mint

    @property
    def name(self) -> str:
        """What tables call it."""
        return self.mint.name

    @property
    def parameter(self) -> float:
        """MINT has none."""
        return self.mint.parameter

    def recourse(self, x0: npt.ArrayLike, actions: Actions) -> Plan:
        """MINT's plan with every category locked, judged by the rules as they are."""
        kept = {column for group in actions.groups for column in group}
        numbers = replace(
            actions,
            locked=tuple(sorted(kept | set(actions.locked))),
            only_up=tuple(c for c in actions.only_up if c not in kept),
            only_down=tuple(c for c in actions.only_down if c not in kept),
            groups=(),
            conditional=(),
        )
        plan = self.mint.recourse(x0, numbers)
        if plan.x is None:
            return plan
        start = np.asarray(x0, dtype=np.float64)
        return replace(plan, checks=judged(plan.x, start, actions, self.mint.model, True))


def _dirrac(case: Case, variant: str) -> Dirrac:
    """The case's own DiRRAc with the link and weighting of the variant."""
    link, weighting = DIRRAC_VARIANTS[variant]
    scenario = case.scenario
    ball = WeightBall(scenario.divergence, scenario.weight_radius)
    return replace(case_dirrac(case), link=link, weighting=ball if weighting == BALL else weighting)


def _linear(case: Case, name: str) -> Roar | RoarPublished | ActionableRecourse:
    """A method for one linear model: today's, or the stand-in a LIME variant replaces."""
    model = linear_stand_in(case)
    if name == AR:
        return ActionableRecourse(model, _people(case))
    kind = Roar if name == EXACT else RoarPublished
    return kind(model, categories=case.scenario.categories)


def _other(case: Case, name: str) -> Method:
    if name in ROARS:
        return _linear(case, name)
    current, bundle = case.bundle.current, case.bundle
    if name == AVERAGE:
        assert bundle.parameters is not None
        return RoarAverage(current, bundle.parameters, categories=case.scenario.categories)
    if name == MINT:
        assert isinstance(current, LinearModel)
        return MintOnNumbers(Mint(current, _causal_model(case)))
    return next(method for method in case_methods(case, OTHERS) if method.name == name)


def _on_surrogate(case: Case, base: Dirrac | Roar | RoarPublished | ActionableRecourse) -> Lime:
    return Lime(case.bundle.current, _people(case), base, seed=case.scenario.seed)


def _people(case: Case) -> npt.NDArray[np.float64]:
    people: npt.NDArray[np.float64] = case.dataset.present.X[case.bundle.training]
    return people


def _causal_model(case: Case) -> CausalModel:
    """The linear equations of the known causes, fitted to the people of today's model."""
    schema = case.dataset.schema
    causes = {
        column: tuple(c for cause in named for c in schema.columns_of(cause))
        for feature, named in CAUSES[case.scenario.dataset].items()
        for column in schema.columns_of(feature)
    }
    return CausalModel.fit(_people(case), causes)


def _bounds(case: Case, measures: Sequence[Measures]) -> list[float]:
    objective = case.problem.objective
    return [objective.value(m.plan.x) for m in measures if m.plan.x is not None]
