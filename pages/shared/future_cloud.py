"""The models as points: the chart, how it is looked at, and whether reality lies inside."""

import streamlit as st

from dirrac_core.figures.palette import component_name
from dirrac_core.figures.parameter_cloud import PRINCIPAL, parameter_cloud
from dirrac_core.models.component_words import weight_names
from dirrac_core.outlook import Outlook
from dirrac_core.scenario import Case
from pages.shared.pictures import picture, theme

WEIGHTS, PRINCIPAL_VIEW = "two weights", "principal components"


def verdict(case: Case, outlook: Outlook) -> str:
    """In plain words whether the models after the shift lie where the components expect them."""
    reality, total = outlook.reality, len(outlook.shifted)
    simulated = case.bundle.future.simulated
    kind = "simulated future models" if simulated else "models trained after the shift"
    count = {0: "None", total: "All"}.get(reality.inside, f"{reality.inside}")
    nearest = component_name(reality.nearest, outlook.names)
    covered = (
        "**inside**, so the promises on the other pages cover them."
        if reality.group_inside
        else "**outside**, so the promises on the other pages do not cover them."
    )
    words = (
        f"**{count} of the {total} {kind}** {'lies' if reality.inside < 2 else 'lie'} within the "
        "radius of doubt ρ of a component's mean. Taken together, mean and scatter, they are "
        f"{reality.group_distance:.2f} away from “{nearest}”, whose ρ is "
        f"{reality.radii[reality.nearest]:g}: {covered}"
    )
    if outlook.undeclared is not None:
        before = outlook.undeclared.group_distance
        words += f" Without the declared shifts they would be {before:.2f} away."
    return words


def cloud(case: Case, outlook: Outlook) -> None:
    """The chart with the choice of what to look at."""
    names = weight_names(case.dataset.schema.columns)
    view = _view(case, outlook, names)
    if view is None:
        st.info("Choose two different weights.", icon=":material/info:")
        return
    picture(
        parameter_cloud(
            outlook.parameters,
            outlook.labels,
            outlook.mixture,
            outlook.radii,
            names,
            view,
            outlook.shifted,
            outlook.names,
            theme(),
        ),
        "parameter cloud",
    )
    of_what = "the present people" if case.declared is None else "the people of a declared future"
    st.caption(
        f"Every point is one model, trained on a random 80% of {of_what}. The large marker is a "
        "component's mean, the ellipse two deviations of its scatter, the shaded disc the means "
        "within its radius of doubt ρ. "
        f"Crosses: {case.bundle.future.source} {case.dataset.shift_description}"
    )


def _view(case: Case, outlook: Outlook, names: tuple[str, ...]) -> tuple[int, int] | str | None:
    """Two weights by their places, the principal components, or None for the same weight twice."""
    kind = st.segmented_control(
        "Seen by",
        [WEIGHTS, PRINCIPAL_VIEW],
        default=WEIGHTS,
        required=True,
        key="seen by",
        help="Principal components are the directions in which the re-trained models differ most.",
    )
    if kind == PRINCIPAL_VIEW:
        return PRINCIPAL
    left, right = st.columns(2)
    with left:
        across = _weight("Across", names, outlook.telling_weights[0], case)
    with right:
        up = _weight("Up", names, outlook.telling_weights[1], case)
    return None if across == up else (across, up)


def _weight(label: str, names: tuple[str, ...], index: int, case: Case) -> int:
    return st.selectbox(
        label,
        range(len(names)),
        index=index,
        key=f"{label} {case.scenario.dataset}",
        format_func=lambda place: names[place],
        help="A weight of the model. At first the two that the shift moved most.",
    )
