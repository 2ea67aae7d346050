"""The neural networks of a dataset: trained once, beside the pages, before a page needs them."""

from functools import partial

import streamlit as st

from dirrac_core import load_dataset
from dirrac_core.case.futures import bootstrap_of
from dirrac_core.case.settings import Settings
from dirrac_core.models.bundle import is_prepared, keep_prepared, prepare
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.progress import Cancel, Progress
from pages.runs import background
from pages.runs.panel import show_run
from pages.runs.processes import run_apart
from pages.shared import state

NETWORK = "mlp"
_RUN = "network training"


def is_ready(settings: Settings) -> bool:
    """Whether no network has to be trained for these settings."""
    if settings.model != NETWORK:
        return True
    data, bootstrap = load_dataset(settings.dataset), bootstrap_of(settings)
    return is_prepared(data, NETWORK, seed=settings.seed, bootstrap=bootstrap)


def show_until_ready(settings: Settings) -> bool:
    """Whether the models are there; while they are not, the training in place of the page."""
    if is_ready(settings):
        return True
    # The re-trainings of a network serve every declared training size.
    bootstrap = None if bootstrap_of(settings) is None else Bootstrap()
    about = (settings.dataset, settings.seed, bootstrap)
    run = background.run_of(_RUN)
    if run is None or run.about != about:
        _start(*about)
        run = background.run_of(_RUN)
    st.header("Neural networks")
    st.markdown(
        "The neural networks of this dataset are trained once; every page can use them afterwards."
    )
    if show_run(run):
        return False
    if is_ready(settings):
        st.rerun()
    with st.container(horizontal=True):
        st.button(
            "Train the networks", icon=":material/model_training:", on_click=_start, args=about
        )
        st.button(
            "Use the logistic regression",
            icon=":material/swap_horiz:",
            on_click=state.change_model,
            args=("logistic",),
        )
    return False


def _start(dataset: str, seed: int, bootstrap: Bootstrap | None) -> None:
    data = load_dataset(dataset)

    def train(progress: Progress, cancel: Cancel) -> None:
        # Another visitor may have had them trained while this one waited.
        if not is_prepared(data, NETWORK, seed=seed, bootstrap=bootstrap):
            networks = partial(prepare, bootstrap=bootstrap)
            bundle = run_apart(networks, (data, NETWORK, 1, seed), progress, cancel)
            if bundle is not None:
                keep_prepared(bundle, data)

    background.start(_RUN, (dataset, seed, bootstrap), train)
