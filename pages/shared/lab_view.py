"""What the shift lab shows: the controls, all of them in the link."""

from dataclasses import dataclass

import streamlit as st

from dirrac_core.data.synthetic import SHIFTS, ShiftKind
from pages.shared import notices, wording
from pages.shared.lab_computing import RETRAININGS, SIZES, THREE_SHIFTS

KINDS = {"mean": "mean", "covariance": "covariance", "both": "both"}
SYMBOLS = {"mean": "α", "covariance": "β", "both": "α = β"}
EXPLAINED = {
    "mean": "People with the unfavourable outcome move to the right by α.",
    "covariance": "People with the unfavourable outcome spread: their covariance grows by the "
    "factor 1 + β.",
    "both": "People with the unfavourable outcome move to the right and spread at once, α = β.",
}
PREPARED = {RETRAININGS: "re-trainings only", THREE_SHIFTS: "the three kinds of shift"}
EFFORTS = (0.0, 0.02, 0.04, 0.06, 0.08, 0.1)
USUAL_KIND, USUAL_SIZE, USUAL_EFFORT = "covariance", 1.0, 0.02


@dataclass(frozen=True)
class View:
    """A shift of some kind and size, what plans are prepared for, and their extra effort."""

    kind: ShiftKind
    size: float
    prepared: str
    effort: float


def choose_view() -> View:
    """Draw the controls; the view they describe."""
    notices.about_choices(
        {
            "lab_kind": KINDS.values(),
            "lab_size": [_size(size) for size in SIZES],
            "lab_prepared": PREPARED.values(),
            "lab_effort": [_effort(effort) for effort in EFFORTS],
        }
    )
    left, right = st.columns([2, 3], gap="large", vertical_alignment="bottom")
    with left:
        kind = st.segmented_control(
            "What shifts",
            list(SHIFTS),
            default=USUAL_KIND,
            required=True,
            format_func=KINDS.get,
            key="lab_kind",
            bind="query-params",
            help=" ".join(EXPLAINED.values()),
        )
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
    left, right = st.columns([2, 3], gap="large", vertical_alignment="bottom")
    with left:
        prepared = st.segmented_control(
            "Plans are prepared for",
            list(PREPARED),
            default=RETRAININGS,
            required=True,
            format_func=PREPARED.get,
            key="lab_prepared",
            bind="query-params",
            help="Re-trainings on today's data (K = 1), or one component for each kind of shift, "
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
    return View(kind, size, prepared, effort)


def _size(size: float) -> str:
    return f"{size:.1f}"


def _effort(effort: float) -> str:
    return f"{effort:.2f}"
