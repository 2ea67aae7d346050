"""`dirrac plan`: kinds of plans, what is left alone, and ways out in the reader's own terms."""

from dataclasses import replace

import pytest

from dirrac_core.__main__ import main
from dirrac_core.case.case import make_case, solve_scenario
from dirrac_core.case.no_plan import ways_out
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.actionability import FeatureRule

ASKED = Scenario.of(recommended("german"), 677)


@pytest.fixture
def run(tmp_path, capsys):
    def command(scenario, *options):
        file = tmp_path / "scenario.json"
        file.write_text(scenario.to_json(), encoding="utf-8")
        code = main(["plan", str(file), *options])
        return code, capsys.readouterr()

    return command


def test_the_menu_says_what_each_plan_promises_asks_and_leaves_open(run):
    _, said = run(ASKED, "--menu")
    listed = said.out.split("Plans to choose from:")[1]
    kinds = [line.split(":")[0].strip() for line in listed.splitlines() if line[2:3].isalpha()]
    assert kinds[0] == "safest" and len(set(kinds)) == len(kinds) >= 3
    for part in ("no such plan below", "effort", "change", "of 100 models of later people"):
        assert listed.count(part) >= len(kinds)
    assert listed.count("room to move") == len(kinds)


def test_a_kind_that_does_not_exist_here_is_not_passed_over_in_silence(run):
    code, said = run(ASKED, "--kind", "sparing")
    assert code == 0 and "There is no plan of the kind “sparing” here" in said.out
    _, few = run(ASKED, "--kind", "fewest")
    assert "no plan of the kind" not in few.out
    assert "no plan of the kind" in solve_scenario(replace(ASKED, plan_kind="sparing")).plan.message


def test_a_feature_to_leave_alone_stays_and_the_other_edits_are_kept(run):
    edit = FeatureRule("Duration", "both", low=10.0)
    _, said = run(replace(ASKED, edits=(edit,)), "--leave", "Credit amount")
    locked = (edit, FeatureRule("Credit amount", "no"))
    expected = solve_scenario(replace(ASKED, edits=locked))
    sentence = expected.case.dataset.schema.sentence(expected.case.x0, expected.plan.x)
    assert said.out.startswith(sentence) and "DM" not in sentence
    code, refused = run(ASKED, "--leave", "Salary")
    assert code == 2 and "Salary" in refused.err and "Traceback" not in refused.err


def test_no_plan_names_the_own_range_and_features_and_never_a_column(run):
    edits = (
        FeatureRule("Status", "no"),
        FeatureRule("Credit amount", "no"),
        FeatureRule("Duration", "both", low=60.0),
    )
    blocked = replace(ASKED, edits=edits)
    _, said = run(blocked)
    assert "your minimum of 60 months (Duration)" in said.out and "column" not in said.out
    # Nobody is advised to change what the table calls no plan.
    assert "Age" not in said.out and "Personal status" not in said.out
    freed = make_case(replace(blocked, edits=edits[:2]))
    assert f"{freed.problem.delta_min:.3f}" in said.out
    assert ways_out(freed) == ()
