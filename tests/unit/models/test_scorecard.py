"""Scorecards: bins and points as today's model, in the card's own points."""

import numpy as np
import pandas as pd
import pytest

from dirrac_core.data import table_dataset
from dirrac_core.data.schema.schema import with_constant
from dirrac_core.errors import InvalidInput
from dirrac_core.models.bundle import prepare
from dirrac_core.models.given.coefficients import described_model, with_given_model
from dirrac_core.models.given.scorecard import read_scorecard, with_scorecard
from dirrac_core.recourse import RecourseProblem, find_recourse

CARD = """feature,bin,points
(base),,300
(cut-off),,350
(points to double the odds),,25
months,< 12,40
months,12 to 24,25
months,24 to 36,10
months,>= 36,0
income,under 2000,0
income,"[2000, 3500)",15
income,3500+,35
job,clerk,5
job,nurse,20
"""


def people(rows=300):
    rng = np.random.default_rng(3)
    months = rng.integers(4, 60, rows)
    income = rng.normal(2800, 700, rows).round()
    job = rng.choice(["clerk", "nurse", "other"], rows)
    chance = 40 - months + income / 100 + 10 * (job == "nurse") + rng.normal(0, 10, rows)
    paid = np.where(chance > 30, "yes", "no")
    return pd.DataFrame({"months": months, "income": income, "job": job, "paid": paid})


def by_hand(frame):
    months = np.select([frame.months < 12, frame.months < 24, frame.months < 36], [40, 25, 10], 0)
    income = np.select([frame.income < 2000, frame.income < 3500], [0, 15], 35)
    return 300 + months + income + frame.job.map({"clerk": 5, "nurse": 20, "other": 0}).to_numpy()


@pytest.fixture(scope="module")
def dataset():
    return table_dataset(people(), label="paid", favourable="yes")[0]


@pytest.fixture(scope="module")
def carded(dataset):
    return with_given_model(dataset, CARD.encode())


def test_the_score_is_that_of_the_points_by_hand(carded):
    dataset, notes = carded
    log_odds = (by_hand(people()) - 350) * np.log(2) / 25
    np.testing.assert_allclose(
        with_constant(dataset.present.X) @ dataset.given_model, log_odds, atol=2e-9
    )
    bundle = prepare(dataset)
    np.testing.assert_array_equal(
        bundle.current.decision(dataset.present.X), by_hand(people()) >= 350
    )
    assert "350 points are needed" in notes[-1] and "['other']" in notes[0]
    assert described_model(CARD.encode()) == "a scorecard of 9 bins"


def test_a_plan_moves_between_bins_and_reaches_the_cut_off(carded):
    dataset, _ = carded
    bundle = prepare(dataset)
    x0 = with_constant(dataset.present.X[bundle.declined[0]])
    plan = find_recourse(
        RecourseProblem(
            x0,
            bundle.estimate.mixture,
            0.0,
            actions=dataset.actions("free"),
            categories="whole",
            current_model=bundle.current.theta,
        )
    )
    person = pd.DataFrame([dataset.schema.decode(plan.x)])
    card = read_scorecard(CARD)
    points = card.base + sum(card.points[c].get(person[c][0], 0.0) for c in card.points)
    assert points >= 350 and person["months"][0] in card.points["months"]


def test_bins_of_whole_numbers_may_leave_gaps_between_them():
    frame = people()
    dataset = table_dataset(frame, label="paid", favourable="yes")[0]
    whole = CARD.replace("12 to 24", "12-23").replace("24 to 36", "24–35")
    changed, _ = with_scorecard(dataset, read_scorecard(whole))
    log_odds = (by_hand(frame) - 350) * np.log(2) / 25
    np.testing.assert_allclose(
        with_constant(changed.present.X) @ changed.given_model, log_odds, atol=2e-9
    )


def test_what_is_not_on_the_card_has_no_points():
    frame = people()
    frame.loc[:20, "income"] = np.nan
    dataset = table_dataset(frame, label="paid", favourable="yes")[0]
    card = CARD.replace("job,clerk,5\njob,nurse,20\n", "")
    changed, notes = with_given_model(dataset, card.encode())
    filled = frame.assign(income=dataset.present.people["income"], job="other")
    log_odds = (by_hand(filled) - 350) * np.log(2) / 25
    np.testing.assert_allclose(
        with_constant(changed.present.X) @ changed.given_model, log_odds, atol=2e-9
    )
    assert "without points: income missing, job." in notes[0]
    # A plan must not change for nothing what no model looks at.
    for preset in changed.schema.presets.values():
        assert set(preset.locked) == {"income missing", "job"}


