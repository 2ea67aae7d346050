"""Paper: every table and figure from stored rows, computing again, and the seven statements."""

import re
from dataclasses import replace
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest
from screen import button, charts, said

from dirrac_core.case.case import solve_scenario
from dirrac_core.case.scenario import Scenario
from dirrac_core.errors import InvalidTable
from dirrac_core.paper.catalogue import EXPERIMENTS
from dirrac_core.paper.experiment import OURS, PROTOCOL, PUBLISHED, Run, Settings
from dirrac_core.paper.german_lesson import german_lesson
from dirrac_core.paper.store import TABLES, keep, published, stored
from pages.paper import lesson as paper_lesson
from pages.paper import results as paper_results
from pages.paper.claims import CLAIMS
from pages.paper.rows import caption, stamp_words
from pages.paper.tables import favourable_words, side_by_side
from pages.runs import background

WAIT = 60.0
LESSON = "sampling-noise;coding-correction:1.0"
# Quick to compute.
FIGURE = "parameter_clouds"


def made_up(source, dataset, method, **numbers):
    return {"source": source, "dataset": dataset, "method": method} | numbers


@pytest.fixture
def rows():
    """A comparison as the tables have it, with a single draw that must not be shown."""
    interval = {"m2_low": 0.9, "m2_high": 0.93}
    return pd.DataFrame(
        [
            made_up(PUBLISHED, "german", "ROAR", m2=0.94, m2_spread=0.15, cost_l1=3.88),
            made_up(
                *(PROTOCOL, "german", "ROAR (as published)"),
                **interval,
                **{"m2": 0.916, "m2_spread": 0.1, "n": 71, "success": 1.0},
            ),
            made_up(PROTOCOL, "german", "ROAR (as published)", m2=0.111, n=7, draw=0),
            made_up(OURS, "german", "ROAR (as published)", m2=0.5, n=70, success=0.9),
            made_up(OURS, "german", "ROAR (exact)", m2=0.6, n=70, success=0.9),
            made_up(OURS, "student", "ROAR (exact)", m2=0.7, n=30),
        ]
    )


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty place for stored results instead of the project's own."""
    monkeypatch.setattr(paper_results, "FOLDER", tmp_path)
    return tmp_path


@pytest.fixture
def started(monkeypatch):
    """The background runs that a test starts."""
    runs = []
    start = background.start
    monkeypatch.setattr(background, "start", lambda *asked: runs.append(start(*asked)))
    return runs


@pytest.fixture
def instead(monkeypatch):
    """Give the quick figure another computation."""

    def give(compute):
        other = replace(EXPERIMENTS[FIGURE], compute=compute)
        monkeypatch.setattr(paper_results, "EXPERIMENTS", {**EXPERIMENTS, FIGURE: other})

    return give


@pytest.fixture
def open_claim(open_app):
    def opened(number, **query):
        chosen = next(claim for claim in CLAIMS if claim.startswith(f"{number} "))
        return open_app("paper", paper_part="What can be proven", claim=chosen, **query)

    return opened


def choose(at, name):
    return at.selectbox(key="paper_shown").set_value(name).run()


def fine(at):
    return not at.exception and not at.error and not at.warning


def ended(at, runs):
    assert runs and all(run.wait(WAIT) for run in runs)
    return at.run()


def test_paper_protocol_and_ours_stand_side_by_side(rows):
    table = side_by_side(rows, "german")
    assert list(table.index.get_level_values("Method")) == ["ROAR", "ROAR (exact)"]
    m2 = table["Accepted later, in 100 (M2)"].to_numpy().tolist()
    assert m2 == [["94 ± 15", "92 ± 10", "50"], ["", "", "60"]]
    assert list(table["95 % (M2)"]["Its protocol"]) == ["90 to 93", ""]
    assert list(table["People (n)"]["Ours"]) == ["70", "70"]
    assert list(table["Success, in 100"]["Its protocol"]) == ["100", ""]
    # A number that only the paper gives has one column; one that nobody gives has none.
    assert list(table["Effort ℓ1"].columns) == ["Paper"]
    # Where all rows are ours, no source is named.
    assert side_by_side(rows, "student")["People (n)"].tolist() == ["30"]
    assert "Seconds a plan" not in table.columns.get_level_values(0)


