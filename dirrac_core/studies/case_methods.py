"""Every method by name for the settings of a case: DiRRAc's six variants and all it is compared to.

A method plans for one applicant by `measured_plan`, and `method_rows` makes a table of several.
For many people `measure_all` asks the methods of `dataset_method`; `dataset_rows` averages them.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.arrays import checked_choice
from dirrac_core.case.case import Case
from dirrac_core.case.futures import bootstrap_of, shifts_of
from dirrac_core.case.realism import Allowed
from dirrac_core.case.settings import BALL
from dirrac_core.data.schema.actions import Actions
from dirrac_core.methods import (
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
from dirrac_core.methods.protocol import AskedOtherwise
from dirrac_core.models.boosted.tree_model import TreeModel
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.progress import Progress, no_progress
from dirrac_core.robustness import WeightBall
from dirrac_core.studies.case_frontier import (
    OTHERS,
    TodaysPlans,
    case_measures,
    case_methods,
    case_plan,
    known,
    linear_stand_in,
    with_guarantee,
)
from dirrac_core.studies.intervals import mean_interval
from dirrac_core.studies.measures import Measures, describe, table, worst_cases
from dirrac_core.studies.people.applicants import Applicant, applicants_of
from dirrac_core.trees.cp_sat.solving import Effort
from dirrac_core.trees.method import EXACT_TREES, ExactTrees
from dirrac_core.trees.retrainings import retrained

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

# What two variants of DiRRAc must agree in, on average, to have made the same plans.
AVERAGES = ("plans", "m1", "m2", "cost_l1", "cost_l2", "features_changed", "worst_case")
# Plans closer than this in every scaled feature read the same: the solver's gap leaves as much.
SAME = 2e-3


def base_name(name: str) -> str:
    """The linear method behind a LIME variant; any other name as it is."""
    return name.removeprefix(LIME)


def method_names(case: Case) -> tuple[str, ...]:
    """The methods that can be asked in this case, DiRRAc first.

    A non-linear model leaves out those that need several linear ones, and the linear methods
    become LIME variants. Boosted trees have an exact method of their own. MINT needs a linear
    model and a known causal model.
    """
    if not isinstance(case.bundle.current, LinearModel):
        linear = (*DIRRAC_VARIANTS, *ROARS, AR)
        own = (EXACT_TREES,) if isinstance(case.bundle.current, TreeModel) else ()
        return (*own, *(LIME + name for name in linear), "Wachter", "CEPM", "RBR")
    names = (*DIRRAC_VARIANTS, *ROARS, "ROAR-Ensemble", AVERAGE, AR, "Wachter", "CEPM", "RBR")
    return (*names, MINT) if case.scenario.dataset in CAUSES else names


def case_method(case: Case, name: str) -> Method:
    """The named method, ready to plan for the applicant of the case."""
    checked_choice("A method", name, method_names(case))
    base = base_name(name)
    if name == EXACT_TREES:
        return _exact_trees(case)
    if base in DIRRAC_VARIANTS:
        return _dirrac(case, base)
    return _on_surrogate(case, _linear(case, base)) if name != base else _other(case, base)


def dataset_method(case: Case, name: str) -> Method:
    """The named method, ready to plan for anybody: a LIME variant explains each one."""
    method = case_method(case, name)
    if case.surrogate is not None and isinstance(method, Dirrac):
        return _on_surrogate(case, method)
    return method


def measured_plan(
    case: Case, name: str, progress: Progress = no_progress, today: TodaysPlans | None = None
) -> Measures:
    """The named method's plan for the applicant of the case, judged by the case's later models.

    `today` has the plans that are known already, as in `case_frontier`.
    """
    progress(0.0, name)
    method = case_method(case, name)
    if isinstance(method, Dirrac):
        method = known(case, method, case_plan(case, method))
    (measured,) = case_measures(case, [method] if today is None else today.of(case, [method]))
    return measured


def method_rows(case: Case, plans: Mapping[str, Measures]) -> pd.DataFrame:
    """One row per named method: the columns of `table` and the worst case of the case's futures."""
    return with_guarantee(table(list(plans.values())).assign(method=list(plans)), case)


