"""A press in a part of the settings asks for what follows it; any other for what it did."""

import pytest
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

from pages.doors.presses import widened
from pages.sidebar import parts
from pages.sidebar.live import DRAWN_AFTER, PLAN


def on_screen(*keys):
    """The fragments of a page, by their keys; the number of each is its key, twice."""
    storage = MemoryFragmentStorage()
    for key in keys:
        storage.register(2 * key, lambda: None, target_key=key)
    return storage


@pytest.mark.parametrize("pressed", DRAWN_AFTER)
def test_a_press_asks_for_all_that_is_drawn_after_it_the_plan_first(pressed):
    storage = on_screen(*parts.PARTS, PLAN)
    asked = widened(RerunData(query_string="v=2", fragment_id=2 * pressed), storage, DRAWN_AFTER)
    assert asked.fragment_id_queue == [2 * key for key in DRAWN_AFTER[pressed]]
    assert asked.fragment_id_queue[0] == 2 * PLAN
    assert asked.fragment_id is None and asked.query_string == "v=2"


def test_other_requests_stay_as_they_are():
    storage = on_screen(*parts.PARTS, PLAN)
    for number in (None, 2 * PLAN, 2 * parts.HISTORY, "a dialog"):
        asked = RerunData(fragment_id=number)
        assert widened(asked, storage, DRAWN_AFTER) is asked


def test_a_page_without_such_parts_is_left_alone():
    asked = RerunData(fragment_id="of its own")
    assert widened(asked, on_screen(), DRAWN_AFTER) is asked
    assert widened(asked, on_screen(parts.RADIUS), DRAWN_AFTER) is asked
