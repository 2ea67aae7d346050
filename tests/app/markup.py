"""Text of a table that would be read as markup, wherever a page shows it."""

import json
import re

from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1.element_tree import Block

MARKUP = re.compile(r"(?<!\\)(?:<b>|\*\*y|\[z\]|\$q|:red\[|<img)")
# Streamlit shows these as they are.
PLAIN_FIELDS = {"id", "spec", "alt", "url", "formId", "data", "default", "value"}
PLAIN_FIELDS |= {"rawValue", "rawValues", "placeholder"}


def texts(node, path=()):
    """Every text of a tree of protobuf messages as dictionaries, with the field it is in."""
    if isinstance(node, dict):
        for name, value in node.items():
            yield from texts(value, (*path, name))
    elif isinstance(node, list):
        for value in node:
            yield from texts(value, path)
    elif isinstance(node, str):
        yield path, node


def _in_words(configuration):
    """Whether titles or help of an editor's columns, which are markup, hold text of the table."""
    columns = json.loads(configuration).values()
    words = [str(each.get(part, "")) for each in columns for part in ("label", "help")]
    return any(MARKUP.search(each) for each in words)


def elements(block):
    for child in block.children.values():
        yield child
        if isinstance(child, Block):
            yield from elements(child)


def shown_as_markup(at):
    """Texts of the table that Streamlit or plotly would read as markup: where, and what."""
    shown = []
    for element in elements(at._tree):
        kind = element.type
        given = json.loads(element.proto.json or "null") if kind == "bidi_component" else None
        if isinstance(given, dict) and "figure" in given:
            drawn = json.loads(given["figure"])
            shown += [(kind, text) for _, text in texts(drawn) if "<b>x" in text or "<img" in text]
            continue
        if kind == "html" or (isinstance(given, dict) and "svg" in given):
            # HTML of our own, in which every text of the table is escaped.
            body = element.proto.body if kind == "html" else given["svg"]
            shown += [(kind, body)] if "<b>x" in body or "<img" in body else []
            continue
        if kind == "iframe":
            # The letter as it will be printed: HTML in which every text of the table is escaped.
            body = element.proto.srcdoc
            shown += [(kind, body)] if "<b>x" in body or "<img" in body else []
            continue
        if kind == "bidi_component":
            # Data of a part that writes it as text.
            continue
        if kind in ("table", "arrow_table"):
            frame = element.value
            cells = [*frame.index, *frame.columns, *frame.to_numpy().ravel()]
            shown += [(kind, str(cell)) for cell in cells if MARKUP.search(str(cell))]
        if element.proto is not None:
            listed = kind in ("selectbox", "multiselect")
            # A cell of an editor is drawn as text, its choices too.
            editor = kind in ("dataframe", "arrow_data_frame")
            shown += [
                (kind, text)
                for path, text in texts(MessageToDict(element.proto))
                if MARKUP.search(text)
                and not PLAIN_FIELDS & set(path)
                and not (listed and "options" in path)
                and not (editor and "columns" in path and not _in_words(text))
            ]
    return shown
