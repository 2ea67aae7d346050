"""What every page shows: each page × dataset × tab in Streamlit's own test runner.

A page is known by its address, not by its file. Charts, tables and long texts are compared by a
digest. No long work is started, and what a button would compute is not seen.
"""

import hashlib
import json
import logging
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from dirrac_core.case.case import bundle_of
from dirrac_core.case.recommended import recommended
from dirrac_core.data import DATASETS
from dirrac_core.data.upload.sample_table import GOOD, sample_table
from dirrac_core.paper.catalogue import EXPERIMENTS
from pages.runs.network_training import NETWORK
from pages.shared.address.links import VERSION
from pages.shared.navigation import NAMES

# The same script that the tests of the app run: it goes through app.py on every run.
APP = Path(__file__).parents[1] / "app" / "whole_app.py"
PATIENCE = 300.0
CLAIMS = (
    "1 · Six problems, one score",
    "2 · No false summits",
    "3 · One plan for both variants",
    "4 · Every answer carries its proof",
    "5 · The adversary sits on the ball",
    "6 · Doubt has a ceiling",
    "7 · The German lesson",
)
TABS = ("How to read it", "Why it holds", "Price", "Shifts", "Compare", "Export")
CHAPTERS = ("Mathematics", "Exercises", "Glossary", "Promises and limits", "References")
# Looked at with every dataset and in every unusual state.
EVERYWHERE = ("recourse", "geometry", "frontier", "methods", "portfolio")
# The tabs and other ways to look at a page, as parameters of its address, with the first dataset.
VIEWS: dict[str, list[dict[str, str]]] = {
    "start": [{}],
    "your_data": [{}],
    "recourse": [{"tab": tab} for tab in TABS],
    "geometry": [{"view": "Animate ρ"}, {"view": "Algorithm 1, step by step"}],
    "frontier": [
        {"against": "worst case"},
        {"who": "many applicants"},
        {"who": "map of ρ and δ_add"},
    ],
    "future_models": [
        *({"futures_show": part} for part in ("Models", "Components", "The German lesson")),
        {"seen": "two weights"},
    ],
    "methods": [{"methods_for": "the whole dataset"}],
    "track_record": [{}, {"evidence": "a placebo"}, {"evidence": "held-out groups"}],
    "paper": [
        *({"paper_part": "What can be proven", "claim": claim} for claim in CLAIMS),
        *(
            {"paper_shown": f"{each.kind.capitalize()}: {each.title}"}
            for each in EXPERIMENTS.values()
        ),
    ],
    "learn": [
        *({"chapter": chapter} for chapter in CHAPTERS),
        {"chapter": "Mathematics", "formulas": "true"},
    ],
    "shift_lab": [
        *({"lab_kind": kind} for kind in ("mean", "covariance", "both")),
        {"lab_part": "ρ and δ_add on real data"},
        *({"lab_part": "Guided tour", "tour": str(step)} for step in range(1, 11)),
    ],
}
# Unusual states of one applicant; those pages are opened in each.
GERMAN = {"dataset": "german", "applicant": "1"}
STATES = {
    "no plan": {**GERMAN, "rho": "2"},
    "declared shifts": {**GERMAN, "shifts": "sampling-noise;coding-correction:1.0"},
    "neural network": {**GERMAN, "model": "mlp"},
    "other settings": {**GERMAN, "k": "3", "weights": "ball", "assume": "gaussian", "norm": "l2"},
    "a wrong link": {**GERMAN, "rho": "much", "colour": "red", "tab": "Nowhere"},
}
# What differs from run to run: ids and the addresses of files.
IGNORED = {"id", "form_id", "url", "page_script_hash", "deferred_file_id"}
MILLISECONDS = re.compile(r"\d[\d,.]* ms\b")
TIME = "Time"
LONGEST = 100


def answers(first: int | None = None) -> dict[str, Any]:
    """Name of the page with its state → its elements in order, one text each.

    `first` ends after so many, and before the way of an own table.
    """
    # The runner warns at every opening that it is no server.
    logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").disabled = True
    asked = islice(_asked(), first)
    found = {name: _elements(_opened(page, query)) for name, page, query in asked}
    return found if first else found | dict(_own_table())


def _asked() -> Iterator[tuple[str, str, dict[str, str]]]:
    """Name of the state, page and address."""
    for page, views in VIEWS.items():
        for view in views:
            yield _name(page, "", view), page, view
    for page in EVERYWHERE:
        for dataset in DATASETS:
            yield _name(page, dataset, {}), page, {"v": VERSION, "dataset": dataset}
        for state, query in STATES.items():
            yield f"{page} · {state}", page, query


def _name(page: str, dataset: str, view: dict[str, str]) -> str:
    return " · ".join(part for part in (page, dataset, *view.values()) if part)


def _opened(page: str, query: dict[str, str]) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    if query.get("model") == NETWORK:
        # A page that has to wait for its networks shows how far they are instead.
        bundle_of(recommended(query["dataset"], NETWORK))
    for name, value in query.items():
        app.query_params[name] = value
    # As when a link is opened: the address chooses the page, before any page has run.
    app._page_hash = _hash_of(page)
    return app.run()


def _hash_of(page: str) -> str:
    """What Streamlit calls a page: the page the app opens with has an empty address."""
    return calc_hash("" if page == NAMES[0] else page)


def _own_table() -> Iterator[tuple[str, list[str]]]:
    """The way of a visitor's own table, from the upload to its first plan."""
    app = _opened("your_data", {})
    for place, which in enumerate(("present", "shifted")):
        content = sample_table(which).encode()
        app.file_uploader[place].set_value((f"{which}.csv", content, "text/csv"))
        app.run()
        yield f"your_data · {which} table uploaded", _elements(app)
    app.multiselect[0].set_value([GOOD]).run()
    yield "your_data · outcome chosen", _elements(app)
    next(button for button in app.button if button.label == "Train and open").click().run()
    yield "your_data · trained", _elements(app)
    app._page_hash = _hash_of("recourse")
    yield "recourse · own table", _elements(app.run())


def _elements(app: AppTest) -> list[str]:
    return [*_walk(app.main, "main"), *_walk(app.sidebar, "sidebar")]


def _walk(node: Any, place: str) -> Iterator[str]:
    """The elements below a block in the order they are shown; a block comes before its parts."""
    for child in node.children.values():
        yield _text(child, place)
        if hasattr(child, "children"):
            yield from _walk(child, place)


def _text(node: Any, place: str) -> str:
    content = {} if node.proto is None else _content(node)
    words = json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return f"{place} {node.type} {words}"


def _content(node: Any) -> Any:
    kept = MessageToDict(node.proto, preserving_proto_field_name=True)
    if node.type in ("dataframe", "table"):
        table = node.value
        if TIME in table:
            table = table.drop(columns=TIME)
        kept.pop("arrow_data", None)
        kept.pop("data", None)
        kept["rows"] = _short(MILLISECONDS.sub("… ms", table.to_csv()))
    if node.type == "progress":
        # How far a run in another process is depends on the machine.
        return {}
    data = json.loads(kept.get("json") or "null") if node.type == "bidi_component" else None
    if isinstance(data, dict) and "figure" in data:
        return {"alt": data["alt"], "figure": digest(data["figure"])}
    return _cleaned(kept)


def _cleaned(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: _cleaned(value) for key, value in content.items() if key not in IGNORED}
    if isinstance(content, list):
        return [_cleaned(entry) for entry in content]
    if isinstance(content, str):
        return _short(MILLISECONDS.sub("… ms", content))
    return content


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:80]}… {len(text)} characters {digest(text)}"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
