"""The published protocol's parts: balanced people, its own scaling, rules only when judging."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dirrac_core.data import load_dataset
from dirrac_core.methods.protocol import Answer, Plan, planned
from dirrac_core.paper.bench import compete, our_bench
from dirrac_core.paper.comparison import COLUMNS, assembled, measured_row
from dirrac_core.paper.experiment import OURS, PROTOCOL, PUBLISHED, Run, Settings
from dirrac_core.paper.protocol import Unruled, balanced_dataset, protocol_bench
from dirrac_core.paper.store import published

FEW = Settings(applicants=3, draws=1, jobs=1)


@pytest.mark.parametrize(
    ("name", "present", "shifted"), [("german", 600, 600), ("sba", 372, 886), ("student", 310, 160)]
)
def test_classes_are_balanced_to_the_published_sizes(name, present, shifted):
    dataset = balanced_dataset(name, np.random.default_rng(0))
    assert (len(dataset.present), len(dataset.shifted)) == (present, shifted)
    for sample in (dataset.present, dataset.shifted):
        assert sample.y.sum() * 2 == len(sample)
        # Each sample is scaled by its own range.
        one_hot = [column for group in dataset.schema.groups for column in group]
        numbers = np.delete(sample.X, one_hot, axis=1)
        assert (numbers.min(axis=0) == 0.0).all()
        assert (numbers.max(axis=0) == 1.0).all()


def test_only_the_label_of_sba_is_turned_round():
    for name in ("german", "sba", "student"):
        original = load_dataset(name)
        people = original.present.people
        dataset = balanced_dataset(name, np.random.default_rng(1))
        known = people.assign(y=original.present.y).groupby(list(people.columns))["y"].agg(list)
        ours = [known[tuple(row)] for row in dataset.present.people.itertuples(index=False)]
        turned = [y not in labels for y, labels in zip(dataset.present.y, ours, strict=True)]
        assert np.mean(turned) == pytest.approx(float(name == "sba"), abs=0.1)
        assert (dataset.favourable == original.unfavourable) == (name == "sba")


def test_draws_differ_and_repeat():
    first, again, other = (
        protocol_bench("student", draw, FEW, "free").parameters for draw in (0, 0, 1)
    )
    np.testing.assert_array_equal(first, again)
    assert not np.allclose(first, other)


def test_applicants_are_declined_and_were_not_trained_on():
    bench = protocol_bench("german", 0, replace(FEW, applicants=None), "free")
    x0 = np.array([applicant.x0 for applicant in bench.applicants])
    assert (x0 @ bench.current.theta < 0.0).all()
    rows = {applicant.row for applicant in bench.applicants}
    assert len(rows) == len(x0) and 40 < len(rows) < 100
    assert len(bench.people) == 480 and bench.parameters.shape == (100, 12)


class Fixed:
    """A method that answers x0 plus a change, and remembers what it was asked."""

    def __init__(self, model, change, parameter=np.nan):
        self.model, self.change, self.parameter = model, change, parameter
        self.name, self.asked = "fixed", []

    def recourse(self, x0, actions) -> Plan:
        self.asked.append(actions)
        change = np.append(self.change, 0.0)
        return planned(
            "fixed", x0, actions, self.model, True, lambda start: Answer(start + change, "Moved.")
        )


def test_unruled_asks_without_rules_and_judges_with_them():
    bench = protocol_bench("student", 0, FEW, "paper")
    applicant = bench.applicants[0]
    method = Fixed(bench.current, np.full(bench.people.shape[1], 3.0))
    plan = Unruled(method, bench.current, held=(1,), reach=2.0).recourse(
        applicant.x0, applicant.actions
    )
    (asked,) = method.asked
    assert asked.groups == () and 1 in asked.locked
    assert set(applicant.actions.locked) < set(asked.locked)
    assert asked.only_up == applicant.actions.only_up
    assert (asked.lower == -2.0).all() and (asked.upper == 3.0).all()
    assert not plan.keeps_rules
    assert {check.name for check in plan.checks.checks} > {"today's model accepts"}
    bounds = [check for check in plan.checks.broken if check.high == 1.0]
    assert bounds


def test_the_first_variant_accepted_everywhere_is_kept():
    bench = our_bench("student", FEW, "free")
    theta = bench.current.theta[:-1]
    nothing, all_the_way = np.zeros_like(theta), 10.0 * theta
    declined = Fixed(bench.current, nothing, 1.0)
    good, late = Fixed(bench.current, all_the_way, 2.0), Fixed(bench.current, all_the_way, 3.0)
    found = compete(bench, [(declined, good, late), (declined,)], Run(FEW))
    assert [method.parameter for method, _ in found] == [2.0, 1.0]
    assert [m.m1 for m in found[0][1]] == [True] * 3
    assert late.asked == []


def test_a_cancelled_competition_has_no_result():
    bench = our_bench("student", FEW, "free")
    method = Fixed(bench.current, np.zeros(bench.people.shape[1]))
    assert compete(bench, [(method,)], Run(FEW, cancel=lambda: True)) is None


def row(source, draw, m2, n=4):
    return {
        "source": source,
        "dataset": "german",
        "favourable": "good credit",
        "method": "AR",
        "parameter": 1.0,
        "draw": draw,
        "n": n,
        "plans": n - 1,
        "m2": m2,
        "cost_l1": 2.0 * m2,
    }


def test_averages_over_draws_stand_between_published_and_ours():
    printed = published("prior")
    printed = printed[printed["dataset"] == "german"]
    draws = [row(PROTOCOL, 0, 0.5), row(PROTOCOL, 1, 0.7, n=6)]
    rows = assembled(printed, pd.DataFrame([row(OURS, np.nan, 0.9), *draws]))
    assert list(rows.columns) == COLUMNS
    assert rows["source"].tolist() == [PUBLISHED] * 3 + [PROTOCOL, OURS, PROTOCOL, PROTOCOL]
    assert rows["draw"].isna().tolist() == [True] * 5 + [False] * 2
    average = rows.iloc[3]
    assert (average["n"], average["plans"]) == (10, 8)
    assert average["m2"] == pytest.approx(0.6) and average["m2_draws"] == pytest.approx(0.1)
    assert average["cost_l1_draws"] == pytest.approx(0.2)
    assert average["m2_low"] == 0.0 and average["m2_high"] == 1.0
    assert rows["favourable"].unique().tolist() == ["good credit"]


def test_a_row_says_how_many_were_asked():
    bench = our_bench("german", FEW, "free")
    method = Fixed(bench.current, np.zeros(bench.people.shape[1]))
    ((_, measured),) = compete(bench, [(method,)], Run(FEW))
    told = measured_row(measured)
    assert (told["n"], told["plans"], told["success"], told["m1"]) == (3, 3, 0.0, 0.0)
    assert told["cost_l1"] == 0.0 and told["keeps_rules"] == 1.0
    about = {"source", "dataset", "favourable", "method", "parameter", "draw"}
    over_draws = {name for name in COLUMNS if name.endswith("_draws")}
    assert set(COLUMNS) - about - over_draws < told.keys()
