"""Widget values no page offers, as anybody can send them: refused, said, and nothing changes."""

import pytest
from own_tables import scenario_of, trained
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1.element_tree import Widget

from dirrac_core.data.upload.sample_table import sample_table
from pages.shared import navigation
from pages.shared.notices import REFUSED

EVERYTHING = "recourse"
PAGES = list(navigation.NAMES)
NAN = float("nan")


def strings(number, *data):
    sent = WidgetState(id=number)
    sent.string_array_value.data.extend(data)
    return sent


def doubles(number, *data):
    sent = WidgetState(id=number)
    sent.double_array_value.data.extend(data)
    return sent


def crafted(kind, number):
    """Values of the right kind that the widget does not offer, and values of a wrong kind."""
    match kind:
        case "selectbox" | "radio":
            yield WidgetState(id=number, string_value="table-" + "0" * 32)
            yield WidgetState(id=number, int_value=10**12)
        case "multiselect" | "button_group" | "select_slider":
            yield strings(number, "zzz")
            yield doubles(number, NAN)
        case "slider":
            yield doubles(number, NAN)
            yield doubles(number, 1e300)
            yield doubles(number, 1.0, 2.0, 3.0)
            yield WidgetState(id=number, string_value="zzz")
        case "number_input":
            yield WidgetState(id=number, double_value=NAN)
            yield WidgetState(id=number, double_value=1e300)
            yield strings(number, "zzz")
        case "toggle" | "checkbox" | "button" | "download_button":
            yield WidgetState(id=number, json_value="{")
            yield strings(number, "zzz")
        case _:
            yield WidgetState(id=number, json_value="{")
            yield WidgetState(id=number, double_value=NAN)


def widgets(at, page=EVERYTHING):
    """All widgets; on other pages than the first only their own, the sidebar being the same."""
    tree = at._tree if page == EVERYTHING else at.main
    return [(node.type, node.id, node.label) for node in tree if isinstance(node, Widget)]


def send(at, sent):
    """One run with this value in the place of the widget's own."""
    states = [state for state in at._tree.get_widget_states().widgets if state.id != sent.id]
    return at._run(WidgetStates(widgets=[*states, sent]))


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_no_crafted_value_ends_in_an_error(open_app, runs, page):
    at = open_app(page)
    assert not at.exception
    # A page that waits for long work runs again when that ends, and with it goes the notice.
    for run in runs.values():
        assert run.wait(180)
    at.run()
    before, tried = at.session_state["scenario"], 0
    # What is disabled is left alone by Streamlit itself.
    disabled = {node.id for node in at._tree if getattr(node, "disabled", False)}
    for kind, number, label in widgets(at, page):
        for sent in crafted(kind, number):
            # A number field without bounds takes any number.
            if sent.double_value == 1e300 and label not in ("Seed",):
                continue
            send(at, sent)
            about = (kind, label, str(sent))
            assert not at.exception, about
            assert at.header or at.title, about
            assert at.session_state["scenario"] == before, about
            if number not in disabled:
                assert REFUSED in [warning.value for warning in at.warning], about
            tried += 1
    assert tried > 1 or not widgets(at, page)
    assert not at.run().exception
    assert REFUSED not in [warning.value for warning in at.warning]


@pytest.mark.usefixtures("at_once")
def test_a_table_of_another_session_is_not_opened_by_a_crafted_choice(open_app):
    first = trained(open_app("your_data"), sample_table("present").encode(), "passed")
    name = scenario_of(first).dataset
    other = open_app("recourse")
    number = next(s.id for s in other.selectbox if s.label == "Dataset")
    for text in (name, "mine"):
        send(other, WidgetState(id=number, string_value=text))
        assert not other.exception and scenario_of(other).dataset == "german"
        assert REFUSED in [warning.value for warning in other.warning]
    # The one who uploaded it goes on.
    assert not first.run().exception and scenario_of(first).dataset == name
