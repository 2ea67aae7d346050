"""CEPM: counterfactuals from the support of the data, found in growing spheres of latent codes.

Pawelczyk, Broelemann, Kasneci: Learning Model-Agnostic Counterfactual Explanations for Tabular
Data, WWW 2020 (C-CHVAE), as compared in "On Counterfactual Explanations under Predictive
Multiplicity", UAI 2020. The movable features are encoded given the others by a variational
auto-encoder. With a linear-Gaussian one this is probabilistic PCA (Tipping, Bishop 1999), whose
fit is closed form: no training noise, but also no curved manifolds.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.decomposition import PCA

from dirrac_core.arrays import Array, checked_number, frozen_array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.feasible.bounds import column_bounds
from dirrac_core.methods.protocol import Answer, SearchMethod
from dirrac_core.models.classifiers import Classifier

# Directions of variance this far below the largest are rounding.
NO_VARIANCE = 1e-10


@dataclass(frozen=True, eq=False)
class LatentModel:
    """Movable features = C·[fixed features, 1] + W z + noise, z ~ N(0, I): probabilistic PCA.

    `codes` (n, q) are those of the people it was fitted to.
    """

    movable: npt.NDArray[np.intp]
    fixed: npt.NDArray[np.intp]
    given_fixed: Array
    loadings: Array
    encoder: Array
    codes: Array

    @classmethod
    def fit(cls, people: Array, movable: npt.NDArray[np.intp], codes: int) -> "LatentModel":
        """Regress the movable columns on the others, and the residuals on at most `codes`."""
        fixed = np.setdiff1d(np.arange(people.shape[1]), movable)
        inputs = np.column_stack([people[:, fixed], np.ones(len(people))])
        given_fixed = np.asarray(np.linalg.lstsq(inputs, people[:, movable])[0], dtype=np.float64)
        residual = people[:, movable] - inputs @ given_fixed
        spectrum = PCA().fit(residual)
        variance = spectrum.explained_variance_
        real = int((variance > NO_VARIANCE * max(variance[0], 1e-300)).sum())
        q = min(codes, real)
        # Tipping and Bishop: σ² is the average variance left out, W = V(Λ − σ²I)^½.
        noise = float(variance[q:].mean()) if q < variance.size else 0.0
        loadings = spectrum.components_[:q].T * np.sqrt(np.maximum(variance[:q] - noise, 0.0))
        # The posterior mean of z is (WᵀW + σ²I)⁻¹Wᵀ r, and WᵀW + σ²I = Λ is diagonal.
        encoder = loadings / variance[:q]
        return cls(movable, fixed, given_fixed, loadings, encoder, residual @ encoder)

    def encode(self, person: Array) -> Array:
        """The code (q,) of one person."""
        code: Array = (person[self.movable] - self._expected(person)) @ self.encoder
        return code

    def decode(self, codes: Array, person: Array) -> Array:
        """(m, D − 1) people with the given codes (m, q) and the fixed features of `person`."""
        people = np.repeat(person[None], len(codes), axis=0)
        people[:, self.movable] = self._expected(person) + codes @ self.loadings.T
        return people

    def _expected(self, person: Array) -> Array:
        expected: Array = np.append(person[self.fixed], 1.0) @ self.given_fixed
        return expected


@dataclass(frozen=True, eq=False)
class Cepm(SearchMethod):
    """CEPM for any classifier; `people` (n, D − 1) are the data whose support is sought.

    A decoded group becomes its largest category; a decoded person with a number outside the
    data's range, or outside what may change, is dropped. `samples` codes are drawn in each
    shell of width `step` (ℓ1) around the applicant's code. The search ends without a plan beyond
    the distance of the furthest person's code: further out there are no data.
    """

    NAME = "CEPM"
    asks_later_models = False

    current: Classifier
    people: Array
    codes: int = 8
    step: float = 0.1
    samples: int = 300
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "people", frozen_array("people", self.people, (None, None)))
        checked_number("The number of codes", self.codes, low=1.0)
        checked_number("The step", self.step, low=0.0, strict=True)
        checked_number("The number of samples", self.samples, low=1.0)

    def knows_usual_limits(self, actions: Actions) -> bool:
        """No: only the range of every column, and the groups."""
        return False

    def search(self, x0: Array, actions: Actions) -> Answer:
        """The accepted decoded person nearest to x0 in the first shell that has one."""
        bounds = column_bounds(x0, actions)
        movable = np.flatnonzero(bounds.lower < bounds.upper)
        if not movable.size:
            return Answer(None, "Nothing can be changed: every feature is fixed.")
        # What is movable decides the model; its fit is closed form and takes about a millisecond.
        latent = LatentModel.fit(self.people, movable, self.codes)
        person = x0[:-1]
        center = latent.encode(person)
        furthest = float(np.abs(latent.codes - center).sum(axis=1).max())
        lower, upper = bounds.lower.copy(), bounds.upper.copy()
        lower[movable] = np.maximum(lower[movable], self.people[:, movable].min(axis=0))
        upper[movable] = np.minimum(upper[movable], self.people[:, movable].max(axis=0))
        rng = np.random.default_rng(self.seed)
        for shell in range(int(np.ceil(furthest / self.step))):
            codes = center + _shell(rng, self.samples, center.size, shell * self.step, self.step)
            people = self._decoded(latent, codes, person, actions)
            people = people[((people >= lower) & (people <= upper)).all(axis=1)]
            accepted = people[self.current.decision(people)] if len(people) else people
            if len(accepted):
                costs = np.abs(bounds.weights * (accepted - person)).sum(axis=1)
                nearest = accepted[int(costs.argmin())]
                words = f"Accepted at a latent distance of at most {(shell + 1) * self.step:.1f}."
                return Answer(np.append(nearest, 1.0), words)
        return Answer(None, "No decoded person within the support of the data is accepted.")

    def _decoded(self, latent: LatentModel, codes: Array, person: Array, actions: Actions) -> Array:
        people = latent.decode(codes, person)
        for group in actions.groups:
            members = list(group)
            if np.isin(members, latent.movable).any():
                people[:, members] = np.eye(len(members))[people[:, members].argmax(axis=1)]
        return people


def _shell(
    rng: np.random.Generator, count: int, dimension: int, inner: float, width: float
) -> Array:
    """`count` points whose ℓ1 length is uniform between `inner` and `inner + width`."""
    direction = rng.standard_normal((count, dimension))
    direction /= np.abs(direction).sum(axis=1, keepdims=True)
    length = inner + width * rng.random((count, 1))
    shell: Array = direction * length
    return shell
