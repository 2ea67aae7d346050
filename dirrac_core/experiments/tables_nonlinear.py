"""Methods on multilayer perceptrons: the LIME variants, Wachter, CEPM and RBR."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from dirrac_core.arrays import Array
from dirrac_core.baselines import (
    ActionableRecourse,
    Cepm,
    Dirrac,
    Lime,
    Method,
    Rbr,
    RbrSettings,
    Roar,
    RoarPublished,
    Wachter,
)
from dirrac_core.data import load_dataset
from dirrac_core.evaluation import declined_applicants, measure_all
from dirrac_core.evaluation.measures import Judge
from dirrac_core.evaluation.parallel import Cancel, Progress
from dirrac_core.experiments.comparison import Row, assembled, measured_row
from dirrac_core.experiments.experiment import OURS, Compute, Experiment, Settings
from dirrac_core.experiments.in_turn import REAL, at_most, in_turn
from dirrac_core.experiments.protocol import DELTA_ADD, RADIUS
from dirrac_core.experiments.published import published
from dirrac_core.models.bundle import ModelBundle, prepare
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.mixture import ParameterMixture

APPLICANTS = 30
PRESET = "free"
# The share of the bar for training the perceptrons.
TRAINING = 0.3
# Which settings of RBR the published row used is not written down. The authors' public experiments
# draw 200 samples within 0.2 of the boundary point with σ = 1, as ours do; their configured start
# is ε_op = ε_pe = 0 with δ_plus = 0.2, from where δ_plus is swept to 1 and each ε over 0, 0.5 and
# 1. Our reading: (ε, δ_plus) at that start, with DiRRAc's budget, and with the middle ε; ε = 1
# would let a density vanish, because ε_pe must stay below σ.
RBR_SETTINGS = ((0.0, 0.2), (0.0, 1.0), (0.5, 1.0))


@dataclass(frozen=True, eq=False)
class Perceptron:
    """A perceptron, its training data, and the seed of what methods draw."""

    bundle: ModelBundle
    people: Array
    seed: int

    def lime(self, base: ActionableRecourse | Roar | RoarPublished | Dirrac) -> Lime:
        """The linear method on the local stand-in of the perceptron."""
        return Lime(self.bundle.current, self.people, base, self.seed)

    def lime_dirrac(self) -> list[Method]:
        """LIME-DiRRAc and its Gaussian version."""
        columns = self.people.shape[1] + 1
        # Around each applicant the surrogate's moments take the place of these.
        unknown = ParameterMixture([1.0], np.zeros((1, columns)), np.zeros((1, columns, columns)))
        base = Dirrac(self.bundle.current, unknown, radii=RADIUS, delta_add=DELTA_ADD)
        return [self.lime(base), self.lime(replace(base, link="gaussian"))]


Competitors = Callable[[Perceptron], Mapping[str, Method]]


def nonlinear(model: Perceptron) -> dict[str, Method]:
    """Everybody in Table 2; ROAR both solved exactly and as published, at its usual λ."""
    current, people = model.bundle.current, model.people
    stand_in = LinearModel(np.zeros(people.shape[1] + 1))
    methods: list[Method] = [
        model.lime(ActionableRecourse(stand_in, people)),
        Wachter(current),
        Cepm(current, people, seed=model.seed),
        model.lime(RoarPublished(stand_in)),
        model.lime(Roar(stand_in)),
        *model.lime_dirrac(),
    ]
    return {method.name: method for method in methods}


def against_rbr(model: Perceptron) -> dict[str, Method]:
    """RBR with three settings, LIME-DiRRAc and LIME-Gaussian DiRRAc."""
    methods: dict[str, Method] = {
        f"RBR (ε = {epsilon:g}, δ_plus = {budget:g})": Rbr(
            model.bundle.current,
            model.people,
            RbrSettings(epsilon_op=epsilon, epsilon_pe=epsilon, delta_plus=budget),
            seed=model.seed,
        )
        for epsilon, budget in RBR_SETTINGS
    }
    return methods | {method.name: method for method in model.lime_dirrac()}


def _comparison(table: str, methods_of: Competitors) -> Compute:
    """The `compute` of a table: published rows, and ours for everybody in `methods_of`."""

    def compute(settings: Settings, progress: Progress, cancel: Cancel) -> pd.DataFrame:
        asked = at_most(settings, APPLICANTS)

        def rows_of(name: str, tell: Progress) -> pd.DataFrame:
            # The networks are small: more threads would only wait for each other.
            with threadpool_limits(1):
                return _rows(name, methods_of, asked, tell, cancel)

        found = in_turn(REAL, rows_of, progress, cancel)
        frame = assembled(published(table), cast(list[Row], found.to_dict("records")))
        frame.attrs["complete"] = found.attrs["complete"]
        return frame

    return compute


def _rows(
    name: str,
    methods_of: Competitors,
    settings: Settings,
    progress: Progress,
    cancel: Cancel,
) -> pd.DataFrame:
    """One row a method on one dataset."""
    dataset = load_dataset(name)
    bundle = prepare(
        dataset,
        "mlp",
        seed=settings.seed,
        progress=lambda part, words: progress(TRAINING * part, words),
    )
    methods = methods_of(Perceptron(bundle, dataset.present.X[bundle.training], settings.seed))
    done = measure_all(
        declined_applicants(bundle, PRESET, bundle.declined[: settings.applicants]),
        list(methods.values()),
        Judge.of(bundle),
        settings.jobs,
        lambda part, words: progress(TRAINING + (1.0 - TRAINING) * part, words),
        cancel,
    )
    about = {"source": OURS, "favourable": dataset.favourable}
    rows = pd.DataFrame(
        [
            about
            | {"method": name, "parameter": method.parameter}
            | measured_row([result[index] for result in done.results])
            for index, (name, method) in enumerate(methods.items())
        ]
    )
    rows.attrs["complete"] = done.complete
    return rows


EXPERIMENTS = (
    Experiment(
        name="nonlinear",
        kind="table",
        title="Perceptrons: validity and cost of every method",
        place="Table 2, Section 5",
        about=(
            "On perceptrons, seen through LIME, DiRRAc has the highest M2 validity on German and "
            "Student and is close to ROAR on SBA, at a small cost; today's model does not accept "
            "all plans."
        ),
        difference=(
            "Our LIME explains the favourable class around the applicant, with its slopes brought "
            "back to the scale of the features, so that today's perceptron accepts nearly all "
            "plans of ROAR and DiRRAc, though on German and SBA not those of AR, which stop at "
            "the surrogate's boundary; with δ_add = 1 DiRRAc pays more than ROAR with λ = 0.1 on "
            "German, for little more validity, and on Student, for the same. SBA's favourable "
            "outcome is a loan paid back in ours, a default in the published rows."
        ),
        compute=_comparison("nonlinear", nonlinear),
    ),
    Experiment(
        name="rbr",
        kind="table",
        title="Perceptrons: comparison with RBR",
        place="Table “Comparison with RBR”, Appendix A",
        about=(
            "RBR, made for non-linear models, has nearly perfect M1 validity; LIME-DiRRAc has the "
            "higher M2 validity on German and Student."
        ),
        difference=(
            "Which settings the published row used is not written down, so RBR is shown with "
            "three: without ambiguity (ε = 0) it is about as valid as LIME-DiRRAc and cheaper, "
            "most of all at the small budget; with ε = 0.5 it stays close to today's boundary and "
            "is cheaper still, but less valid. SBA's favourable outcome is a loan paid back in "
            "ours, a default in the published rows."
        ),
        compute=_comparison("rbr", against_rbr),
    ),
)
