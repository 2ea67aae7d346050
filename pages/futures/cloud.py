"""The models as points: the chart, how it is looked at, and whether reality lies inside."""

from collections.abc import Sequence

import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.case.outlook import Outlook
from dirrac_core.figures.parameter_cloud import ENOUGH, parameter_cloud
from dirrac_core.geometry.model_cloud import PRINCIPAL, model_cloud
from dirrac_core.models.component_words import weight_names
from pages.shared.pictures import draw_picture, theme
from pages.shared.plain_text import plain

WEIGHTS, PRINCIPAL_VIEW = "two weights", "principal components"


def show_cloud(case: Case, outlook: Outlook) -> None:
    """The chart with the choice of what to look at."""
    names = weight_names(case.dataset.schema.columns)
    view = _view(outlook, names)
    draw_picture(
        parameter_cloud(
            model_cloud(
                *(outlook.parameters, outlook.labels, outlook.mixture, outlook.radii, names),
                view,
                outlook.shifted,
                case.problem.metric,
                outlook.reality,
            ),
            outlook.names,
            theme(),
            ENOUGH,
            case.bundle.future.simulated,
        ),
        "parameter cloud",
    )
    of_what = "the present people" if case.declared is None else "the people of a declared future"
    drawn = f"a random 80% of {of_what}"
    if case.bundle.bootstrap is not None:
        drawn = f"people drawn with replacement from {of_what}"
    st.caption(
        f"Every point is one model, trained on {drawn}{_how_many(outlook)}. The large marker is a "
        "component's mean, the ellipse two deviations of its scatter, the shaded disc the means "
        f"within its radius of doubt ρ; {outlook.training.inside} of these "
        f"{len(outlook.parameters)} models lie that close to a mean. "
        f"Crosses: {case.bundle.future.source} {plain(case.dataset.shift_description)}"
    )


def _how_many(outlook: Outlook) -> str:
    most = max(*outlook.counts, len(outlook.shifted))
    return f"; at most {ENOUGH} of a kind are drawn" if most > ENOUGH else ""


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
