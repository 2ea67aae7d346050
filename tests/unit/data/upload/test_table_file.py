"""The table file: checked, the same through Python and the command line, and enough to run both."""

import io
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dirrac_core.__main__ import main
from dirrac_core.case.case import bundle_of, solve_scenario
from dirrac_core.case.documents.file import scenario_file
from dirrac_core.case.documents.still_holds import with_newer_table
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import load_dataset, table_dataset
from dirrac_core.data.schema.plan_rules import RatioRule, SumRule
from dirrac_core.data.upload.table_file import TableFile
from dirrac_core.data.upload.visitor_tables import register_table
from dirrac_core.errors import DirracError, InvalidActions, InvalidInput, UnknownName
from dirrac_core.models.given.coefficients import coefficient_template, with_given_model

ROWS = 160


def people():
    rng = np.random.default_rng(3)
    income = rng.normal(3000, 700, ROWS).round()
    amount = rng.normal(9000, 3000, ROWS).round(-1).clip(500)
    frame = pd.DataFrame(
        {
            "loan_id": [f"L{i}" for i in range(ROWS)],
            "sex": rng.choice(["f", "m"], ROWS),
            "opened": pd.to_datetime("2019-01-01") + pd.to_timedelta(np.arange(ROWS) * 5, "D"),
            "income": income,
            "amount": amount,
            "term": rng.choice([12, 24, 36, 48], ROWS),
            "job": rng.choice(["Clerk", "clerk", "nurse"], ROWS),
            "calls": rng.choice([0, 1, 2, 3, -9], ROWS),
            "paid": np.where(income - amount / 6 + rng.normal(0, 400, ROWS) > 1450, "yes", "no"),
        }
    )
    frame.loc[::17, "income"] = np.nan
    return frame


RULE = RatioRule("instalment", "amount", "term", most=900.0, reason="Few can carry more.")
SMALL = TableFile("paid", ("yes",), rules=(RULE,), title="Loans")


def test_a_small_file_is_enough_and_the_whole_one_says_the_same():
    frame = people()
    dataset, report = table_dataset(frame, SMALL)
    whole = report.table
    assert whole is not None and set(whole.columns) == set(frame.columns) - {"paid"}
    again, second = table_dataset(frame, TableFile.from_json(whole.to_json()))
    assert register_table(again) == register_table(dataset)
    assert TableFile.from_json(second.table.to_json()) == TableFile.from_json(whole.to_json())
    np.testing.assert_array_equal(again.present.X, dataset.present.X)
    assert again.preset("sensible") == dataset.preset("sensible")
    assert dataset.preset("sensible").rules == (RULE,)
    assert [ratio.name for ratio in dataset.schema.derived] == ["instalment"]


def test_a_file_and_a_frame_give_the_same_table():
    content = people().to_csv(index=False).encode()
    from_frame, _ = table_dataset(people(), SMALL)
    from_file, _ = table_dataset(content, SMALL)
    assert register_table(from_file) == register_table(from_frame)


def test_codes_that_pandas_reads_as_numbers_are_those_of_the_table_file():
    frame = people()
    frame["zip"] = np.random.default_rng(1).choice(["01067", "10115", "80331"], ROWS)
    content = frame.to_csv(index=False).encode()
    dataset, report = table_dataset(content, SMALL)
    assert dataset.schema.feature("zip").categories == ("01067", "10115", "80331")
    read_by_pandas = pd.read_csv(io.BytesIO(content))
    assert read_by_pandas["zip"].dtype == np.int64
    again, _ = table_dataset(read_by_pandas, report.table)
    assert register_table(again) == register_table(dataset)


