"""What the shift lab shows: the controls, all of them in the link."""

from dataclasses import dataclass

import streamlit as st

from dirrac_core.data.datasets.synthetic import ShiftKind
from pages.shared import notices, wording
from pages.shared.address.linked_controls import choose_one
from pages.shift_lab.computing import RADIUS, RETRAININGS, SIZES, THREE_SHIFTS

KINDS: dict[ShiftKind, str] = {"mean": "mean", "covariance": "covariance", "both": "both"}
SYMBOLS: dict[ShiftKind, str] = {"mean": "α", "covariance": "β", "both": "α = β"}
EXPLAINED: dict[ShiftKind, str] = {
    "mean": "People with the unfavourable outcome move to the right by α.",
    "covariance": "People with the unfavourable outcome spread: their covariance grows by the "
    "factor 1 + β.",
    "both": "People with the unfavourable outcome move to the right and spread at once, α = β.",
}
PREPARED = {RETRAININGS: "re-trainings only", THREE_SHIFTS: "the three kinds of shift"}
EFFORTS = (0.0, 0.02, 0.04, 0.06, 0.08, 0.1)
# In model weights, as in the paper.
RHOS = (0.0, RADIUS, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
USUAL_KIND: ShiftKind = "covariance"
USUAL_SIZE, USUAL_EFFORT = 1.0, 0.02


@dataclass(frozen=True)
class View:
    """A shift of some kind and size; what plans are prepared for, their extra effort and ρ."""

    kind: ShiftKind
    size: float
    prepared: str
    effort: float
    rho: float = RADIUS

    @property
    def plans(self) -> tuple[str, float, float]:
        """What the plans depend on: they are made before the shift."""
        return self.prepared, self.effort, self.rho


def choose_view() -> View:
    """Draw the controls; the view they describe."""
    notices.report_choices(
        {
            "lab_kind": KINDS.values(),
            "lab_size": [_size(size) for size in SIZES],
            "lab_prepared": PREPARED.values(),
            "lab_effort": [_effort(effort) for effort in EFFORTS],
            "lab_rho": [_rho(rho) for rho in RHOS],
        }
    )
    left, right = st.columns([2, 3], gap="large", vertical_alignment="bottom")
    with left:
        explained = " ".join(EXPLAINED.values())
        kind = choose_one("What shifts", KINDS, "lab_kind", explained, USUAL_KIND)
    with right:
        size = st.select_slider(
            f"How much: {SYMBOLS[kind]}",
            SIZES,
            value=USUAL_SIZE,
            format_func=_size,
            key="lab_size",
            bind="query-params",
            help="Drag it, or use the arrow keys.",
        )
    left, right, far = st.columns([4, 3, 3], gap="large", vertical_alignment="bottom")
    with left:
        prepared = choose_one(
            "Plans are prepared for",
            PREPARED,
            "lab_prepared",
            "Re-trainings on today's data (K = 1), or one component for each kind of shift, "
            "of all sizes up to 3.4 (K = 3).",
        )
    with right:
        effort = st.select_slider(
            "Extra effort δ_add",
            EFFORTS,
            value=USUAL_EFFORT,
            format_func=_effort,
            key="lab_effort",
            bind="query-params",
            help=wording.HELP["delta_add"],
        )
    with far:
        rho = st.select_slider(
            "Radius of doubt ρ",
            RHOS,
            value=RADIUS,
            format_func=_rho,
            key="lab_rho",
            bind="query-params",
            help=wording.HELP["rho"],
        )
    return View(kind, size, prepared, effort, rho)


def _size(size: float) -> str:
    return f"{size:.1f}"


def _effort(effort: float) -> str:
    return f"{effort:.2f}"


def _rho(rho: float) -> str:
    return f"{rho:g}"
