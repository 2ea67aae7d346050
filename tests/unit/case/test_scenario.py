"""Scenarios: files that give the same plan anywhere, and refuse what they do not understand."""

import json
from dataclasses import replace

import numpy as np
import pytest

from dirrac_core.__main__ import main
from dirrac_core.case.case import make_case, solve_scenario
from dirrac_core.case.documents.file import answer_of, recorded_answer, scenario_file
from dirrac_core.case.facts import facts_of, plan_for_today, problem_with_rule
from dirrac_core.case.recommended import recommended, with_model
from dirrac_core.case.scenario import Scenario, without_futures
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.errors import InvalidInput, InvalidMixture, UnknownName
from dirrac_core.recourse import find_recourse
from dirrac_core.robustness import score_terms

FULL = Scenario(
    "german",
    1,
    components=2,
    link="gaussian",
    radii=(0.05, 0.2),
    delta_add=0.41,
    cost="l2",
    weighting="ball",
    divergence="chi2",
    weight_radius=0.25,
    categories="relaxed",
    preset="paper",
    edits=(FeatureRule("Duration", "down", 6, None, 2.5), FeatureRule("Age", "no")),
    solver="projected_gradient",
    gap=1e-4,
    seed=3,
    radius_unit="deviations",
)


def test_json_there_and_back():
    assert Scenario.from_json(FULL.to_json()) == FULL
    assert Scenario.from_json('{"dataset": "sba", "applicant": 31}') == Scenario("sba", 31)


def test_the_unit_of_the_radius_reaches_problem_facts_and_methods():
    chosen = Scenario("german", 3, components=2, radii=0.5, radius_unit="deviations")
    case = make_case(chosen)
    assert case.problem.metric == case.problem.objective.metric == "deviations"
    assert case.problem.unbounded.metric == "deviations"
    m, s, r = score_terms(case.x0, case.problem.mixture, case.problem.doubt)
    np.testing.assert_allclose(r, 0.5 * s)
    x = find_recourse(case.problem).x
    assert facts_of(case, x).guarantee == case.problem.objective.value(x)
    edited = problem_with_rule(case, FeatureRule("Age", "both"), 1.0)
    assert edited.metric == "deviations"
    assert plan_for_today(case) is not None
    old = {k: v for k, v in json.loads(chosen.to_json()).items() if k != "radius_unit"}
    assert make_case(Scenario.from_json(json.dumps(old))).problem.metric == "weights"


def test_edits_have_one_order():
    assert replace(FULL, edits=FULL.edits[::-1]) == FULL


@pytest.mark.parametrize(
    ("changed", "error", "said"),
    [
        ({"dataset": "germany"}, UnknownName, "The dataset must be one of"),
        ({"applicant": -1}, InvalidInput, "applicant must be a whole number"),
        ({"applicant": 1.5}, InvalidInput, "applicant must be a whole number"),
        ({"applicant": True}, InvalidInput, "applicant must be a whole number"),
        ({"components": 0}, InvalidInput, "components must be a whole number from 1"),
        ({"components": "many"}, InvalidInput, "components must be a whole number from 1"),
        ({"model": "mlp", "components": 3}, InvalidInput, "non-linear model has 1 component"),
        ({"radii": -0.1}, InvalidInput, "'rho' must be ≥ 0"),
        ({"radii": "0.1"}, InvalidInput, "'rho' must be a number"),
        ({"radii": []}, InvalidInput, "empty list"),
        ({"radius_unit": "metres"}, UnknownName, "The unit of the radius must be one of"),
        ({"radius_unit": 1}, UnknownName, "The unit of the radius must be one of"),
        ({"delta_add": None}, InvalidInput, "delta_add must be a number"),
        ({"gap": 0}, InvalidInput, "gap must be > 0"),
        ({"preset": 3}, InvalidInput, "The preset must be a name"),
        ({"seed": 2**40}, InvalidInput, "seed must be a whole number"),
        ({"colour": "red"}, UnknownName, "got 'colour'"),
        ({"version": 99}, InvalidInput, "version of a scenario must be 1, got 99"),
        ({"edits": {"Age": "up"}}, InvalidInput, "edits must be a list"),
        ({"edits": [{"move": "up"}]}, InvalidInput, "names a feature"),
        ({"edits": [{"feature": "Age", "colour": 1}]}, UnknownName, "An edit may hold"),
        ({"edits": [{"feature": "Age"}] * 2}, InvalidInput, "edited once, got Age, Age"),
    ],
)
def test_what_is_not_understood_is_named(changed, error, said):
    text = json.dumps({"dataset": "german", "applicant": 1, **changed})
    with pytest.raises(error, match=said):
        Scenario.from_json(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "problem at line 1"),
        ("[1]", "must be a JSON object, got list"),
        ("{}", "needs dataset and applicant"),
    ],
)
def test_only_a_json_object_is_a_scenario(text, said):
    with pytest.raises(InvalidInput, match=said):
        Scenario.from_json(text)


