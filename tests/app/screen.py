"""What a test reads on a screen, what it presses, and where a page is."""

import json
import os
import re
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pandas as pd
from streamlit.components.v2.bidi_component.main import _make_trigger_id

from pages.shared.navigation import file_of

WHOLE_APP = Path(__file__).parent / "whole_app.py"


def page_file(name: str) -> str:
    """The file of a page as the test runner finds it from the whole app."""
    return os.path.relpath(file_of(name), WHOLE_APP.parent)


def button(at, label):
    """The button of this label; else the first one whose label starts so."""
    listed = list(at.button)
    same = [each for each in listed if each.label == label]
    return (same or [each for each in listed if each.label.startswith(label)])[0]


def plan_title(at):
    """The sentence of the plan on the workbench, or that there is none."""
    found = [re.match("<h3 class='plan'>(.*?)</h3>", each.proto.body) for each in at.get("html")]
    titles = [unescape(title.group(1)) for title in found if title]
    return titles[0] if titles else at.subheader[0].value


def said(at):
    """Everything written on the page."""
    kinds = (
        *(at.main.header, at.main.subheader, at.main.markdown, at.main.caption),
        *(at.main.info, at.main.warning, at.main.error, at.main.success),
    )
    written = [str(element.value) for kind in kinds for element in kind]
    return "\n".join([*written, *(each.proto.body for each in at.get("html"))])


@dataclass(frozen=True)
class Chart:
    """A chart on the page: its part's number, its description and what is drawn."""

    id: str
    alt: str
    text: str

    @property
    def figure(self):
        return json.loads(self.text)


def charts(at):
    """The charts of the page, in their order."""
    given = [(each.proto.id, json.loads(each.proto.json or "null")) for each in _parts(at)]
    return [
        Chart(number, data["alt"], data["figure"])
        for number, data in given
        if isinstance(data, dict) and "figure" in data
    ]


def sortable(at, key):
    """A sortable table of the page, by the titles of its columns; None when it is not there."""
    if not any(key in each.proto.id for each in _parts(at)):
        return None
    given = part(at, key)
    return pd.DataFrame(given["rows"], columns=[column["title"] for column in given["columns"]])


def part(at, key):
    """What a part drawn by the browser itself was given."""
    return json.loads(_part(at, key).proto.json)


def send(at, key, trigger, value):
    """What the browser sends when such a part is used."""
    states = at._tree.get_widget_states()
    given = states.widgets.add()
    given.id = _make_trigger_id(_part(at, key).proto.id, "events")
    given.json_trigger_value = json.dumps([{"event": trigger, "value": value}])
    return at._run(states)


def _part(at, key):
    return next(each for each in _parts(at) if key in each.proto.id)


def _parts(at):
    return at.get("bidi_component")


def edit(at, feature, what, value=None):
    """One edit in a row of the workbench's table."""
    return send(at, "plan table", "edit", {"feature": feature, "what": what, "value": value})


def row_of(at, feature):
    """The row of a feature in the workbench's table."""
    return next(row for row in part(at, "plan table")["rows"] if row["name"] == feature)


def ready(at):
    """The page, after a run without any error."""
    assert not at.exception and not at.error
    return at