GAPPY = """feature,bin,points
(cut-off),,60
income,< 3000,10
income,>= 3000,40
income,missing,25
inquiries,0,30
inquiries,1 to 2,15
inquiries,3+,0
flag,0,3
flag,1.0,12
job,clerk,5
job,nurse,9
job,pilot,50
job,unknown,7
"""


def gappy_people(rows=300):
    rng = np.random.default_rng(8)
    frame = pd.DataFrame(
        {
            "income": rng.normal(3000, 700, rows).round(),
            "inquiries": rng.integers(0, 6, rows),
            "flag": rng.choice([0, 1], rows),
            "job": rng.choice(["clerk", "nurse"], rows),
        }
    )
    frame["paid"] = np.where(frame.income - 300 * frame.inquiries > 2300, "yes", "no")
    frame.loc[::11, "income"] = np.nan
    frame.loc[::13, "job"] = np.nan
    return frame


def gappy_points(frame):
    income = np.select([frame.income.isna(), frame.income < 3000], [25, 10], 40)
    inquiries = np.select([frame.inquiries == 0, frame.inquiries <= 2], [30, 15], 0)
    job = frame.job.map({"clerk": 5, "nurse": 9}).fillna(7)
    return income + inquiries + np.where(frame.flag == 1, 12, 3) + job.to_numpy()


@pytest.mark.parametrize("flags", ["flag,0,3\nflag,1.0,12", "flag,< 1,3\nflag,1+,12"])
def test_missing_values_single_numbers_and_codes_have_their_points(flags):
    frame = gappy_people()
    card = GAPPY.replace("flag,0,3\nflag,1.0,12", flags)
    changed, notes = with_given_model(
        table_dataset(frame, label="paid", favourable="yes")[0], card.encode()
    )
    log_odds = (gappy_points(frame) - 60) * np.log(2) / 20
    np.testing.assert_allclose(
        with_constant(changed.present.X) @ changed.given_model, log_odds, atol=2e-9
    )
    assert notes[:-1] == ("Bins of 'job' that nobody has are left out: ['pilot'].",)


def test_no_plan_of_a_scorecard_changes_what_is_not_known():
    changed, _ = with_given_model(
        table_dataset(gappy_people(), label="paid", favourable="yes")[0], GAPPY.encode()
    )
    schema, (unknown, known) = changed.schema, changed.present.X[[0, 1]]
    for name in ("income", "job"):
        columns = set(schema.columns_of(name))
        assert columns <= set(changed.actions("sensible", x0=unknown).locked)
        assert not columns & set(changed.actions("sensible", x0=known).locked)


def test_rules_about_numbers_that_become_bins_are_said_to_be_gone():
    frame = people().rename(columns={"income": "amount"})
    card = CARD.replace("income", "amount")
    changed, notes = with_given_model(
        table_dataset(frame, label="paid", favourable="yes")[0], card.encode()
    )
    assert changed.preset("sensible").rules == ()
    assert any("do not apply: share of amount." in note for note in notes)


def test_semicolons_and_decimal_commas():
    card = read_scorecard("feature;bin;points\n(cut-off);;10,5\nage;< 30;1,5\nage;>= 30;2\n")
    assert card.cut_off == 10.5 and card.double == 20.0 and card.points["age"]["< 30"] == 1.5


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(cut-off),,350\n", "", "what is needed"),
        ("months,>= 36,0\n", "", "must lie in a bin, got"),
        ("months,12 to 24,25", "months,10 to 24,25", "must not overlap, got '< 12' and '10 to 24'"),
        ("months,12 to 24,25", "months,a while,25", "must be a range"),
        ("job,clerk,5\njob,nurse,20\n", "job,pilot,5\n", "must be among"),
        ("job,clerk,5", "jobs,clerk,5", "only name the columns in use"),
        ("job,clerk,5", "job,clerk,much", "finite number, got 'much' in line 12"),
        ("job,clerk,5", "job,clerk", "must have 3 entries, got 2 in line 12"),
        ("job,clerk,5", "job,nurse,5", "'job', 'nurse' twice"),
        ("odds),,25", "odds),,0", "must be > 0"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_place(dataset, old, new, message):
    assert old in CARD
    with pytest.raises(InvalidInput, match=message):
        with_given_model(dataset, CARD.replace(old, new).encode())
