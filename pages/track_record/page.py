"""Track record: at past dates, what was promised and what happened, for the current settings."""

import streamlit as st

from dirrac_core import Dataset, load_dataset
from dirrac_core.case.scenario import Scenario
from dirrac_core.studies.evidence.backtest import Record
from dirrac_core.studies.evidence.track_record import GUARANTEE, promise_word, records_like
from pages.runs import background
from pages.runs.panel import show_run
from pages.shared import notices, state, wording
from pages.shared.defaults import LOGISTIC, NETWORK, offered_futures, usual_scenario
from pages.shared.plain_text import plain
from pages.shared.promise import NO_RECORD
from pages.sidebar.chosen_radius import show_counts
from pages.sidebar.future_controls import change_futures
from pages.track_record.record import show_record
from pages.track_record.run import RECORD, Asked, choose_evidence, offer_record
from pages.track_record.stored import show_stored


def page(scenario: Scenario) -> None:
    """The record of these settings, the choice of ρ, and every stored record."""
    dataset = load_dataset(scenario.dataset)
    st.header(f"Promised and happened · {plain(dataset.title)}")
    if scenario.model == NETWORK:
        st.info(
            "Promises are checked with the logistic regression and with boosted trees: a network "
            "takes too long to train again at every date.",
            icon=":material/info:",
        )
    else:
        kind = choose_evidence(dataset)
        with notices.show_errors():
            _record(scenario, dataset, kind)
        if scenario.model == LOGISTIC:
            with notices.show_errors():
                show_counts(scenario)
    show_stored()


def _record(scenario: Scenario, dataset: Dataset, kind: str) -> None:
    run = background.run_of(RECORD)
    if show_run(run):
        return
    if run is not None and run.state == background.STOPPED:
        st.info("Stopped before the end; nothing of it is counted.", icon=":material/info:")
    found = [record for record in records_like(scenario.settings) if record.kind == kind]
    record = found[0] if found else None
    if record is None:
        st.markdown(NO_RECORD)
        _prepare(scenario, None)
        offer_record(scenario, kind, known=False)
        return
    _difference(record, scenario)
    show_record(record, dataset)
    _prepare(scenario, record)
    own = run is not None and run.about == Asked(scenario.settings, kind)
    offer_record(scenario, kind, known=own or record.settings == scenario.settings)


def _difference(record: Record, scenario: Scenario) -> None:
    if scenario.model == LOGISTIC and record.settings.radii != scenario.radii:
        theirs = wording.setting_words(record.settings, "radii")
        st.caption(f"The nearest record at hand is for ρ = {theirs}.")


def _prepare(scenario: Scenario, record: Record | None) -> None:
    """Settings that prepare for more, where promises broke or nothing is known."""
    if record is not None and promise_word(record) == GUARANTEE:
        return
    with st.container(horizontal=True):
        for futures in ("history", "stress"):
            able = futures in offered_futures(scenario.dataset, scenario.model)
            if able and scenario.futures not in (futures, "history"):
                st.button(
                    f"Prepare for {wording.FUTURES[futures]}",
                    icon=":material/shield:",
                    on_click=change_futures,
                    args=(futures,),
                )
        usual = usual_scenario(scenario.dataset, scenario.applicant, scenario.model)
        if usual.settings != scenario.settings:
            st.button(
                "Use the recommended settings",
                icon=":material/restart_alt:",
                on_click=state.use_todays_defaults,
            )


current = state.current()
notices.report_link()
with notices.show_errors():
    page(current)
