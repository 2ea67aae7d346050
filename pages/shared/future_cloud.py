"""The models as points: the chart, how it is looked at, and whether reality lies inside."""

from collections.abc import Sequence

import streamlit as st

from dirrac_core.figures.palette import component_name
from dirrac_core.figures.parameter_cloud import PRINCIPAL, parameter_cloud
from dirrac_core.models.component_words import weight_names
from dirrac_core.outlook import Outlook
from dirrac_core.scenario import Case
from pages.shared.pictures import picture, theme
from pages.shared.plain_text import plain

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
    view = _view(outlook, names)
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
        f"within its radius of doubt ρ; {outlook.training.inside} of these "
        f"{len(outlook.parameters)} models lie that close to a mean. "
        f"Crosses: {case.bundle.future.source} {plain(case.dataset.shift_description)}"
    )


def _view(outlook: Outlook, names: tuple[str, ...]) -> tuple[int, int] | str:
    """Two weights by their places, or the principal components."""
    kind = st.segmented_control(
        "Seen by",
        [WEIGHTS, PRINCIPAL_VIEW],
        default=WEIGHTS,
        required=True,
        key="seen",
        bind="query-params",
        help="Principal components are the directions in which the re-trained models differ most.",
    )
    if kind == PRINCIPAL_VIEW:
        return PRINCIPAL
    usual = [names[place] for place in outlook.telling_weights]
    left, right = st.columns(2)
    with left:
        across = _weight("Across", "weight_across", names, usual[0])
    with right:
        others = [name for name in names if name != across]
        up = _weight("Up", "weight_up", others, next(n for n in usual[::-1] if n != across))
    return names.index(across), names.index(up)


def _weight(label: str, key: str, names: Sequence[str], usual: str) -> str:
    """One axis; a weight the dataset does not have, or taken by the other, becomes the usual."""
    if st.session_state.get(key, usual) not in names:
        st.session_state[key] = usual
    return st.selectbox(
        label,
        names,
        index=names.index(usual),
        key=key,
        bind="query-params",
        help="A weight of the model. At first the two that the shift moved most.",
    )
