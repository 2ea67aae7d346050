"""The future models a case assumes, their components, and how reality compares."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.case.case import Case
from dirrac_core.case.settings import STORIED
from dirrac_core.models.component_words import describe_components, most_moved
from dirrac_core.models.futures.shift import CORRECTION, NOISE, Shift
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness.coverage import Coverage, coverage

LESSON = (Shift(NOISE), Shift(CORRECTION, strength=1.0))
"""The shifts of the German lesson: luck as before, and the coding put right."""


@dataclass(frozen=True, eq=False)
class Outlook:
    """What stands behind the mixture of a case with linear models.

    `parameters` (n, D) are the re-trained models and `labels` (n,) their components; `names` is
    None when components have only numbers. `descriptions` say what sets each component apart,
    `reason` why there are K of them.
    `shifted` (m, D) are the models trained after the shift, `reality` says where they lie and
    `training` where the re-trained ones lie. `undeclared` says where the shifted models would lie
    to the components estimated from re-trainings; None when those are the components.
    """

    parameters: Array
    labels: npt.NDArray[np.int64]
    mixture: ParameterMixture
    radii: Array
    names: tuple[str, ...] | None
    descriptions: tuple[str, ...]
    reason: str
    shifted: Array
    reality: Coverage
    training: Coverage
    undeclared: Coverage | None

    @property
    def counts(self) -> tuple[int, ...]:
        """How many re-trained models belong to each component."""
        return tuple(int((self.labels == k).sum()) for k in range(self.mixture.components))

    def at_radii(self, radii: Array) -> "Outlook":
        """The same models and components with other radii of doubt: nothing else moves."""
        return replace(
            self,
            radii=radii,
            reality=replace(self.reality, radii=radii),
            training=replace(self.training, radii=radii),
        )

    @property
    def telling_weights(self) -> tuple[int, int]:
        """The two weights in which the shifted models differ most from the expected ones."""
        return most_moved(self.mixture, self.shifted)


def outlook_of(case: Case) -> Outlook | None:
    """The outlook of a case; None for a model whose future is not a cloud of parameters."""
    bundle = case.bundle
    if bundle.parameters is None or bundle.estimate is None or bundle.future.parameters is None:
        return None
    mixture, radii, metric = case.problem.mixture, case.problem.radii, case.problem.metric
    shifted = bundle.future.parameters
    if case.declared is not None:
        parts = case.declared.parameters
        parameters = frozen_array("parameters", np.concatenate(parts), (None, mixture.dimension))
        labels = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        each = "named future" if case.scenario.futures in STORIED else "declared shift"
        reason = f"K = {len(parts)}: one component for each {each}."
        undeclared: Coverage | None = coverage(
            shifted, bundle.estimate.mixture, 0.0, case.scenario.radius_unit
        )
    else:
        parameters, labels = bundle.parameters, bundle.estimate.labels
        reason = " ".join((bundle.estimate.reason, *bundle.estimate.notes))
        undeclared = None
    return Outlook(
        parameters,
        labels,
        mixture,
        radii,
        case.component_names,
        describe_components(mixture, case.dataset.schema.columns),
        reason,
        shifted,
        coverage(shifted, mixture, radii, metric),
        coverage(parameters, mixture, radii, metric),
        undeclared,
    )
