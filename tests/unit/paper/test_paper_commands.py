"""`table`, `figure` and `reproduce`: what they print and write, what they skip, and Ctrl-C."""

import json
import tomllib

import pandas as pd
import plotly.graph_objects as go
import pytest

from dirrac_core.__main__ import main
from dirrac_core.cli import paper as commands
from dirrac_core.paper.catalogue import EXPERIMENTS, TEXTS, experiment
from dirrac_core.paper.experiment import Experiment
from dirrac_core.paper.store import stored

FEW = ["--applicants", "1", "--draws", "1", "--jobs", "1"]


def made(name, kind, calls, interrupt=False):
    def compute(run):
        run.progress(0.5, "half")
        if interrupt:
            raise KeyboardInterrupt
        calls.append((name, run.settings.seed))
        run.progress(1.0, "done")
        return pd.DataFrame({"x": [0.0, 1.0], "y": [1.0, run.settings.seed / 3.0]})

    def draw(rows, theme):
        line = go.Scatter(x=rows["x"], y=rows["y"])
        return go.Figure(line, layout={"title": theme, "meta": {"alt": "A line."}})

    drawn = draw if kind == "figure" else None
    return Experiment(name, kind, name.title(), "Table 0", "About.", "Difference.", compute, drawn)


@pytest.fixture
def calls(monkeypatch):
    """Two quick experiments in place of the real ones; the list of what was computed."""
    done = []
    quick = {"one": made("one", "table", done), "two": made("two", "figure", done)}
    monkeypatch.setattr(commands, "EXPERIMENTS", quick)
    monkeypatch.setattr(commands, "experiment", quick.get)
    return done


def test_names_are_unique_and_told():
    told = tomllib.loads(TEXTS.read_text(encoding="utf-8"))
    assert ["ours", *EXPERIMENTS] == list(told)
    for each in EXPERIMENTS.values():
        assert each.title and each.about.endswith(".")
        # The paper has all of them but one.
        assert bool(each.place) == (each.name != "trees")
        assert each.difference.endswith(".") and "{" not in each.difference
        assert (each.draw is not None) == (each.kind == "figure")
    assert experiment("linear").name == "linear"


def test_table_prints_markdown_or_writes_a_file(calls, capsys, tmp_path):
    assert main(["table", "one", "--seed", "6"]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines() == ["| x | y |", "| --- | --- |", "| 0 | 1 |", "| 1 | 2 |"]
    assert "[" in shown.err
    out = tmp_path / "one.json"
    assert main(["table", "one", "--format", "json", "--out", str(out)]) == 0
    assert json.loads(out.read_text())[1] == {"x": 1.0, "y": 0.0}
    assert calls == [("one", 6), ("one", 0)]


def test_figure_is_drawn_or_its_rows_written(calls, tmp_path, capsys):
    assert main(["figure", "two", "--out", str(tmp_path / "a.html"), "--theme", "dark"]) == 0
    page = (tmp_path / "a.html").read_text()
    assert "<h1>Two</h1>" in page and "dark" in page
    assert main(["figure", "two", "--out", str(tmp_path / "a.csv"), "--seed", "3"]) == 0
    assert (tmp_path / "a.csv").read_text() == "x,y\n0.0,1.0\n1.0,1.0\n"
    assert main(["figure", "two", "--out", str(tmp_path / "a.pdf")]) == 2
    assert "ending" in capsys.readouterr().err
    assert len(calls) == 2


def test_reproduce_skips_what_is_there(calls, tmp_path, capsys):
    folder = str(tmp_path / "new")
    assert main(["reproduce", "all", "--out", folder]) == 0
    names = {"one.csv", "one.json", "one.md", "two.csv", "two.json", "two.html"}
    assert {path.name for path in (tmp_path / "new").iterdir()} == names
    assert main(["reproduce", "all", "--out", folder]) == 0
    assert "Already there" in capsys.readouterr().err
    assert calls == [("one", 0), ("two", 0)]
    assert main(["reproduce", "one", "--out", folder, "--seed", "1"]) == 0
    assert main(["reproduce", "two", "--out", folder, "--again"]) == 0
    assert calls[2:] == [("one", 1), ("two", 0)]
    assert stored("one", tmp_path / "new")[1].seed == 1


def test_rows_only(calls, tmp_path):
    assert main(["reproduce", "all", "--out", str(tmp_path), "--rows-only"]) == 0
    assert {path.suffix for path in tmp_path.iterdir()} == {".csv", ".json"}


def test_ctrl_c_keeps_what_is_finished(calls, tmp_path, capsys, monkeypatch):
    stops = made("two", "figure", calls, interrupt=True)
    monkeypatch.setitem(commands.EXPERIMENTS, "two", stops)
    assert main(["reproduce", "all", "--out", str(tmp_path), "--rows-only"]) == 130
    assert {path.name for path in tmp_path.iterdir()} == {"one.csv", "one.json"}
    assert "Stopped in two" in capsys.readouterr().err
    assert main(["figure", "two", "--out", str(tmp_path / "two.html")]) == 130
    assert not (tmp_path / "two.html").exists()


@pytest.mark.parametrize("option", [["--draws", "0"], ["--applicants", "0"], ["--seed", "-1"]])
def test_settings_out_of_range(calls, option, capsys):
    assert main(["table", "one", *option]) == 2
    assert option[0] in capsys.readouterr().err
    assert calls == []


def test_a_real_table(tmp_path, capsys):
    out = tmp_path / "components.csv"
    assert main(["table", "components", "--format", "csv", "--out", str(out), *FEW]) == 0
    rows = pd.read_csv(out)
    assert rows["source"].value_counts().to_dict() == {
        "published": 6,
        "published protocol": 12,
        "ours": 6,
    }
    ours = rows[rows["source"] == "ours"]
    assert (ours["success"] == 1.0).all() and (ours["keeps_rules"] == 1.0).all()
    assert ours["components"].tolist() == [5, 5, 4, 4, 6, 6]
