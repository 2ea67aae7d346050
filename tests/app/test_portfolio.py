"""The portfolio page: start, progress, stop, results, groups, people to open, files."""

import csv
import datetime
import html
import io
import threading
import time
from dataclasses import replace

import pandas as pd
import pytest
from screen import button, charts, page_file, ready, said
from small_tables import people

from dirrac_core.case.case import make_case
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import table_dataset
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.data.safe_csv import safe_csv
from dirrac_core.data.upload.visitor_tables import register_table
from dirrac_core.errors import SolverFailure
from dirrac_core.studies.evidence.track_record import track_record
from dirrac_core.studies.people.equity import equity
from dirrac_core.studies.people.portfolio import case_portfolio
from dirrac_core.studies.people.stored_portfolio import stored_portfolio
from pages.portfolio import run as portfolio_run
from pages.portfolio.export import flat, parquet
from pages.portfolio.no_recourse import sentences
from pages.portfolio.quantities import group_measures as measures
from pages.portfolio.quantities import promise_name
from pages.portfolio.run import Asked, Reviewed, differences
from pages.portfolio.summary import contents, summary
from pages.portfolio.verdict import tail_sentences
from pages.runs import background
from pages.runs.people import begin, result_about
from pages.shared.promise import NO_RECORD, record_sentence

PATIENCE = 180
# With Status locked and this radius some of the first people have no plan.
HARD = {"rho": "0.3", "may": "Status:no"}
DAY = datetime.date(2026, 11, 16)


@pytest.fixture
def start(open_app, runs, monkeypatch):
    """Open the page and have the first people computed."""

    def started(count=4, **query):
        at = ready(open_app("portfolio", portfolio_first=str(count), **query))
        drawn = threading.Event()
        after(drawn, monkeypatch)
        ready(button(at, "Plan for").click().run())
        assert "Stop" in buttons(at)
        drawn.set()
        assert runs["portfolio"].wait(PATIENCE)
        return ready(at.run())

    return started


@pytest.fixture(scope="module")
def reviewed():
    """The first twelve German applicants under the hard settings."""
    scenario = Scenario("german", 1, radii=0.3, edits=(FeatureRule("Status", "no"),))
    case = make_case(scenario)
    frame = case_portfolio(case, case.bundle.declined[:12], jobs=1)
    return Reviewed.of(Asked(replace(scenario, applicant=0), 12), frame)


def after(drawn, monkeypatch):
    """Hold the work back until the page has drawn its progress, however quick the work is."""
    compute = portfolio_run.case_portfolio

    def held(*asked):
        assert drawn.wait(PATIENCE)
        return compute(*asked)

    monkeypatch.setattr(portfolio_run, "case_portfolio", held)


def buttons(at):
    return [b.label for b in at.button]


def test_before_anything_is_computed_the_page_says_what_it_would_do(open_app, runs):
    at = ready(open_app("portfolio", dataset="german"))
    assert "Plan for all 183 declined people" in buttons(at)
    assert not charts(at) and not at.dataframe
    assert any("in the background" in c.value for c in at.caption)


def test_the_results_are_those_of_the_core(start, runs):
    at = start(4, dataset="german")
    frame = runs["portfolio"].result
    case = make_case(Scenario("german", 1))
    expected = case_portfolio(case, case.bundle.declined[:4], jobs=1)
    assert frame["worst_case"].tolist() == expected["worst_case"].tolist()
    assert frame["row"].tolist() == case.bundle.declined[:4].tolist()
    assert "Of the first 4 of 183 declined people everyone has a plan" in said(at)
    everyone = at.dataframe[-1].value
    assert everyone["Effort"].tolist() == frame["cost"].tolist()
    assert not any(label.startswith("Plan") for label in buttons(at))