def test_it_round_trips_with_everything_in_it():
    table = TableFile(
        "paid",
        ("yes", "soon"),
        {"age": {"kind": "integer", "low": 18.0, "categories": ("a",), "same": {"b": "a"}}},
        "Mine",
        ",",
        "year",
        "2006",
        (RULE, SumRule("two", (("a", 1.0), ("b", -2.0)), least=0.0)),
        0.3,
        "approval",
        "history",
    )
    assert TableFile.from_json(table.to_json()) == table


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "must be a JSON object, got list"),
        ("{", "problem at line 1"),
        (b"\xff\xfe{", "JSON in UTF-8"),
        ('{"label": "paid"}', "needs favourable"),
        ('{"favourable": ["yes"]}', "needs label"),
        ('{"label": 3, "favourable": ["yes"]}', "name of a column, got 3"),
        ('{"label": "p", "favourable": {"a": 1}}', "must list values"),
        ('{"label": "p", "favourable": ["y"], "colour": 1}', "may hold .* got 'colour'"),
        ('{"label": "p", "favourable": ["y"], "version": 9}', "must be 1, got 9"),
        ('{"label": "p", "favourable": ["y"], "columns": []}', "columns must be an object"),
        ('{"label": "p", "favourable": ["y"], "columns": {"a": 1}}', "must be an object, got 1"),
        ('{"label": "p", "favourable": ["y"], "columns": {"a": {"b": 1}}}', "column 'a'.*'b'"),
        ('{"label": "p", "favourable": ["y"], "columns": {"a": {"low": "x"}}}', "a number"),
        ('{"label": "p", "favourable": ["y"], "columns": {"a": {"same": [1]}}}', "object of texts"),
        ('{"label": "p", "favourable": ["y"], "rules": {}}', "rules must be a list"),
        ('{"label": "p", "favourable": ["y"], "shifted_from": "2"}', "needs a period column"),
        ('{"label": "p", "favourable": ["y"], "futures": "history"}', "need a period column"),
        ('{"label": "p", "favourable": ["y"], "futures": "magic"}', "futures of a table"),
        ('{"label": "p", "favourable": ["y"], "cut_off": "high"}', "cut_off must be a number"),
        ('{"label": "p", "favourable": ["y"], "title": 5}', "title must be a text"),
        ("[" * 100_000, "sensible size"),
        ('"' + "x" * 2_100_000 + '"', "at most 2 MB"),
    ],
)
def test_files_that_make_no_sense(content, message):
    with pytest.raises(DirracError, match=message):
        TableFile.from_json(content)


def test_rules_must_fit_the_table():
    for wrong, error in (
        (RatioRule("r", "amount", "sex", most=1.0), InvalidActions),
        (RatioRule("r", "amount", "salary", most=1.0), UnknownName),
    ):
        with pytest.raises(error, match="'r'"):
            table_dataset(people(), replace(SMALL, rules=(wrong,)))


def test_what_a_file_says_comes_first():
    said = {"sex": {"direction": "both", "protected": False}, "loan_id": {"drop": False}}
    said["calls"] = {"missing": []}
    dataset, _ = table_dataset(people(), replace(SMALL, columns=said, futures="sampling"))
    assert "sex" not in dataset.reasons()
    assert dataset.schema.feature("calls").extremes[0] == -9.0
    assert recommended(load_dataset(register_table(dataset))).futures == "sampling"


@pytest.fixture
def own_table(tmp_path):
    """A table, its whole table file, and the name it is kept under."""
    data, described = tmp_path / "data.csv", tmp_path / "table.json"
    people().to_csv(data, index=False)
    dataset, report = table_dataset(data, SMALL)
    described.write_text(report.table.to_json(), encoding="utf-8")
    return data, described, register_table(dataset)


def test_a_scenario_of_an_own_table_runs_on_the_command_line(own_table, tmp_path, capsys):
    data, described, name = own_table
    settings = recommended(load_dataset(name))
    row = int(bundle_of(settings).declined[0])
    solved = solve_scenario(Scenario.of(settings, row))
    file = tmp_path / "scenario.json"
    file.write_text(scenario_file(solved), encoding="utf-8")
    options = ["--table", str(described), "--people", str(data)]
    assert main(["plan", str(file), *options]) == 0
    assert "Reproduced the recorded answer" in capsys.readouterr().out
    people().head(150).to_csv(data, index=False)
    assert main(["plan", str(file), *options]) == 2
    assert "must be those the scenario was made with" in capsys.readouterr().err
    assert main(["plan", str(file), "--people", str(data)]) == 2
    assert main(["plan", str(file), "--table", str(described)]) == 2
    assert "--table needs --people" in capsys.readouterr().err


def test_a_scenario_with_coefficients_of_ones_own_runs_on_the_command_line(
    own_table, tmp_path, capsys
):
    data, described, _ = own_table
    dataset, _ = table_dataset(data, SMALL)
    said = {"(intercept)": -2.6, "income": 0.002, "amount": -0.0004}
    lines = [line.split(",") for line in coefficient_template(dataset.schema).splitlines()]
    for line in lines[1:]:
        line[2] = str(said.get(line[0], 0.0))
    model = tmp_path / "model.csv"
    model.write_text("\n".join(map(",".join, lines)), encoding="utf-8")
    given = load_dataset(register_table(with_given_model(dataset, model.read_bytes())[0]))
    settings = recommended(given)
    row = int(bundle_of(settings).declined[0])
    file = tmp_path / "scenario.json"
    solved = solve_scenario(Scenario.of(settings, row))
    file.write_text(scenario_file(solved), encoding="utf-8")
    options = ["--table", str(described), "--people", str(data)]
    assert main(["plan", str(file), *options, "--coefficients", str(model)]) == 0
    assert "Reproduced the recorded answer" in capsys.readouterr().out
    assert main(["plan", str(file), *options]) == 2
    assert "its --coefficients must be those the scenario" in capsys.readouterr().err
    assert main(["plan", str(file), "--coefficients", str(model)]) == 2
    assert "--coefficients needs --table and --people" in capsys.readouterr().err


