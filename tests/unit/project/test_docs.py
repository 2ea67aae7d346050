"""The examples of the documentation run, and its pages build without a broken link."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted((ROOT / "docs" / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_runs(path, capsys):
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out.strip()


def test_every_example_is_shown():
    shown = (ROOT / "docs" / "examples.md").read_text()
    assert EXAMPLES and all(f"docs/examples/{path.name}" in shown for path in EXAMPLES)


def test_the_documentation_builds(tmp_path):
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "find_recourse" in (tmp_path / "reference" / "index.html").read_text()