def test_whose_outcome_is_favourable_is_said_where_it_differs(rows):
    assert favourable_words(rows, "german") == ""
    same = rows.assign(favourable="good credit")
    assert favourable_words(same, "german") == "Favourable outcome: “good credit”."
    other = same.assign(
        favourable=same["source"].map({PUBLISHED: "default", PROTOCOL: "default", OURS: "paid"})
    )
    assert favourable_words(other, "german") == (
        "Favourable outcome: “default” (paper), “default” (its protocol), “paid” (ours)."
    )
    assert caption(other, "german").startswith("Favourable outcome: “default”")


def test_without_stored_results_each_says_how_to_make_them(open_app, folder):
    at = open_app("paper")
    for name, each in EXPERIMENTS.items():
        choose(at, name)
        assert fine(at), name
        assert at.subheader[0].value == each.title
        assert each.place in said(at) and each.about in said(at)
        assert "No result is stored" in at.info[0].value
        assert at.code[0].value.startswith(f"python -m dirrac_core reproduce {name} --out ")
        assert button(at, "Compute")
        assert not charts(at) and not at.dataframe


def test_every_stored_result_is_shown_with_its_stamp(open_app):
    at = open_app("paper")
    for name, each in EXPERIMENTS.items():
        kept = stored(name, paper_results.FOLDER)
        if kept is None:
            continue
        choose(at, name)
        assert fine(at), name
        assert stamp_words(kept[1]) in said(at)
        assert each.difference in said(at)
        assert len(at.get("download_button")) == 1
        if each.kind == "figure":
            assert [bool(chart.alt) for chart in charts(at)] == [True]
        else:
            expected = side_by_side(kept[0], kept[0]["dataset"].iloc[0])
            assert at.dataframe[0].value.to_numpy().tolist() == expected.to_numpy().tolist()


def test_every_table_is_read_dataset_by_dataset(open_app, folder):
    tables = [name for name in TABLES if name in EXPERIMENTS and not EXPERIMENTS[name].draw]
    for name in tables:
        printed = published(name)
        both = pd.concat([printed, printed.assign(source=OURS)])
        keep(name, both, Settings(applicants=3, draws=2), 61.4, folder)
    at = open_app("paper", paper_dataset="Student performance")
    assert len(tables) >= 6
    for name in tables:
        printed = published(name)
        choose(at, name)
        assert fine(at), name
        only = printed["dataset"].nunique() == 1
        dataset = printed["dataset"].iloc[0] if only else "student"
        shown = at.dataframe[0].value
        assert len(shown) == (printed["dataset"] == dataset).sum()
        assert {source for _, source in shown.columns} == {"Paper", "Ours"}
        assert "at most 3 people per dataset, 2 class-balancing draws, in 61 seconds" in said(at)


def test_a_link_to_what_does_not_exist_is_told(open_app, folder):
    at = open_app("paper", paper_shown="Table: Nothing", paper_part="The rest")
    told = "\n".join(warning.value for warning in at.warning)
    assert "Table" in told and "The rest" in told and "no such choice" in told
    assert at.subheader[0].value == next(iter(EXPERIMENTS.values())).title


def test_a_broken_store_is_told_in_words(open_app, folder):
    (folder / f"{FIGURE}.json").write_text('{"name": "other"}')
    at = choose(open_app("paper"), FIGURE)
    assert not at.exception and "stamp" in at.error[0].value


