"""What every page shows: each page × dataset × tab in Streamlit's own test runner.

A page is known by its title and its address, not by its file. Charts, tables and long texts are
compared by a digest. No long work is started, and what a button would compute is not seen.
"""

import hashlib
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from dirrac_core.data import DATASETS
from dirrac_core.data.upload.sample_table import GOOD, sample_table
from dirrac_core.paper.catalogue import EXPERIMENTS

# The same script that the tests of the app run: it goes through app.py on every run.
APP = Path(__file__).parents[1] / "app" / "whole_app.py"
PATIENCE = 300.0
# Title → address. The pages in the second table show the settings of an applicant.
GENERAL = {"Start": "", "Shift lab": "shift_lab", "Your data": "your_data"}
ABOUT_APPLICANT = {
    "Recourse": "recourse",
    "Geometry": "geometry",
    "Frontier": "frontier",
    "Future models": "future_models",
    "Methods": "methods",
    "Portfolio": "portfolio",
    "Paper": "paper",
    "Learn": "learn",
}
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
# The tabs and other ways to look at a page, as parameters of its address.
VIEWS: dict[str, list[dict[str, str]]] = {
    "Recourse": [{"tab": tab} for tab in TABS],
    "Geometry": [{"view": v} for v in ("Picture", "Animate ρ", "Algorithm 1, step by step")],
    "Frontier": [
        {},
        {"against": "worst-case guarantee"},
        {"who": "many applicants"},
    ],
    "Future models": [{"seen": "two weights"}, {"seen": "principal components"}],
    "Methods": [{"methods_for": "this applicant"}, {"methods_for": "the whole dataset"}],
    "Portfolio": [{}],
    "Paper": [{"paper_part": "What can be proven", "claim": claim} for claim in CLAIMS],
    "Learn": [
        {"chapter": "Mathematics", "formulas": "true"},
        *({"chapter": c} for c in ("Mathematics", "Glossary", "Promises and limits", "References")),
    ],
    "Shift lab": [
        *({"lab_kind": kind} for kind in ("mean", "covariance", "both")),
        {"lab_part": "ρ and δ_add on real data"},
        *({"lab_part": "Guided tour", "tour": str(step)} for step in range(1, 11)),
    ],
    "Start": [{}],
    "Your data": [{}],
}
# Unusual states of one applicant; every page about an applicant is opened in each.
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
LONGEST = 1200


def answers() -> dict[str, Any]:
    """Name of the page with its state → its elements in order, one text each."""
    # The runner warns at every opening that it is no server.
    logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").disabled = True
    found = {name: _elements(_opened(title, query)) for name, title, query in _asked()}
    return found | dict(_own_table())


def _asked() -> Iterator[tuple[str, str, dict[str, str]]]:
    for title in GENERAL:
        for view in VIEWS[title]:
            yield _name(title, "", view), title, view
    for dataset in DATASETS:
        for title in ABOUT_APPLICANT:
            for view in VIEWS[title]:
                yield _name(title, dataset, view), title, {"dataset": dataset, **view}
    for each in EXPERIMENTS.values():
        view = {"paper_shown": f"{each.kind.capitalize()}: {each.title}"}
        yield _name("Paper", "", view), "Paper", view
    for state, query in STATES.items():
        for title in ABOUT_APPLICANT:
            yield f"{title} · {state}", title, query


def _name(title: str, dataset: str, view: dict[str, str]) -> str:
    return " · ".join(part for part in (title, dataset, *view.values()) if part)


def _opened(title: str, query: dict[str, str]) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    for name, value in query.items():
        app.query_params[name] = value
    # As when a link is opened: the address chooses the page, before any page has run.
    app._page_hash = calc_hash({**GENERAL, **ABOUT_APPLICANT}[title])
    return app.run()


def _own_table() -> Iterator[tuple[str, list[str]]]:
    """The way of a visitor's own table, from the upload to its first plan."""
    app = _opened("Your data", {})
    for place, which in enumerate(("present", "shifted")):
        content = sample_table(which).encode()
        app.file_uploader[place].set_value((f"{which}.csv", content, "text/csv"))
        app.run()
        yield f"Your data · {which} table uploaded", _elements(app)
    app.multiselect[0].set_value([GOOD]).run()
    yield "Your data · outcome chosen", _elements(app)
    next(button for button in app.button if button.label == "Train and open").click().run()
    yield "Your data · trained", _elements(app)
    app._page_hash = calc_hash(ABOUT_APPLICANT["Recourse"])
    yield "Recourse · own table", _elements(app.run())


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
    if node.type == "plotly_chart":
        return {"alt": kept.get("alt", ""), "spec": digest(kept["spec"])}
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
