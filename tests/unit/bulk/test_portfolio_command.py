"""`python -m dirrac_core portfolio`: what it writes, tells and refuses."""

import re

import pandas as pd
import pytest

from dirrac_core import load_dataset
from dirrac_core.__main__ import main
from dirrac_core.bulk.planner import Planner
from dirrac_core.cli import progress_line
from dirrac_core.cli.stopping import INTERRUPTED

GERMAN = load_dataset("german")


def portfolio(*arguments):
    return main(["portfolio", "--dataset", "german", "--jobs", "1", *map(str, arguments)])


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    frame = GERMAN.present.people[:40].astype(object)
    frame.loc[0, "Status"] = "unknown"
    frame.loc[3, "Duration"] = 100
    frame.assign(who=[f"p{n}" for n in range(40)]).to_csv(path, index=False)
    return path


def test_people_in_a_file_get_their_plans_and_the_counts_are_told(people, tmp_path, capsys):
    out = tmp_path / "out.csv"
    asked = ("--people", people, "--out", out, "--components", "1", "--id", "who")
    assert portfolio(*asked, "--most-plans", "4", "--chunk", "15") == 0
    frame = pd.read_csv(out)
    assert frame["id"].tolist() == [f"p{n}" for n in range(40)]
    assert (frame["status"] == "optimal").sum() == 4
    told = capsys.readouterr()
    assert re.search(r"^ +1  unreadable\n +1  unreadable: Status\n4 plans in ", told.out, re.M)
    assert re.search(r"^ +1  outside the fitted ranges: Duration$", told.out, re.M)
    assert "--most-plans was reached" in told.out
    assert "100%  40 of 40 people, 4 plans, about 0 s left" in told.err


def test_the_own_people_of_a_dataset_are_the_default(tmp_path, capsys):
    out = tmp_path / "out.parquet"
    assert portfolio("--out", out, "--components", "1", "--most-plans", "2", "--exact") == 0
    assert len(pd.read_parquet(out)) == len(GERMAN.present)
    assert "2 plans in " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--out", "out.xlsx"), "must be one of '.csv', '.parquet', got '.xlsx'"),
        (("--out", "people.csv/out.csv"), "must go to a place that can be written"),
        (("--out", "out.csv", "--people", "nobody.csv"), "must exist, got 'nobody.csv'"),
        (("--out", "out.csv", "--rho", "-1"), "The radius 'rho' must be ≥ 0"),
        (("--out", "out.csv", "--chunk", "0"), "chunk must be a whole number ≥ 1, got 0"),
        (("--out", "out.csv", "--preset", "none"), "A preset must be one of"),
        (("--out", "out.csv", "--jobs", "0"), "jobs must be a number of processes ≥ 1"),
        (("--out", "people.csv", "--people", "people.csv"), "must not be the file of the people"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(people, monkeypatch, capsys, arguments, words):
    monkeypatch.chdir(people.parent)
    assert portfolio(*arguments) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ") and words in told and "Traceback" not in told
    assert [path.name for path in people.parent.iterdir()] == ["people.csv"]


def test_components_are_a_number_or_auto(tmp_path, capsys):
    with pytest.raises(SystemExit):
        portfolio("--out", tmp_path / "out.csv", "--components", "many")
    assert "must be a whole number or \"auto\", got 'many'" in capsys.readouterr().err


def test_ctrl_c_says_how_to_go_on(people, tmp_path, monkeypatch, capsys):
    out = tmp_path / "out.csv"
    asked = ("--people", people, "--out", out, "--components", "1", "--chunk", "10")

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Planner, "together", interrupted)
        assert portfolio(*asked) == INTERRUPTED
        assert "nothing was kept. With --resume" in capsys.readouterr().err
        assert not (tmp_path / "out.csv.parts").exists()
        assert portfolio(*asked, "--resume") == INTERRUPTED
        assert "The same command goes on from here." in capsys.readouterr().err
        assert portfolio(*asked) == 2
        assert "--resume" in capsys.readouterr().err
    assert portfolio(*asked, "--resume") == 0
    assert out.is_file() and not (tmp_path / "out.csv.parts").exists()


def test_the_time_left_does_not_count_what_an_earlier_run_did(monkeypatch, capsys):
    clock = iter([0.0, 100.0, 150.0, 160.0, 250.0])
    monkeypatch.setattr(progress_line.time, "perf_counter", lambda: next(clock))
    tell = progress_line.progress_line()
    for part in (0.5, 0.6, 0.62, 0.8):
        tell(part, "people")
    assert [line.rstrip() for line in capsys.readouterr().err.splitlines()] == [
        " 50%  people",
        " 60%  people, about 3 min left",
        " 80%  people, about 2 min left",
    ]