@pytest.mark.slow
def test_it_is_computed_anew_beside_the_stored_one(open_app, folder, started):
    asked = Settings(seed=1)
    keep(FIGURE, EXPERIMENTS[FIGURE].compute(Run(asked)), asked, 1.0, folder)
    before = (folder / f"{FIGURE}.csv").read_text()
    at = choose(open_app("paper"), FIGURE)
    at.number_input(key=f"rerun people {FIGURE}").set_value(2)
    button(at, "Compute").click().run()
    ended(at, started)
    assert fine(at)
    assert len({chart.text for chart in charts(at)}) == 2
    assert "**Your run:** at most 2 people per dataset, 1 draw, seed 0" in said(at)
    assert (folder / f"{FIGURE}.csv").read_text() == before


def test_a_run_stopped_at_once_says_so(open_app, folder, started, instead):
    def waiting(run):
        run.progress(0.5, "half of it")
        while not run.cancel():
            pass
        return pd.DataFrame()

    instead(waiting)
    at = choose(open_app("paper"), FIGURE)
    button(at, "Compute").click().run()
    button(at, "Stop").click().run()
    ended(at, started)
    assert fine(at) and "Stopped before anything was finished" in said(at)
    assert button(at, "Compute")


def test_a_part_of_a_stopped_run_is_shown_as_a_part(open_app, folder, started, instead):
    rows = EXPERIMENTS[FIGURE].compute(Run(Settings()))
    rows.attrs["complete"] = False
    instead(lambda run: rows)
    at = choose(open_app("paper"), FIGURE)
    button(at, "Compute").click().run()
    ended(at, started)
    assert len(charts(at)) == 1
    assert "Stopped before the end; this is what was finished." in said(at)


def test_a_run_that_fails_is_told_in_words(open_app, folder, started, instead):
    def failing(run):
        message = "The elbow must bend, got a line"
        raise InvalidTable(message)

    instead(failing)
    at = choose(open_app("paper"), FIGURE)
    button(at, "Compute").click().run()
    ended(at, started)
    assert "The elbow must bend, got a line" in at.error[0].value


def test_six_problems_rest_on_one_score(open_claim):
    at = open_claim(1, dataset="student", applicant="0", claim_k="4", claim_rho="0.05")
    assert fine(at)
    solution = solve_scenario(Scenario("student", 0, components=4, radii=0.05))
    shown = at.table[0].value
    assert shown.shape == (2, 3)
    value = solution.plan.worst_case_probability
    assert shown.iloc[0, 0].endswith(f"({value:.4f})")
    numbers = shown.map(lambda cell: float(re.search(r"\((.*)\)", cell)[1])).to_numpy()
    assert (np.diff(numbers, axis=1) >= 0).all()
    assert said(at).count("a = ") == 4
    assert re.search(r"largest difference is (0|\d\.\de−1[4-9])", said(at))
    at.select_slider(key="claim_k").set_value(1).run()
    assert said(at).count("a = ") == 1


@pytest.mark.parametrize("dataset", ["german", "synthetic"])
def test_no_middle_falls_below_and_both_solvers_meet(open_claim, dataset):
    at = open_claim(2, dataset=dataset)
    assert fine(at)
    assert "below both of them in **0** cases" in said(at)
    assert "the same summit" in said(at)
    value, bound = map(
        float, re.search(r"case (0\.\d+), proven lower bound (0\.\d+)", said(at)).groups()
    )
    assert 0 <= value - bound < 1e-5
    assert "convex" in said(at) and charts(at)[0].alt


