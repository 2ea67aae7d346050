"""A click is answered while a page still computes: the page leaves its work between two solves."""

from contextlib import AbstractContextManager
from dataclasses import replace

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException, StopException, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

from dirrac_core.progress import looking_up


def answered() -> AbstractContextManager[None]:
    """Inside, a click that runs the page again need not wait for the end of a long computation."""
    return looking_up(_look)


def _look() -> None:
    # Streamlit gives up a run of the page wherever it asks for the state after a new click.
    _ = "click" in st.session_state
    # But not for a click in a part of the page that is drawn by itself: that would wait.
    context = get_script_run_ctx()
    requests = None if context is None else context.script_requests
    if context is None or requests is None or requests._state != ScriptRequestType.RERUN:
        return
    request = requests.on_scriptrunner_ready()
    if request.type != ScriptRequestType.RERUN:
        # The visitor has left meanwhile.
        raise StopException
    wanted = request.rerun_data
    drawn = context.fragment_ids_this_run
    if not drawn or not set(drawn) <= set(wanted.fragment_id_queue):
        # What is left undrawn now has to be drawn then.
        wanted = replace(wanted, fragment_id_queue=[])
    raise RerunException(wanted)
