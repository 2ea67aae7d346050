"""The README's examples run, and print what the README says they print."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[3] / "README.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture(params=range(len(EXAMPLES)))
def plan(request):
    names: dict[str, object] = {}
    exec(compile(EXAMPLES[request.param], f"README example {request.param}", "exec"), names)
    return names["plan"]


def test_there_are_examples():
    assert len(EXAMPLES) == 2


def test_example_gives_a_certified_plan(plan):
    assert plan.status == "optimal"
    assert plan.checks.ok
    assert 0.0 <= plan.gap <= 1e-6


def test_first_example_prints_the_numbers_in_the_text(capsys):
    exec(compile(EXAMPLES[0], "README example 0", "exec"), {})
    printed = capsys.readouterr().out
    told = re.search(
        r"cost ([\d.]+) that fails for at most ([\d.]+) in 100", README.read_text("utf-8")
    )
    assert told is not None
    cost, in_100 = told.groups()
    assert f" {cost}" in printed
    assert f"at most {in_100} of 100" in printed
