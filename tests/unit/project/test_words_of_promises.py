"""The word “guarantee” is kept for promises with a track record; elsewhere it is a worst case."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
WORD = re.compile(r"\bguarantee(d|s)?\b", re.IGNORECASE)
# Where the word may stand: what decides it by the record, and says when it is not earned.
ALLOWED = {
    "dirrac_core/studies/evidence/track_record.py",
    "pages/track_record/record.py",
    "pages/frontier/view.py",
    "pages/frontier/words.py",
    # “An assumption, not a guarantee.”
    "pages/recourse/trees/show.py",
    # The share of a loan the SBA guarantees.
    "dirrac_core/data/datasets/sba.py",
}
# Names of columns and kinds, which nobody reads on a screen.
NAMES = {"guarantee", "guaranteed"}


def texts(tree: ast.AST) -> list[str]:
    """Every text of a module that is neither a docstring nor a bare name."""
    silent = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in silent
        and node.value not in NAMES
        and not re.fullmatch(r"guaranteed_(low|high)_applicants", node.value)
    ]


def offending(path: Path) -> list[str]:
    return [text for text in texts(ast.parse(path.read_text("utf-8"))) if WORD.search(text)]


@pytest.mark.parametrize("folder", ["pages", "dirrac_core"])
def test_no_text_calls_a_promise_a_guarantee_without_its_record(folder):
    found = {
        str(path.relative_to(ROOT)): said
        for path in sorted((ROOT / folder).rglob("*.py"))
        if str(path.relative_to(ROOT)) not in ALLOWED and (said := offending(path))
    }
    assert found == {}


def test_a_text_with_the_word_would_be_found(tmp_path):
    module = tmp_path / "page.py"
    module.write_text('"""Its guarantee."""\nst.write(f"The guarantee of {x}")\n', "utf-8")
    assert offending(module) == ["The guarantee of "]
    module.write_text('rows["guaranteed"]\n', "utf-8")
    assert offending(module) == []


@pytest.mark.parametrize("name", sorted(ALLOWED))
def test_the_exceptions_are_still_there(name):
    assert offending(ROOT / name)


def test_templates_take_the_word_from_the_record():
    for template in ROOT.glob("dirrac_core/**/*.j2"):
        words = re.sub(r"{{.*?}}|{%.*?%}", "", template.read_text("utf-8"))
        assert not WORD.search(words), template
