"""`frontier` on the command line: one applicant, many, and what is refused."""

import pandas as pd
import pytest

from dirrac_core.__main__ import main
from dirrac_core.case.case import bundle_of, make_case
from dirrac_core.case.scenario import Scenario
from dirrac_core.studies.case_frontier import case_frontier
from dirrac_core.studies.frontier import average_frontier

DECLINED = bundle_of(Scenario("synthetic", 0)).declined
ASK = ["frontier", "--dataset", "synthetic", "--jobs", "1", "--families", "dirrac", "roar"]


def test_one_applicant_is_printed(capsys):
    applicant = int(DECLINED[1])
    assert main([*ASK, "--applicant", str(applicant)]) == 0
    shown = capsys.readouterr()
    rows = case_frontier(make_case(Scenario("synthetic", applicant)), "dirrac")
    lines = shown.out.splitlines()
    assert len(lines) == 1 + 18 and "accept in the worst case" in lines[0]
    first = rows.iloc[0]
    assert lines[1].split() == [
        "DiRRAc",
        "0.000",
        f"{first['cost_l1']:.3f}",
        f"{first['m2']:.3f}",
        f"{first['guaranteed']:.3f}",
    ]


def test_many_applicants_are_averaged_into_a_file(tmp_path, capsys):
    out = tmp_path / "rows.csv"
    assert main([*ASK, "--applicants", "2", "--out", str(out)]) == 0
    assert capsys.readouterr().out.strip() == str(out)
    rows = pd.read_csv(out)
    cases = [make_case(Scenario("synthetic", int(row))) for row in DECLINED[:2]]
    own = average_frontier(
        pd.concat([case_frontier(case, family) for case in cases for family in ("dirrac", "roar")])
    )
    assert rows["n"].tolist() == [2] * 18
    for column in ("cost_l1", "m2", "guaranteed"):
        assert rows[column].to_numpy() == pytest.approx(own[column].to_numpy())


def test_the_picture_is_the_frontier_of_the_dashboard(tmp_path):
    out = tmp_path / "picture.html"
    assert main([*ASK, "--applicants", "1", "--out", str(out), "--theme", "dark"]) == 0
    text = out.read_text(encoding="utf-8")
    assert "synthetic, 1 applicants" not in text and "synthetic, 1 applicant" in text
    assert "ROAR (exact)" in text


@pytest.mark.parametrize(
    "arguments,words",
    [
        (["--applicant", "-3"], "must be a declined row"),
        (["--applicants", "0"], "must be ≥ 1"),
        (["--applicants", "1", "--out", "rows.pdf"], "ending of --out"),
    ],
)
def test_what_cannot_be_done_is_refused(arguments, words, capsys):
    assert main([*ASK, *arguments]) == 2
    assert words in capsys.readouterr().err
