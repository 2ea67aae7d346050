"""The components one by one, and why there are K of them."""

import pandas as pd
import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.case.outlook import Outlook
from dirrac_core.figures.drawing.palette import component_name
from dirrac_core.figures.lessons.elbow import elbow
from dirrac_core.models.estimate import MixtureEstimate
from pages.shared.pictures import draw_picture, theme
from pages.shared.plain_text import plain, plain_table


def show_components(outlook: Outlook) -> None:
    """One row per component: p̂_k, ρ_k, how many models it holds, and what it is like."""
    st.subheader("The components")
    st.table(
        plain_table(component_table(outlook)), alt="Weight, radius and character of each component"
    )
    st.caption(
        "p̂ is the component's weight, ρ its radius of doubt. “Kinder” and “stricter” compare its "
        "average model with the average over all components; the numbers are differences of "
        "weights."
    )


def component_table(outlook: Outlook) -> pd.DataFrame:
    """The component table as it is shown."""
    rows = [
        {
            "Component": component_name(k, outlook.names),
            "p̂": f"{outlook.mixture.weights[k]:.0%}",
            "ρ": f"{outlook.radii[k]:g}",
            "Models": f"{outlook.counts[k]} of {len(outlook.labels)}",
            "What sets it apart": outlook.descriptions[k],
        }
        for k in range(outlook.mixture.components)
    ]
    return pd.DataFrame(rows).set_index("Component")


def show_number(case: Case, outlook: Outlook, automatic: MixtureEstimate) -> None:
    """The elbow with the K in use, and the reason for it."""
    st.subheader("Why this many?")
    st.markdown(plain(outlook.reason))
    if case.declared is not None:
        st.caption("Were K estimated from re-trainings, the elbow rule below would choose it.")
    curve = automatic.distortions
    if curve is None or curve[0] <= 0.0:
        st.info("The re-trained models are all alike: there is nothing to group.")
        return
    chosen = automatic.components if case.declared else outlook.mixture.components
    draw_picture(elbow(curve, chosen, theme()), "elbow")
