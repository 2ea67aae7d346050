"""Which slice to look at: the controls of the geometry page, all of them in the link."""

from dataclasses import dataclass

import streamlit as st

from dirrac_core.figures.case_plane import CasePlane, numeric_features, telling_features
from dirrac_core.scenario import Case
from pages.shared import computing, notices
from pages.shared.geometry_computing import plane

PICTURE, ANIMATION, STEPS = "picture", "animation", "steps"
MODES = {
    PICTURE: "Picture",
    ANIMATION: "Animate ρ",
    STEPS: "Algorithm 1, step by step",
}
APPLICANT, PLAN = "applicant", "plan"
HELD = {APPLICANT: "the applicant", PLAN: "the plan"}
LEVELS, PATH, ROAR = "levels", "path", "roar"
LAYERS = {LEVELS: "Level lines", PATH: "Path of Algorithm 1", ROAR: "ROAR's plan"}


@dataclass(frozen=True)
class View:
    """What the visitor looks at: two features, where the others are held, mode and layers."""

    features: tuple[str, str]
    held: str
    mode: str
    layers: tuple[str, ...]

    def plane(self, case: Case) -> CasePlane:
        """The slice of this view."""
        return plane(case.scenario, self.features, self.held == PLAN)


def choose_view(case: Case) -> View:
    """Draw the controls; the view they describe."""
    names = numeric_features(case)
    found = computing.solution(case.scenario).real.plan.x
    usual = telling_features(case, found)
    notices.about_choices(
        {
            "across": names,
            "up": names,
            "held": HELD.values(),
            "view": MODES.values(),
            "layers": LAYERS.values(),
        }
    )
    across, up, held = *usual, PLAN
    if not is_flat(case):
        columns = st.columns(3, vertical_alignment="bottom")
        with columns[0]:
            across = _feature("Across", "across", names, usual[0])
        with columns[1]:
            others = [name for name in names if name != across]
            up = _feature("Up", "up", others, next(n for n in (*usual[::-1],) if n != across))
        with columns[2]:
            held = _held(found is not None)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        mode = st.segmented_control(
            "Show",
            list(MODES),
            default=PICTURE,
            required=True,
            format_func=MODES.get,
            key="view",
            bind="query-params",
            help="One picture to click into, the same over growing ρ, or the paper's Algorithm 1.",
        )
        layers = st.pills(
            "Add",
            list(LAYERS),
            selection_mode="multi",
            default=[PATH, ROAR],
            format_func=LAYERS.get,
            key="layers",
            bind="query-params",
            disabled=mode == ANIMATION,
            help="Level lines join points with the same worst-case probability of failing.",
        )
    return View((across, up), held, mode, tuple(layers))


def is_flat(case: Case) -> bool:
    """Whether the dataset has two features only, so that there is nothing to hold."""
    return case.x0.size - 1 == 2


def _feature(label: str, key: str, names: list[str] | tuple[str, ...], usual: str) -> str:
    """One axis; a name the dataset does not have gives way to the usual one."""
    if st.session_state.get(key, usual) not in names:
        st.session_state[key] = usual
    return st.selectbox(
        label,
        names,
        index=list(names).index(usual),
        key=key,
        bind="query-params",
        help="The features the plan moves most come first." if key == "across" else None,
    )


def _held(has_plan: bool) -> str:
    """Where the other features are held; without a plan there is only the applicant."""
    if not has_plan:
        st.caption("All other features are held at the applicant, because there is no plan.")
        return APPLICANT
    return st.segmented_control(
        "All other features are held at",
        list(HELD),
        default=PLAN,
        required=True,
        format_func=HELD.get,
        key="held",
        bind="query-params",
        width="stretch",
        help="A slice through all features: two of them vary, the rest stay fixed.",
    )