def test_a_portfolio_of_an_own_table(own_table, tmp_path, capsys):
    data, described, _ = own_table
    out = tmp_path / "plans.csv"
    options = ["--table", str(described), "--people", str(data), "--out", str(out)]
    most = ["--most-plans", "4", "--jobs", "1", "--id", "loan_id"]
    assert main(["portfolio", *options, *most]) == 0
    told = capsys.readouterr()
    assert "several spellings" in told.err and "plans in" in told.out
    rows = pd.read_csv(out)
    assert len(rows) == ROWS and rows["id"].tolist() == people()["loan_id"].tolist()
    planned = rows.dropna(subset="plan")
    assert len(planned)
    for row, plan in zip(planned["row"], planned["plan: sex"], strict=True):
        assert plan == people()["sex"][row]
    assert main(["portfolio", *options, "--id", "salary"]) == 2
    assert "--id must name a column" in capsys.readouterr().err
    described.write_text(json.dumps({"label": "paid"}), encoding="utf-8")
    assert main(["portfolio", *options]) == 2
    assert "needs favourable" in capsys.readouterr().err


def test_where_nobody_is_declined_a_cut_off_is_asked_for_and_helps(tmp_path, capsys):
    frame = people()
    frame["paid"] = np.where(np.random.default_rng(0).random(ROWS) < 0.04, "no", "yes")
    frame.to_csv(tmp_path / "people.csv", index=False)
    options = ["portfolio", "--people", str(tmp_path / "people.csv"), "--jobs", "1"]
    for name, more in (("none", {}), ("some", {"cut_off": 0.9, "cut_off_kind": "approval"})):
        described = {"label": "paid", "favourable": ["yes"], **more}
        (tmp_path / f"{name}.json").write_text(json.dumps(described))
        files = ["--table", str(tmp_path / f"{name}.json"), "--out", str(tmp_path / f"{name}.csv")]
        assert main([*options, *files]) == 0
        said = capsys.readouterr().out
        assert ("Nobody is declined. State another cut-off" in said) == (name == "none")
    decisions = pd.read_csv(tmp_path / "some.csv")["decision"]
    assert (decisions == "declined").sum() == pytest.approx(0.1 * ROWS, abs=2)


@pytest.fixture
def exported(own_table, tmp_path):
    """The first exported plan of the own table."""
    settings = recommended(load_dataset(own_table[2]))
    asked = (Scenario.of(settings, int(r)) for r in bundle_of(settings).declined)
    solved = next(s for s in map(solve_scenario, asked) if s.plan.x is not None)
    file = tmp_path / "scenario.json"
    file.write_text(scenario_file(solved), encoding="utf-8")
    return file


def test_a_plan_of_an_own_table_is_checked_again_with_a_newer_one(
    own_table, exported, tmp_path, capsys
):
    data, described, _ = own_table
    newer = tmp_path / "newer.csv"
    asked = ["still-holds", str(exported), "--people", str(newer), "--table", str(described)]
    people().to_csv(newer, index=False)
    assert main([*asked, "--present", str(data)]) == 0
    out = capsys.readouterr().out
    assert "The plan still holds" in out and "Worst case of the same plan" in out
    turned = people().assign(paid=lambda f: f["paid"].map({"yes": "no", "no": "yes"}))
    turned.to_csv(newer, index=False)
    assert main([*asked, "--present", str(data)]) == 1
    assert "The plan no longer holds" in capsys.readouterr().out
    assert main(asked) == 2
    assert "--table needs --present" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"amount": 5000}, "'amount' must vary in the newer table"),
        ({"term": lambda f: f["term"].where(f.index > 9)}, "know no gaps in 'term'"),
        ({"job": "sailor"}, "'job' must vary"),
        ({"job": lambda f: f["job"].where(f.index > 9, "sailor")}, "must hold one of"),
        ({"paid": "yes"}, "must be one like the table of the plan, got a problem"),
    ],
)
def test_newer_tables_that_cannot_judge(own_table, changed, message):
    dataset, report = table_dataset(people(), SMALL)
    with pytest.raises(InvalidInput, match=message):
        with_newer_table(dataset, people().assign(**changed), report.table)


def test_a_newer_table_without_gaps_has_none(own_table):
    dataset, report = table_dataset(people(), SMALL)
    newer = with_newer_table(
        dataset, people().assign(income=3000.0 + np.arange(ROWS)), report.table
    )
    assert set(newer.present.people["income missing"]) == {"no"}
    assert newer.schema is dataset.schema and newer.shifted is None
