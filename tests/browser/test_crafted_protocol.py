"""What anybody can send to a served page in the place of a browser: refused, and the page stays."""

import json

import pytest
from crafted import STATES, run, states_of
from protocol import handshake, put, session_of
from streamlit.proto.WidgetStates_pb2 import WidgetState

from dirrac_core.data.upload.sample_table import sample_table
from pages.shared.address.links import PAGE_PARAMETERS
from pages.shared.navigation import NAMES

# Pages that react to a click into a chart, or hold a part of our own or an editor.
REACTING = ("recourse", "geometry", "frontier", "your_data")
# The other pages share their widgets' kinds with these: broken, wrong and endless.
FEW = (0, 4, 5, 8, len(STATES) - 1)


def attack(line, page, widgets, rounds, fragment=""):
    """Send crafted values to all these widgets at once, round by round; whether any was refused."""
    refused = False
    for number in rounds:
        states = [states_of(kind, id_, number) for id_, (kind, _) in widgets.items()]
        seen = run(line, page, states, fragment=fragment)
        assert not seen.broken, (page, number, STATES[number % len(STATES)][:200])
        assert seen.headings or fragment, (page, number)
        refused = refused or seen.refused
    return refused


@pytest.mark.parametrize("page", NAMES)
def test_no_crafted_state_of_any_widget_breaks_a_page(server, page):
    name = "" if page == NAMES[0] else page
    with handshake(server) as line:
        first = run(line, name)
        assert first.widgets and not first.broken
        assert attack(line, name, first.widgets, range(len(STATES)) if page in REACTING else FEW)
        # The page is as usual afterwards, and nothing is refused for ever.
        after = run(line, name)
        assert not after.broken and not run(line, name).refused


@pytest.mark.parametrize("page", NAMES)
def test_a_page_opened_with_endless_numbers_says_what_it_left_out(server, page):
    query = "&".join(f"{name}=inf" for name in PAGE_PARAMETERS)
    with handshake(server) as line:
        seen = run(line, "" if page == NAMES[0] else page, query=query)
    assert seen.headings and not seen.broken
    if page != NAMES[0]:
        assert any("no such value can be set" in alert for alert in seen.alerts)


def test_values_sent_before_their_widgets_exist_are_looked_at_when_they_appear(server):
    with handshake(server) as line:
        known = run(line, "geometry").widgets
    for number in range(10):
        with handshake(server) as line:
            states = [states_of(kind, id_, number) for id_, (kind, _) in known.items()]
            seen = run(line, "geometry", states)
            assert not seen.broken and seen.headings, number
            # It is noticed while the page is drawn, so the next run says it.
            assert run(line, "geometry").refused, number


def test_crafted_rows_of_the_finder(server):
    with handshake(server) as line:
        first = run(line, "recourse")
        opened = run(line, "recourse", [WidgetState(id=first.labels["Find"], trigger_value=True)])
        inside = {id_: (kind, part) for id_, (kind, part) in opened.widgets.items() if part}
        tables = {id_: each for id_, each in inside.items() if each[0] == "dataframe"}
        (fragment,) = {part for _, part in tables.values()}
        attack(line, "recourse", inside, range(len(STATES)), fragment)
        before = run(line, "recourse")
        assert not before.broken and before.headings == first.headings


def test_crafted_edits_of_a_table(server):
    content = sample_table("present").encode()
    with handshake(server) as line:
        session = session_of(line)
        first = run(line, "your_data")
        assert put(server, session, "table", content) == 204
        held = WidgetState(
            id=next(id_ for id_, each in first.widgets.items() if "upload present" in id_)
        )
        held.file_uploader_state_value.uploaded_file_info.add(
            file_id="table", name="table.csv", size=len(content)
        )
        shown = run(line, "your_data", [held])
        editors = {i: each for i, each in shown.widgets.items() if each[0] == "dataframe"}
        assert len(editors) == 2 and not shown.broken
        for number in range(len(STATES)):
            # A refused editor is drawn again under another number.
            shown = run(
                line, "your_data", [states_of(k, i, number) for i, (k, _) in editors.items()]
            )
            assert not shown.broken, (number, STATES[number])
            editors = {i: e for i, e in shown.widgets.items() if e[0] == "dataframe"}
            assert len(editors) == 2, (number, STATES[number])
        # What the cells offer is taken.
        (columns,) = (i for i in editors if "columns" in i)
        edits = {"edited_rows": {"0": {"Use": False}}, "added_rows": [], "deleted_rows": []}
        taken = run(line, "your_data", [WidgetState(id=columns, string_value=json.dumps(edits))])
        assert not taken.broken and not run(line, "your_data").refused