def test_what_only_the_data_can_refuse():
    with pytest.raises(InvalidInput, match="applicant must be from 0 to 999, got 1000"):
        make_case(Scenario("german", 1000))
    with pytest.raises(UnknownName, match="A preset must be one of"):
        make_case(Scenario("german", 1, preset="none"))
    with pytest.raises((InvalidInput, InvalidMixture), match="radii must have shape"):
        make_case(Scenario("german", 1, components=2, radii=(0.1, 0.1, 0.1)))


def test_every_setting_reaches_the_problem():
    case = make_case(FULL)
    problem = case.problem
    assert problem.mixture.components == 2 and problem.radii.tolist() == [0.05, 0.2]
    assert problem.objective.link.name == "gaussian"
    assert problem.objective.weighting.divergence == "chi2"
    assert problem.objective.weighting.radius == 0.25
    assert problem.delta_add == 0.41
    assert problem.unbounded.cost == "l2" and problem.unbounded.categories == "relaxed"
    assert case.bundle.seed == 3
    np.testing.assert_array_equal(problem.x0[:-1], case.dataset.present.X[1])
    (duration,) = case.dataset.schema.columns_of("Duration")
    assert problem.unbounded.actions.only_down == (duration,)
    assert problem.unbounded.bounds.weights[duration] == 2.5


def test_solving_twice_gives_the_same_digits():
    assert answer_of(solve_scenario(Scenario("student", 0))) == answer_of(
        solve_scenario(Scenario("student", 0))
    )


