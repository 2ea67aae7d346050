"""A click in a part of a page drawn by itself is answered before a long computation ends."""

from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner import RerunData, RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests

from dirrac_core.progress import look_up
from pages.runs import clicks


@pytest.fixture
def computing(monkeypatch):
    """A run of these parts, or of the whole page, that has begun to compute."""

    def begun(*parts):
        requests = ScriptRequests()
        context = SimpleNamespace(script_requests=requests, fragment_ids_this_run=list(parts))
        monkeypatch.setattr(clicks, "get_script_run_ctx", lambda: context)
        return requests

    return begun


def left_for():
    """What the run is left for when it looks up."""
    with clicks.answered(), pytest.raises(RerunException) as left:
        look_up()
    return left.value.rerun_data.fragment_id_queue


def test_nothing_is_left_while_nobody_clicks(computing):
    computing("live")
    with clicks.answered():
        look_up()


def test_a_click_in_the_part_that_computes_runs_it_again(computing):
    computing("live").request_rerun(RerunData(fragment_id="live"))
    assert left_for() == ["live"]


@pytest.mark.parametrize("drawn", [(), ("other",), ("live", "other")])
def test_what_would_be_left_undrawn_is_drawn_with_the_whole_page(computing, drawn):
    computing(*drawn).request_rerun(RerunData(fragment_id="live"))
    assert left_for() == []