def test_a_shipped_portfolio_is_there_when_the_page_opens(open_app, runs):
    at = ready(open_app("portfolio"))
    assert "Of 183 declined people everyone has a plan" in said(at)
    assert "no plan of 183 was declined more often than promised" in said(at).lower()
    assert not any(label.startswith("Plan") for label in buttons(at)) and not runs
    ready(at.slider(key="portfolio_level").set_value(50).run())
    frame = stored_portfolio(recommended("german"))
    assert f"**{(frame['worst_case'] <= 0.5).sum()} of 183 plans**" in said(at)


def test_a_link_shows_the_result_to_the_next_visitor(start, open_app, monkeypatch):
    start(2, dataset="synthetic", rho="0.2")
    nobody = {}
    monkeypatch.setattr(background, "_runs", lambda: nobody)
    stranger = ready(open_app("portfolio", dataset="synthetic", rho="0.2", portfolio_first="2"))
    assert "Of the first 2 of 500 declined people" in said(stranger) and not nobody
    other = ready(open_app("portfolio", dataset="synthetic", rho="0.3", portfolio_first="2"))
    assert "Plan for the first 2 declined people" in buttons(other)


def test_results_about_an_uploaded_table_are_kept_for_nobody_else(runs):
    settings = Scenario("german", 1)
    shared = replace(settings, applicant=0)
    begin("portfolio", settings, shared, lambda progress, cancel: "everyone's")
    assert runs["portfolio"].wait(PATIENCE)
    assert background.kept_result("portfolio", shared) == "everyone's"
    name = register_table(table_dataset(people(), label="paid", favourable="yes")[0])
    own = Scenario(name, 0)
    begin("portfolio", own, own, lambda progress, cancel: "private")
    assert runs["portfolio"].wait(PATIENCE)
    assert background.kept_result("portfolio", own) is None
    assert result_about("portfolio", own) == "private"


def test_other_settings_are_named_and_can_be_computed_again(start):
    at = start(2, dataset="synthetic")
    ready(at.slider(key="set radii").set_value(0.2).run())
    assert "Radius of doubt ρ was 0.1, is 0.2" in at.warning[0].value
    assert "Plan again for the first 2 declined people" in buttons(at)
    assert "Of the first 2" in said(at)
    ready(at.slider(key="set radii").set_value(0.1).run())
    assert not any("other settings" in w.value for w in at.warning)


def test_another_applicant_is_no_other_setting(start):
    at = start(2, dataset="synthetic")
    ready(at.selectbox(key="set applicant").set_value(3).run())
    assert not any("other settings" in w.value for w in at.warning)


def waiting_work(monkeypatch, begun, go_on):
    """A portfolio that waits after its first person until told."""
    compute = portfolio_run.case_portfolio

    def slow(case, rows, jobs, progress, cancel):
        def told(part, words):
            progress(part, words)
            begun.set()
            go_on.wait(PATIENCE)

        return compute(case, rows, jobs, told, cancel)

    monkeypatch.setattr(portfolio_run, "case_portfolio", slow)