def test_the_command_line_reproduces_an_exported_file(tmp_path, capsys):
    file = tmp_path / "scenario.json"
    file.write_text(scenario_file(solve_scenario(Scenario("german", 1))), encoding="utf-8")
    assert main(["plan", str(file)]) == 0
    printed = capsys.readouterr().out
    assert "Shorten the loan from 48" in printed and "Reproduced the recorded answer." in printed
    assert main(["plan", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == recorded_answer(file.read_text())


def test_the_command_line_notices_a_different_answer(tmp_path, capsys):
    content = json.loads(scenario_file(solve_scenario(Scenario("german", 1))))
    content["answer"]["x"][0] += 1e-15
    file = tmp_path / "scenario.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    assert main(["plan", str(file)]) == 1
    assert "Differs from the recorded answer!" in capsys.readouterr().out


def test_the_command_line_tells_errors_in_words(tmp_path, capsys):
    assert main(["plan", str(tmp_path / "missing.json")]) == 2
    file = tmp_path / "bad.json"
    file.write_text('{"dataset": "german", "applicant": 1, "rho": 2}')
    assert main(["plan", str(file)]) == 2
    assert "got 'rho'" in capsys.readouterr().err


def test_no_plan_is_an_answer_too(tmp_path, capsys):
    solution = solve_scenario(Scenario("german", 1, radii=50.0))
    assert answer_of(solution)["x"] is None
    file = tmp_path / "scenario.json"
    file.write_text(scenario_file(solution))
    assert main(["plan", str(file)]) == 0
    assert "Reproduced" in capsys.readouterr().out


def test_the_datasets_are_listed(capsys):
    assert main(["datasets"]) == 0
    assert "german       German credit: 1000 people, 5 features" in capsys.readouterr().out


def run_plan(tmp_path, capsys, *options):
    file = tmp_path / "scenario.json"
    file.write_text(Scenario("german", 1, components=1, radii=0.02).to_json(), encoding="utf-8")
    code = main(["plan", str(file), *options])
    return code, capsys.readouterr()


def test_the_command_asks_for_a_cut_off_a_level_a_kind_and_the_menu(tmp_path, capsys):
    start = Scenario("german", 1, components=1, radii=0.02)
    asked = {
        ("--cut-off", "0.6"): {"cut_off": 0.6},
        ("--cut-off", "score:0.2"): {"cut_off": 0.2, "cut_off_kind": "score"},
        ("--cut-off", "approval:0.7"): {"cut_off": 0.7, "cut_off_kind": "approval"},
        ("--at-most", "0.2"): {"plan_kind": "at most", "level": 0.2},
        ("--kind", "cheapest", "--level", "0.3"): {"plan_kind": "cheapest", "level": 0.3},
    }
    for options, fields in asked.items():
        code, printed = run_plan(tmp_path, capsys, *options, "--json")
        assert code == 0
        assert json.loads(printed.out) == answer_of(solve_scenario(replace(start, **fields)))
    code, printed = run_plan(tmp_path, capsys, "--menu")
    assert code == 0 and "Plans to choose from:" in printed.out and "cheapest: " in printed.out
    code, printed = run_plan(tmp_path, capsys, "--at-most", "0.2")
    assert "proven: none takes less than" in printed.out
    code, printed = run_plan(tmp_path, capsys, "--at-most", "0.00001")
    assert code == 0 and "The best that can be reached is" in printed.out


@pytest.mark.parametrize("wrong", ["1.5", "much", "score:x", "share:0.5"])
def test_a_cut_off_that_cannot_be_read_is_refused(tmp_path, capsys, wrong):
    with pytest.raises(SystemExit):
        run_plan(tmp_path, capsys, "--cut-off", wrong)
    assert "cut-off" in capsys.readouterr().err


def test_at_most_is_a_question_of_its_own(tmp_path, capsys):
    code, printed = run_plan(tmp_path, capsys, "--at-most", "0.1", "--level", "0.2")
    assert code == 2 and "question of its own" in printed.err


def test_a_level_that_was_asked_is_kept_in_whole_units():
    realistic = {"plausibility": 0.05, "domain_rules": True, "futures": "stress"}
    for level in (0.3, 0.45):
        scenario = Scenario(
            "german",
            1,
            components=1,
            radius_unit="deviations",
            weighting="worst-component",
            plan_kind="at most",
            level=level,
            **realistic,
        )
        real = solve_scenario(scenario).plan
        assert real.rounded and real.worst_case_probability <= level + 1e-6
        assert real.cost <= 1.1 * real.exact.cost


def test_a_method_without_futures_obeys_the_same_rules_and_decision():
    asked = replace(
        recommended("german"), cut_off=0.7, without_protected=True, plausibility=0.1, radii=0.4
    )
    scenario = Scenario.of(asked, 3)
    forgotten = without_futures(scenario)
    changed = {name for name, value in vars(forgotten).items() if value != vars(scenario)[name]}
    assert changed <= {"futures", "components", "radii", "radius_unit", "delta_add", "weighting"}
    assert forgotten == without_futures(replace(scenario, radii=0.1, link="gaussian", level=0.2))
    assert forgotten != without_futures(replace(scenario, cut_off=0.6))
    assert forgotten != without_futures(replace(scenario, plausibility=None))


def test_limits_that_give_way_do_so_for_the_futures():
    student = Scenario.of(recommended("student"), 0)
    assert student.widen
    assert without_futures(student) != without_futures(replace(student, radii=0.7))
    assert without_futures(student) == without_futures(replace(student, delta_add=0.1))


@pytest.mark.parametrize("model", ["trees", "mlp"])
def test_another_model_starts_with_its_own_settings_and_leads_back(model):
    student = Scenario.of(recommended("student"), 0)
    other = with_model(student, model)
    assert other.settings == recommended("student", model)
    assert with_model(other, "logistic") == student
    # What somebody has set stays, as far as the other model knows it.
    own = replace(student, plausibility=0.2, delta_add=0.9, without_protected=True)
    kept = with_model(own, model)
    assert (kept.plausibility, kept.delta_add, kept.without_protected) == (0.2, 0.9, False)
