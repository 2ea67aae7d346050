"""Which slice to look at: the controls of the geometry page, all of them in the link."""

from dataclasses import dataclass

import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.geometry.case_plane import CasePlane, numeric_features, telling_features
from dirrac_core.paper.figures.feasible_set import figure_2_scenario
from pages.shared import computing, notices, state
from pages.shared.address.linked_controls import choose_one, choose_some

PICTURE, ANIMATION, STEPS = "picture", "animation", "steps"
MODES = {
    PICTURE: "Picture",
    ANIMATION: "Animate ρ",
    STEPS: "Algorithm 1, step by step",
}
APPLICANT, PLAN = "applicant", "plan"
HELD = {APPLICANT: "the applicant", PLAN: "the plan"}
LEVELS, PATH, ROAR, ROOM = "levels", "path", "roar", "room"
LAYERS = {
    LEVELS: "Level lines",
    PATH: "Path of Algorithm 1",
    ROAR: "ROAR's plan",
    ROOM: "Room to move",
}


@dataclass(frozen=True)
class View:
    """What the visitor looks at: two features, where the others are held, mode and layers."""

    features: tuple[str, str]
    held: str
    mode: str
    layers: tuple[str, ...]

    @property
    def at_plan(self) -> bool:
        """Whether the other features are held at the plan."""
        return self.held == PLAN

    def plane(self, case: Case) -> CasePlane:
        """The slice of this view."""
        return computing.plane(case.scenario, self.features, self.at_plan)


def choose_view(case: Case) -> View:
    """Draw the bar of controls; the view they describe."""
    names = numeric_features(case)
    found = computing.solution(case.scenario).plan.x
    usual = telling_features(case, found)
    notices.report_choices(
        {
            "across": names,
            "up": names,
            "held": HELD.values(),
            "view": MODES.values(),
            "layers": LAYERS.values(),
        }
    )
    across, up, held = *usual, PLAN if found is not None else APPLICANT
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        mode = choose_one(
            "Show",
            MODES,
            "view",
            "One picture to click into, the same over growing ρ, or the paper's Algorithm 1.",
        )
        if not is_flat(case):
            across = choose_feature("Across", "across", names, usual[0])
            others = [name for name in names if name != across]
            up = choose_feature("Up", "up", others, next(n for n in (*usual[::-1],) if n != across))
            if found is not None:
                held = choose_held()
        st.button(
            "Figure 2",
            icon=":material/auto_stories:",
            on_click=_figure_2,
            disabled=case.scenario == figure_2_scenario(),
            help="Settings whose picture looks like Figure 2 of the paper. Undo brings back yours.",
        )
        layers = choose_some(
            "Also draw",
            LAYERS,
            "layers",
            "Level lines join points with the same worst case, in declining models of 100. The "
            "room to move is a box of plans that keep the promise almost as well.",
            (ROAR, ROOM),
            disabled=mode != PICTURE,
        )
    return View((across, up), held, mode, tuple(layers) if mode == PICTURE else ())


def _figure_2() -> None:
    state.set_scenario(figure_2_scenario())


def is_flat(case: Case) -> bool:
    """Whether the dataset has two features only, so that there is nothing to hold."""
    return case.x0.size - 1 == 2


def choose_held() -> str:
    """Where the features that do not vary are held; the plan at first."""
    slice_words = "A slice through all features: two of them vary, the rest stay fixed."
    return choose_one("Others held at", HELD, "held", slice_words, PLAN)


def choose_feature(label: str, key: str, names: list[str] | tuple[str, ...], usual: str) -> str:
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
        width=170,
    )
