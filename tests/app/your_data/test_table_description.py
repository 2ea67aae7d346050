"""Your data: the table file, the period column, rules, warnings and the placebo on the page."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from screen import button, page_file, plan_title, said

from dirrac_core.data import load_dataset
from dirrac_core.data.upload.table_file import TableFile
from dirrac_core.data.upload.visitor_tables import open_only
from dirrac_core.errors import InvalidInput
from dirrac_core.studies.evidence.pasts import SPLITS
from pages.your_data.rules import RATIO, SHARE, SUM, rule_of

pytestmark = pytest.mark.usefixtures("at_once")
ROWS = 240


def people(**more):
    rng = np.random.default_rng(5)
    income = rng.normal(3000, 700, ROWS).round()
    amount = rng.normal(9000, 3000, ROWS).round(-1).clip(500)
    good = income - amount / 6 + rng.normal(0, 300, ROWS) > 1450
    return pd.DataFrame(
        {
            "customer_id": [f"C{i}" for i in range(ROWS)],
            "year": np.sort(rng.integers(2015, 2021, ROWS)),
            "sex": rng.choice(["f", "m"], ROWS),
            "income": income,
            "amount": amount,
            "term": rng.choice([12, 24, 36, 48], ROWS),
            **more,
            "paid": np.where(good, "yes", "no"),
        }
    )


def content(frame):
    return frame.to_csv(index=False).encode()


DESCRIBED = {
    "title": "Loans of mine",
    "label": "paid",
    "favourable": ["yes"],
    "periods": "year",
    "shifted_from": "2019",
    "columns": {"income": {"unit": "€", "direction": "up", "reason": "Nobody aims lower."}},
    "rules": [
        {"kind": "ratio", "name": "instalment", "top": "amount", "bottom": "term", "most": 900}
    ],
}


def upload(at, key, name, data):
    at.file_uploader(key=key).set_value((name, data, "text/csv"))
    return at.run()


def clean(at):
    assert not at.exception
    assert not at.error, [e.value for e in at.error]
    return at


def test_a_table_file_fills_the_page_and_comes_out_whole(open_app):
    at = open_app("your_data")
    clean(upload(at, "upload present", "mine.csv", content(people())))
    clean(upload(at, "upload table file", "table.json", json.dumps(DESCRIBED).encode()))
    assert "Loans of mine" in [t.value for t in at.text_input]
    text = said(at)
    assert "Protected attributes:** sex" in text and "Past changes" in text
    read = at.session_state["table as read"]
    table = TableFile.from_json(read.report.table.to_json())
    assert (table.label, table.periods, table.shifted_from) == ("paid", "year", "2019")
    assert table.columns["income"]["direction"] == "up" and table.rules[0].most == 900.0
    assert table.columns["customer_id"]["drop"] and "identifier" in said(at)
    assert len(read.dataset.shifted) == (people()["year"] >= 2019).sum()
    clean(button(at, "Train and open").click().run())
    name = at.session_state["scenario"].dataset
    open_only({name})
    assert load_dataset(name).preset("sensible").only_up == {"income": "Nobody aims lower."}
    assert f"rows are the present people; {len(read.dataset.shifted)} later ones judge" in said(at)
    clean(button(at, "Check on a placebo").click().run())
    told = [shown.value for shown in (*at.success, *at.warning)]
    assert any("promises on the placebo" in words for words in told)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"[]", "must be a JSON object"),
        (b'{"label": "salary", "favourable": ["yes"]}', "must describe columns of this table"),
    ],
)
def test_a_table_file_that_does_not_fit_is_told_and_not_used(open_app, data, words):
    at = open_app("your_data")
    clean(upload(at, "upload present", "mine.csv", content(people())))
    upload(at, "upload table file", "table.json", data)
    assert words in at.error[0].value
    label = next(s for s in at.selectbox if s.label == "Column of the outcome (label)")
    assert label.value == "paid"


def test_a_leak_is_warned_of_before_training(open_app):
    frame = people()
    frame.insert(1, "recovered", np.where(frame["paid"] == "yes", 0, frame["income"]))
    at = open_app("your_data")
    clean(upload(at, "upload present", "mine.csv", content(frame)))
    good = next(m for m in at.multiselect if m.label == "Good outcome")
    clean(good.set_value(["yes"]).run())
    assert any("'recovered' alone tells the outcome" in w.value for w in at.warning)
    assert not any("is ready" in s.value for s in at.subheader)


def test_a_refused_file_says_which_one_stays_in_use(open_app):
    at = open_app("your_data")
    clean(upload(at, "upload present", "mine.csv", content(people())))
    upload(at, "upload present", "large.csv", b"a,b\n" + b"1,2\n" * 600_000)
    assert "at most 500,000 rows, got 600,000" in at.error[0].value
    assert "In use: **mine.csv**, the file before it" in said(at)


@pytest.mark.parametrize(
    ("year", "words"),
    [
        (["2019-01-01"] * 225 + ["2020-13-45"] * 15, "must hold numbers or dates"),
        ([2019] * 230 + [2020] * 10, "two windows of 20 people with both outcomes, got 2019: 230"),
        ("by outcome", "2020: 124 people, 0 favourable"),
    ],
)
def test_period_columns_that_cannot_be_used_are_told_before_training(open_app, year, words):
    frame = people()
    frame["year"] = np.where(frame["paid"] == "yes", 2019, 2020) if year == "by outcome" else year
    table = {"label": "paid", "favourable": ["yes"], "periods": "year"}
    at = open_app("your_data")
    clean(upload(at, "upload present", "mine.csv", content(frame)))
    upload(at, "upload table file", "table.json", json.dumps(table).encode())
    assert not at.exception and len(at.error) == 1 and words in at.error[0].value
    assert "say “not stated”" in said(at)
    assert not [b for b in at.button if b.label == "Train and open"]
    # Nothing is lost, and one choice makes the page usable again.
    when = next(s for s in at.selectbox if s.label == "When was each row recorded?")
    clean(when.set_value("not stated").run())
    assert button(at, "Train and open") and "mine.csv" in said(at)


def test_a_table_too_small_for_a_placebo_or_a_choice_of_the_radius(open_app):
    at = open_app("your_data")
    clean(upload(at, "upload present", "mine.csv", content(people().iloc[:36])))
    clean(next(m for m in at.multiselect if m.label == "Good outcome").set_value(["yes"]).run())
    clean(button(at, "Train and open").click().run())
    button(at, "Check on a placebo").click().run()
    assert at.error[0].value == "A placebo needs at least 40 present people, got 36."
    assert any("is ready" in s.value for s in at.subheader)
    at.switch_page(page_file("recourse")).run()
    plan = plan_title(clean(at))
    button(at, "Choose ρ for me").click().run()
    assert not at.exception and "got none among 36 people" in at.sidebar.error[0].value
    assert plan_title(at) == plan


EMPTY = {"Rule": "r", "Of": RATIO, "First": "a", "Second": "b", "At least": None, "At most": 2.0}
EMPTY |= {"× first": None, "× second": None, "Why": None}


def test_rules_of_the_editor():
    ratio = rule_of(EMPTY)
    assert (ratio.top, ratio.bottom, ratio.most) == ("a", "b", 2.0)
    total = rule_of({**EMPTY, "Of": SUM, "× second": -3.0})
    assert total.terms == (("a", 1.0), ("b", -3.0))
    half = rule_of({**EMPTY, "Of": SHARE, "At least": 0.5, "At most": None})
    assert (half.feature, half.least, half.most) == ("a", 0.5, None)
    for wrong, words in (
        ({"Of": SHARE, "At most": 0.5}, "needs 0 ≤ least ≤ 1 ≤ most"),
        ({"Rule": None}, "needs a name"),
        ({"Second": None}, "needs a second number"),
        ({"At most": None}, "needs a least or a most value"),
    ):
        with pytest.raises(InvalidInput, match=words):
            rule_of({**EMPTY, **wrong})


def test_the_cut_off_is_stated_on_the_page_and_saved_in_the_table_file(open_app):
    at = open_app("your_data")
    clean(upload(at, "upload present", "loans.csv", content(people())))
    kind = next(box for box in at.selectbox if box.label == "To be accepted takes")
    assert kind.value == "not stated"
    clean(kind.set_value("approval").run())
    number = next(n for n in at.number_input if n.label == "Cut-off")
    assert number.value == 0.8
    clean(number.set_value(0.7).run())
    good = next(box for box in at.multiselect if box.label == "Good outcome")
    clean(good.set_value(["yes"]).run())
    saved = at.session_state["table as read"].report.table
    assert (saved.cut_off, saved.cut_off_kind) == (0.7, "approval")
    assert [(rule.name, rule.least) for rule in saved.rules] == [("share of amount", 0.5)]
    # Loaded again, it is where it was.
    again = open_app("your_data")
    upload(again, "upload present", "loans.csv", content(people()))
    clean(upload(again, "upload table file", "table.json", saved.to_json().encode()))
    assert next(n for n in again.number_input if n.label == "Cut-off").value == 0.7
    clean(button(again, "Train and open").click().run())
    assert "today's model declines 72" in said(again)


def test_where_nobody_would_be_declined_the_page_says_which_cut_off_it_took(open_app):
    frame = people()
    rng = np.random.default_rng(1)
    frame["paid"] = np.where(rng.random(ROWS) < 0.03, "no", "yes")
    at = open_app("your_data")
    clean(upload(at, "upload present", "loans.csv", content(frame)))
    good = next(box for box in at.multiselect if box.label == "Good outcome")
    clean(good.set_value(["yes"]).run())
    clean(button(at, "Train and open").click().run())
    assert any("nobody would be declined" in each.value for each in at.info)


def test_a_placebo_is_the_record_of_the_table(open_app):
    at = open_app("your_data")
    clean(upload(at, "upload present", "mine.csv", content(people().drop(columns="year"))))
    clean(next(m for m in at.multiselect if m.label == "Good outcome").set_value(["yes"]).run())
    clean(button(at, "Train and open").click().run())
    at.switch_page(page_file("recourse")).run()
    assert "no past promise checked" in said(clean(at))
    at.switch_page(page_file("your_data")).run()
    clean(button(at, "Check on a placebo").click().run())
    counted = re.search(r"(\d+) of (\d+) promises on the placebo were broken", said(at))
    assert counted is not None and int(counted[2]) >= 20
    splits = re.search(r"Broken in each split: (.*)\.", said(at))[1].split(", ")
    assert len(splits) == SPLITS
    assert sum(int(split.split(" of ")[1]) for split in splits) == int(counted[2])
    at.switch_page(page_file("recourse")).run()
    assert f"Track record</p><p>{counted[1]} of {counted[2]}</p>" in said(clean(at))
    # A placebo tells luck apart and nothing else, so the word does not change.
    assert "Worst case within what was declared" in said(at)
