"""Which futures the settings prepare for: the components that have a story, and their models."""

from dataclasses import replace

from dirrac_core.case.settings import STORIED, Settings
from dirrac_core.data.dataset import Dataset
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.models.futures.compose import Composition, Retraining, composed_mixture
from dirrac_core.models.futures.history import base_of, history_shifts
from dirrac_core.models.futures.shift import NOISE, Shift
from dirrac_core.models.futures.stress import stress_set
from dirrac_core.models.futures.usual_shifts import usual_shift
from dirrac_core.models.mixture import checked_radii


def bootstrap_of(settings: Settings) -> Bootstrap | None:
    """How future models are trained; None is the paper's way."""
    return None if settings.futures == "paper" else Bootstrap(settings.training_size)


def shifts_of(settings: Settings, dataset: Dataset) -> tuple[Shift, ...]:
    """The stories of the components: those of the chosen futures, then the declared ones."""
    dataset = dataset.for_training
    generated: tuple[Shift, ...] = ()
    if settings.futures == "history":
        generated = history_shifts(dataset, settings.history)
    elif settings.futures == "stress":
        generated = tuple(stress.shift for stress in stress_set(dataset))
    radii = settings.radii
    if generated:
        # A list of radii is one for each component of the chosen futures.
        rho = checked_radii(radii, len(generated))
        generated = tuple(
            replace(shift, radius=float(r)) for shift, r in zip(generated, rho, strict=True)
        )
    return (*generated, *settings.shifts)


def composition_of(settings: Settings, dataset: Dataset) -> Composition | None:
    """The components with a story; None when the mixture is estimated from re-trainings alone.

    Boosted trees are re-trained on the stories themselves, which has no mixture.
    """
    shifts = shifts_of(settings, dataset)
    if not shifts or settings.model == "trees":
        return None
    dataset = dataset.for_training
    base = base_of(dataset, settings.history) if settings.futures == "history" else None
    return composed_mixture(
        dataset, shifts, settings.seed, Retraining(bootstrap_of(settings), base)
    )


def needs_luck(settings: Settings) -> bool:
    """Whether a first declared shift would leave sampling noise out of the futures."""
    return not settings.shifts and settings.futures not in STORIED


def shifts_with(settings: Settings, dataset: Dataset, story: str) -> tuple[Shift, ...]:
    """The declared shifts and this story as it usually starts; sampling noise stays."""
    shifts = settings.shifts
    if needs_luck(settings) and story != NOISE:
        shifts = (usual_shift(dataset, NOISE),)
    return (*shifts, usual_shift(dataset, story))