def one_row_per_plan(rows: pd.DataFrame, case: Case) -> pd.DataFrame:
    """The rows of `method_rows` or `dataset_rows` with DiRRAc's variants of one plan as one row.

    That row is named after the first of them and their number, and is that of the case's own
    variant where it is among them; `variants` holds their names. Without plans in the rows,
    variants are one when all their averages agree.
    """
    own = (case.scenario.link, case.scenario.weighting)
    kept: list[dict[Hashable, Any]] = []
    for row in rows.to_dict("records"):
        twin = next((other for other in kept if _one_plan(other, row)), None)
        if twin is None:
            kept.append({**row, "variants": (row["method"],)})
            continue
        variants = (*twin["variants"], row["method"])
        if DIRRAC_VARIANTS[base_name(row["method"])] == own:
            twin.update(row)
        twin["variants"] = variants
    for row in kept:
        if len(row["variants"]) > 1:
            row["method"] = f"{row['variants'][0]} ({len(row['variants'])} variants)"
    return pd.DataFrame(kept, columns=[*rows.columns, "variants"])


def _one_plan(one: dict[Hashable, Any], other: dict[Hashable, Any]) -> bool:
    if any(base_name(row["method"]) not in DIRRAC_VARIANTS for row in (one, other)):
        return False
    if "x" not in one:
        ours, theirs = (np.array([row[name] for name in AVERAGES], float) for row in (one, other))
        return bool(np.allclose(ours, theirs, atol=SAME, equal_nan=True))
    if one["x"] is None or other["x"] is None:
        return one["x"] is other["x"] and one["message"] == other["message"]
    return bool(np.abs(one["x"] - other["x"]).max() <= SAME)


def case_applicants(case: Case, rows: Iterable[int]) -> list[Applicant]:
    """The people of these rows with what the scenario lets each of them change."""
    allowed = Allowed.of(case.dataset, case.scenario, case.dirrac)
    return applicants_of(rows, case.dataset.present.X, allowed.actions)


def dataset_rows(case: Case, measured: dict[str, Sequence[Measures]]) -> pd.DataFrame:
    """One row per method: the columns of `describe`, the mean `worst_case` and the rules broken.

    `worst_case` is that of the case's future models, NaN where each applicant has a surrogate of
    their own. `broken` names the checks that failed, with the number of plans.
    """
    rows = []
    for name, measures in measured.items():
        bounds = worst_cases(measures, case.problem.objective) if case.surrogate is None else []
        worst = mean_interval([bound for bound in bounds if not np.isnan(bound)])
        broken = table(measures)["broken"].str.split(", ").explode()
        counts = broken[broken != ""].value_counts()
        rows.append(
            {
                "method": name,
                **describe(measures),
                "worst_case": worst.value,
                "broken": ", ".join(f"{check}: {count}" for check, count in counts.items()),
            }
        )
    return pd.DataFrame(rows)


@dataclass(frozen=True, eq=False)
class MintOnNumbers(AskedOtherwise):
    """MINT that moves numbers only: every category stays what it is."""

    method: Mint

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
        return self.method.recourse(x0, numbers).judged_by(x0, actions, self.method.current)


def _dirrac(case: Case, variant: str) -> Dirrac:
    """The case's own DiRRAc with the link and weighting of the variant."""
    link, weighting = DIRRAC_VARIANTS[variant]
    scenario = case.scenario
    ball = WeightBall(scenario.divergence, scenario.weight_radius)
    return replace(case.dirrac, link=link, weighting=ball if weighting == BALL else weighting)


def _exact_trees(case: Case) -> ExactTrees:
    """The plan over re-trainings of the case's futures, which are trained here."""
    scenario, bundle, current = case.scenario, case.bundle, case.bundle.current
    assert isinstance(current, TreeModel)
    models = retrained(
        case.dataset,
        shifts_of(scenario, case.dataset),
        bootstrap_of(scenario),
        scenario.seed,
        fresh=0,
    )
    # Nobody can cancel here.
    assert models is not None
    return ExactTrees(
        current,
        case.dataset.schema,
        models.at_threshold(bundle.threshold).planned,
        scenario.delta_add,
        scenario.cost,
        Effort(seed=scenario.seed),
    )


def _linear(case: Case, name: str) -> Roar | RoarPublished | ActionableRecourse:
    """A method for one linear model: today's, or the stand-in a LIME variant replaces."""
    model = linear_stand_in(case)
    if name == AR:
        return ActionableRecourse(model, case.bundle.people)
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
    return Lime(case.bundle.current, case.bundle.people, base, seed=case.scenario.seed)


def _causal_model(case: Case) -> CausalModel:
    """The linear equations of the known causes, fitted to the people of today's model."""
    schema = case.dataset.schema
    causes = {
        column: tuple(c for cause in named for c in schema.columns_of(cause))
        for feature, named in CAUSES[case.scenario.dataset].items()
        for column in schema.columns_of(feature)
    }
    return CausalModel.fit(case.bundle.people, causes)