def test_both_variants_are_one_plan(open_claim):
    # With more effort the applicant is at the end of what may change, where all plans are one.
    at = open_claim(3, dataset="student", applicant="0", claim_add="0.2")
    assert fine(at)
    first, second = (
        next(text.value for text in at.markdown if text.value.startswith(f"**{name}:**"))
        for name in ("DiRRAc", "Gaussian DiRRAc")
    )
    assert first.partition(":** ")[2] == second.partition(":** ")[2]
    assert "on a scale of 0 to 1, is **0**" in said(at)
    near = at.table[0].value
    assert near.iloc[0].tolist() == near.iloc[1].tolist()
    at.slider(key="claim_add").set_value(1.0).run()
    far = at.table[0].value
    assert fine(at) and far.iloc[0].tolist() != near.iloc[0].tolist()
    assert far.iloc[2].tolist() != far.iloc[3].tolist()


@pytest.mark.parametrize("number", [2, 3])
def test_one_component_is_one_also_from_todays_futures(open_claim, number):
    assert fine(open_claim(number, v="2", dataset="german"))


@pytest.mark.parametrize("number, name", [(4, "certificate"), (5, "adversary"), (6, "ceiling")])
def test_what_learn_explains_is_linked_with_what_was_set(open_claim, number, name):
    at = open_claim(number, dataset="german", applicant="1", claim_rho="0.25", claim_gap="0.03")
    assert fine(at)
    link = next(part.proto for part in at.get("page_link") if name in part.proto.label)
    assert link.page == "learn"
    carried = dict(parse_qsl(link.query_string))
    assert carried[f"try_{name}"] == "true" and carried["applicant"] == "1"
    assert carried["claim_rho"] == "0.25" and carried["claim_gap"] == "0.03"


def test_the_german_lesson_shows_for_one_and_for_many(open_claim, started, monkeypatch):
    def in_small(run, effort):
        return german_lesson(replace(run, settings=Settings(applicants=6, jobs=1)), effort)

    monkeypatch.setattr(paper_lesson, "german_lesson", in_small)
    at = open_claim(7, dataset="student", applicant="0")
    assert fine(at)
    blind, declared, locked = map(
        int, re.findall(r"Observed:\*\* of 100 [a-z]+ models, (\d+) decline", said(at))
    )
    assert blind > 40 > 5 > max(declared, locked)
    button(at, "Compute for 30 applicants").click().run()
    ended(at, started)
    assert fine(at)
    table = at.table[0].value
    assert list(table["Plans"]) == ["6 of 6"] * 3
    blind, declared, locked = table["Accepted later, in 100 (M2)"].astype(int)
    assert blind < 70 < 95 < min(declared, locked)
    assert list(table["End at “no account”, in 100"]) == ["100", "0", "0"]
    at.slider(key="lesson_add").set_value(0.0).run()
    assert fine(at) and not at.table and button(at, "Compute for 30 applicants")


@pytest.mark.parametrize("query", [{"dataset": "sba", "weights": "ball"}, {"shifts": LESSON}])
def test_every_statement_works_for_other_data_and_futures(open_app, query):
    at = open_app("paper", paper_part="What can be proven", **query)
    for claim in CLAIMS:
        at.radio(key="claim").set_value(claim).run()
        assert fine(at), claim
        assert at.subheader[0].value == claim


@pytest.mark.slow
def test_a_network_is_told_apart(open_claim):
    at = open_claim(1, dataset="synthetic", model="mlp")
    assert fine(at) and "this is the logistic regression instead" in said(at)
    at.radio(key="claim").set_value(next(c for c in CLAIMS if c.startswith("3 "))).run()
    assert not at.exception and not at.error


def test_in_a_lecture_one_table_is_on_the_screen_and_is_predicted_first(open_app):
    place = 1 + list(EXPERIMENTS).index("linear")
    at = open_app("paper", lecture="true", paper_step=str(place))
    assert not at.exception and not at.error and not at.warning
    told = EXPERIMENTS["linear"]
    assert f"### {place} · {told.title}" in said(at) and told.about in said(at)
    assert not at.dataframe and told.difference not in said(at)
    button(at, "Next").click().run()
    assert at.dataframe and told.difference in said(at)
    button(at, "Next").click().run()
    assert f"### {place + 1} · " in said(at) and not at.dataframe