def test_a_stopped_run_keeps_what_is_finished(open_app, runs, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()
    waiting_work(monkeypatch, begun, go_on)
    at = ready(open_app("portfolio", dataset="synthetic", portfolio_first="3"))
    ready(button(at, "Plan for").click().run())
    assert begun.wait(PATIENCE)
    ready(at.run())
    assert "Stop" in buttons(at) and not at.dataframe
    ready(at.switch_page(page_file("recourse")).run())
    ready(at.switch_page(page_file("portfolio")).run())
    ready(button(at, "Stop").click().run())
    go_on.set()
    assert runs["portfolio"].wait(PATIENCE)
    ready(at.run())
    assert "Stopped after 1 of 3 people" in at.info[0].value
    assert len(at.dataframe[-1].value) == 1
    assert "Plan again for the first 3 declined people" in buttons(at)


def test_a_run_stopped_before_its_first_person_leaves_an_empty_page(open_app, runs, monkeypatch):
    def stopped_at_once(case, rows, jobs, progress, cancel):
        while not cancel():
            time.sleep(0.01)
        return case_portfolio(case, rows, jobs, progress, cancel)

    monkeypatch.setattr(portfolio_run, "case_portfolio", stopped_at_once)
    at = ready(open_app("portfolio", dataset="synthetic", portfolio_first="3"))
    ready(button(at, "Plan for").click().run())
    runs["portfolio"].stop()
    assert runs["portfolio"].wait(PATIENCE)
    ready(at.run())
    assert "Stopped before anyone was finished" in at.info[0].value
    assert "Plan for the first 3 declined people" in buttons(at)


def test_a_failure_is_told_in_words_and_the_page_stays_usable(open_app, runs, monkeypatch):
    def fails(*_):
        message = "The cone program must end solved"
        raise SolverFailure(message)

    monkeypatch.setattr(portfolio_run, "case_portfolio", fails)
    at = ready(open_app("portfolio", dataset="synthetic", portfolio_first="2"))
    button(at, "Plan for").click().run()
    assert runs["portfolio"].wait(PATIENCE)
    at.run()
    assert not at.exception and "must end solved" in at.error[0].value
    assert "Plan for the first 2 declined people" in buttons(at)


def test_who_has_no_recourse_and_why(start):
    at = start(5, dataset="german", **HARD)
    words = said(at)
    assert "people have no plan at any effort" in words
    assert "**Status**" in words and "in the way most often" in words
    blamed = next(d.value for d in at.dataframe if "Enough alone" in d.value)
    assert "Status" in blamed["Feature"].tolist()


def test_nobody_with_a_plan_is_still_a_page(start):
    at = start(2, dataset="student", rho="1.4", may="Second grade:no")
    assert "nobody has a plan under these conditions" in said(at)
    assert len(charts(at)) == 1
    assert any("Nobody in" in warning.value for warning in at.warning)


def test_groups_by_any_feature(start):
    at = start(5, dataset="german", **HARD)
    assert at.selectbox(key="group_by").value == "Personal status"
    assert any("Small groups of fewer than 30 people" in w.value for w in at.warning)
    ready(at.selectbox(key="group_by").set_value("Duration").run())
    ready(at.selectbox(key="group_measure").set_value("infeasible").run())
    figure = charts(at)[-2].figure
    assert "months" in figure["data"][0]["y"][0]
    assert figure["layout"]["xaxis"]["title"]["text"] == "without a plan, in 100"


def test_a_person_is_opened_with_the_settings_of_the_portfolio(start, runs):
    at = start(2, dataset="synthetic", add="0.5")
    row = int(runs["portfolio"].result["row"].iloc[1])
    ready(at.slider(key="set radii").set_value(0.2).run())
    ready(at.selectbox(key="portfolio person").set_value(row).run())
    ready(button(at, "Open this person").click().run())
    scenario = at.session_state["scenario"]
    assert (scenario.applicant, scenario.radii, scenario.delta_add) == (row, 0.1, 0.5)
    assert any(f"Applicant {row}" in h.value for h in (*at.header, *at.subheader, *at.title))


def test_a_network_has_no_price_of_robustness(reviewed):
    network = replace(reviewed.case, surrogate=object())
    assert "price_of_robustness" not in measures(network)
    assert "price_of_robustness" in measures(reviewed.case)
    assert promise_name(network) == "Assumption"
    assert "linear approximation" in measures(network)["worst_case"].title


def test_a_bad_link_says_what_it_ignored(start):
    at = start(2, dataset="synthetic", portfolio_up="nonsense", group_by="Colour")
    told = " ".join(w.value for w in at.warning)
    assert "nonsense" in told and "Colour" in told


def test_a_number_in_the_link_that_is_none_is_told(open_app, runs):
    at = ready(open_app("portfolio", dataset="synthetic", portfolio_first="many"))
    assert any("many" in w.value for w in at.warning)
    assert at.number_input(key="portfolio_first").value == 500


def test_differences_name_each_setting_that_changed():
    before = Scenario("german", 1)
    assert differences(before, before) == []
    changed = replace(before, link="gaussian", seed=3)
    assert differences(before, changed) == [
        "Future models follow was any distribution, is Gaussian",
        "Seed was 0, is 3",
    ]


def test_the_sentences_about_locks_count_people():
    lost = pd.DataFrame(
        {
            "found": [False] * 3,
            "too_much_doubt": [True, False, False],
            "unlocks": [(("Age",), ("Status",)), (("Age",),), ()],
        }
    )
    told = " ".join(sentences(lost))
    assert "3 people have no plan" in told and "**Age** is in the way most often" in told
    assert "for 2 people." in told
    assert "radius of doubt ρ alone would open a plan for 1 of them" in told
    assert "For 1 neither helps" in told


def test_the_table_holds_every_plan_in_real_units(reviewed):
    rows = list(csv.DictReader(io.StringIO(safe_csv(flat(reviewed)))))
    frame = reviewed.frame
    assert [int(row["row"]) for row in rows] == frame["row"].tolist()
    schema = reviewed.case.dataset.schema
    for row, x in zip(rows, frame["x"], strict=True):
        if x is None:
            assert row["plan: Duration"] == "" and row["what_to_free"]
        else:
            assert float(row["plan: Duration"]) == schema.decode(x)["Duration"]
            assert row["plan: Status"] == schema.decode(x)["Status"]
    again = pd.read_parquet(io.BytesIO(parquet(reviewed)))
    assert again["row"].tolist() == frame["row"].tolist()
    assert again["plan: Age"].notna().sum() == frame["found"].sum()


def test_the_summary_is_one_page_that_needs_nothing_from_outside(reviewed):
    page = summary(contents(reviewed, "Personal status", 20, "http://x/?a=<script>", DAY))
    for outside in ("<script", "<link", "<img", "@import", "url(", "src="):
        assert outside not in page
    lost = int((~reviewed.frame["found"]).sum())
    for words in (
        "16 November 2026",
        f"{lost} of 12 people have no plan at any effort",
        "What could go wrong",
        "Review of recourse: German credit",
        "Radius of doubt ρ: 0.3",
        "http://x/?a=&lt;script&gt;",
    ):
        assert words in page
    table = equity(reviewed.frame, reviewed.case.dataset, "Personal status")
    for group in table["group"]:
        assert f"<td>{html.escape(group)}</td>" in page
    assert page.count("<svg") == 2


def test_the_summary_escapes_the_words_of_a_table(reviewed):
    dataset = replace(reviewed.case.dataset, title="<b onload=x>&")
    named = replace(reviewed, case=replace(reviewed.case, dataset=dataset))
    page = summary(contents(named, "Age", 20, "http://x", DAY))
    assert "<b onload" not in page and "&lt;b onload=x&gt;&amp;" in page


def test_an_assumption_is_not_called_a_worst_case_in_the_tail(reviewed):
    assert "decline, in the worst case." in tail_sentences(reviewed, 20)[0]
    assumed = replace(reviewed.case.scenario, link="gaussian")
    case = replace(reviewed.case, scenario=assumed)
    assert "decline, if Gaussian." in tail_sentences(replace(reviewed, case=case), 20)[0]


def test_the_record_stands_with_the_promise_on_the_page_and_in_the_summary(open_app, reviewed):
    at = ready(open_app("portfolio", dataset="german", v="2"))
    known = record_sentence(track_record(recommended("german")))
    assert "past promises" in known and known in [c.value for c in at.main.caption]
    scenario = Scenario.of(recommended("german"), 0)
    usual = Reviewed.of(Asked(scenario, None), stored_portfolio(scenario.settings))
    usually = summary(contents(usual, "Age", 20, "http://x", DAY))
    # As many components as the declared futures bring, not the K that is set.
    assert html.escape(known) in usually and "Components K: 7;" in usually
    # Without a record the promise is no guarantee.
    page = summary(contents(reviewed, "Age", 20, "http://x", DAY))
    assert NO_RECORD in page and "orst case within what was declared" in page
    assert "Guarantee" not in page
