"""Rules of the domain: as data, as rows, and in plans."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from dirrac_core import DATASETS, load_dataset
from dirrac_core.case.case import bundle_of, make_case, solve_scenario
from dirrac_core.case.no_plan import own_ranges_to_blame, why_no_plan
from dirrac_core.case.realism import rules_in_force
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.data.nearest import (
    distances_in_what_may_move,
    distances_to_favourable,
    nearest_people,
)
from dirrac_core.data.plausibility import real_people
from dirrac_core.data.schema.plan_rules import (
    ClosedRule,
    RatioRule,
    ShareRule,
    StepRule,
    SumRule,
    read_plan_rule,
    with_edits,
    without_limits,
)
from dirrac_core.errors import InvalidInput
from dirrac_core.models.logistic import fit_logistic
from dirrac_core.models.protected import price_of_leaving_out, without_protected
from dirrac_core.models.reasons import contributions, main_reasons

RULES = (
    RatioRule("instalment", "Credit amount", "Duration", most=400.0),
    SumRule("both", (("Credit amount", 1.0), ("Duration", 10.0)), least=500.0),
    ShareRule("share", "Credit amount", least=0.7, reason="Enough to be of use."),
    StepRule("step", "Duration", least=20.0, most=6.0),
    ClosedRule("closed", "Status", ("no account", "≥ 200 DM")),
)
REALISTIC = {"plausibility": 0.05, "domain_rules": True}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_survives_json_and_the_scenario_file(rule):
    assert read_plan_rule(json.loads(json.dumps(asdict(rule)))) == rule
    scenario = Scenario(
        "german", 1, rules=(rule,), plausibility=0.1, plan_kind="cheapest", level=0.3
    )
    assert Scenario.from_json(scenario.to_json()) == scenario
    assert hash(scenario) == hash(Scenario.from_json(scenario.to_json()))


def test_old_scenario_files_keep_their_meaning():
    old = Scenario.from_json('{"dataset": "german", "applicant": 1}')
    assert old.plausibility is None and not old.domain_rules and old.rules == ()
    assert old.plan_kind == "safest" and old.level is None
    assert make_case(old).problem.unbounded.actions.plausible is None


@pytest.mark.parametrize(
    "content",
    [
        {"kind": "ratio", "name": "x", "top": "a"},
        {"kind": "magic", "name": "x"},
        {"kind": "sum", "name": "x", "terms": [["a", "much"]]},
        {"kind": "share", "name": "x", "feature": "a", "least": 1.5},
        {"kind": "ratio", "name": "x", "top": "a", "bottom": "b", "least": 2, "most": 1},
        {"kind": "step", "name": "x", "feature": "a", "most": -1},
        {"kind": "closed", "name": "x", "feature": "a", "categories": "abc"},
        {"kind": "share", "name": "x", "feature": "a", "colour": "red"},
        {"kind": "share", "name": 3, "feature": "a"},
        "no rule",
    ],
)
def test_bad_rules_are_refused_by_name(content):
    with pytest.raises(InvalidInput):
        read_plan_rule(content)


def test_rules_must_fit_the_table():
    for rule in (
        RatioRule("x", "Credit amount", "Nothing", most=1.0),
        RatioRule("x", "Status", "Duration", most=1.0),
        ClosedRule("x", "Duration", ("a",)),
        ClosedRule("x", "Status", ("gold",)),
    ):
        with pytest.raises(InvalidInput):
            make_case(Scenario("german", 1, rules=(rule,)))


def test_plans_keep_every_rule_in_real_units():
    rows = bundle_of(Scenario("german", 0)).declined[:12]
    found = 0
    for row in rows:
        solution = solve_scenario(Scenario("german", int(row), rules=RULES[:1] + RULES[2:]))
        case, x = solution.case, solution.plan.x
        if x is None:
            continue
        found += 1
        now, then = (case.dataset.schema.decode(v) for v in (case.x0, x))
        assert then["Credit amount"] <= 400.0 * then["Duration"] * (1 + 1e-6)
        assert then["Credit amount"] >= 0.7 * now["Credit amount"] - 1e-3
        assert now["Duration"] - 20.001 <= then["Duration"] <= now["Duration"] + 6.001
        if now["Status"] != then["Status"]:
            assert then["Status"] not in ("no account", "≥ 200 DM")
    assert found >= 4


@pytest.mark.parametrize("name", ["sba", "sba-no-leak"])
def test_no_firm_is_asked_to_hire_without_measure_or_to_borrow_more_than_it_needs(name):
    """Whole units may round by half a unit, no more."""
    settings = recommended(name)
    for row in bundle_of(settings).declined[:6]:
        solution = solve_scenario(Scenario.of(settings, int(row)))
        schema = solution.case.dataset.schema
        now, then = (schema.decode(v) for v in (solution.case.x0, solution.plan.x))
        assert then["Employees"] <= now["Employees"] + 6.001
        assert then["Jobs created"] <= now["Jobs created"] + 6.001
        assert then["Jobs retained"] <= then["Employees"] + then["Jobs created"] + 0.001
        assert 0.5 * now["Gross amount"] - 0.1 <= then["Gross amount"]
        assert then["Gross amount"] <= now["Gross amount"] + 0.1


def test_an_edit_takes_the_place_of_the_rule_of_its_name():
    german = load_dataset("german")
    share = ShareRule("Share of the amount", "Credit amount", least=0.9)
    settings = Scenario("german", 1, domain_rules=True, rules=(share,))
    chosen = {rule.name: rule for rule in rules_in_force(german, settings)}
    assert chosen["Share of the amount"] == share and "Instalment" in chosen
    free = [without_limits(rule) for rule in chosen.values()]
    open_case = make_case(replace(settings, rules=tuple(free)))
    assert open_case.problem.unbounded.actions.linear[:-1] == ()
    assert with_edits(RULES, ()) == RULES


@pytest.mark.parametrize("name", DATASETS)
def test_every_applicant_is_inside_the_plausible_set(name):
    dataset = load_dataset(name)
    people = real_people(dataset, 0.05)
    for x in dataset.present.X[::25]:
        plausible = people.around(x)
        assert plausible.distance(x) <= plausible.size * (1 + 1e-12)
        assert (plausible.lower <= x).all() and (x <= plausible.upper).all()


def test_the_share_of_real_people_outside_follows_the_dial():
    dataset = load_dataset("german")
    favourable = dataset.present.X[dataset.present.y == 1]
    for share in (0.05, 0.2):
        people = real_people(dataset, share)
        (shape,) = people.shapes.values()
        everything = np.ones(3, dtype=bool)
        factor = shape.whitening(everything)
        outside = [
            np.linalg.norm(factor @ (x[[4, 5, 10]] - shape.mean)) > shape.size(factor, share)
            for x in favourable
        ]
        assert share - 0.01 <= np.mean(outside) <= share


def test_the_conditional_shape_ignores_how_unusual_the_locked_numbers_are():
    dataset = load_dataset("german")
    (shape,) = real_people(dataset, 0.05).shapes.values()
    factor = shape.whitening(np.array([True, True, False]))
    held = np.array([0.0, 0.0, 5.0])
    across, within = shape.covariance[2, :2], shape.covariance[2, 2]
    expected = np.append(across / within * 5.0, 5.0)
    assert np.linalg.norm(factor @ expected) == pytest.approx(0.0, abs=1e-9)
    assert np.linalg.norm(factor @ held) > 0.0


def test_few_rows_are_drawn_to_the_diagonal_and_constants_are_allowed():
    dataset = load_dataset("german")
    rows = np.flatnonzero(dataset.present.y == 1)[:4]
    few = replace(
        dataset.present,
        X=dataset.present.X[rows],
        y=dataset.present.y[rows],
        _people=dataset.present.people.iloc[rows],
    )
    people = real_people(replace(dataset, present=few), 0.05)
    assert people.around(dataset.present.X[0]).size > 0.0
    nobody = replace(few, X=few.X, y=0 * few.y)
    with pytest.raises(InvalidInput, match="favourable"):
        real_people(replace(dataset, present=nobody), 0.05)


def test_the_nearest_people_are_favourable_and_sorted():
    dataset = load_dataset("german")
    x = dataset.present.X[3]
    nearest = nearest_people(dataset, x)
    assert len(nearest) == 3 and all(dataset.present.y[n.row] == 1 for n in nearest)
    assert [n.distance for n in nearest] == sorted(distances_to_favourable(dataset, x))[:3]
    someone = int(np.flatnonzero(dataset.present.y == 1)[0])
    assert nearest_people(dataset, dataset.present.X[someone], 1)[0].distance == 0.0


def test_the_distance_in_what_may_move_ignores_the_rest():
    """Among people of the same kind, and 0 once everything movable is that of one of them."""
    sba = load_dataset("sba")
    people, schema = real_people(sba, 0.05), sba.schema
    locked = [c for name in sba.preset("sensible").locked for c in schema.columns_of(name)]
    favourable = np.flatnonzero(sba.present.y == 1)
    x = sba.present.X[favourable[7]].copy()
    table = sba.present.people.iloc[favourable]
    same = np.ones(len(table), dtype=bool)
    for name in people.kind:
        same &= (table[name] == table[name].iloc[7]).to_numpy()
    (charged,) = schema.columns_of("Charged-off amount")
    x[charged] += 0.3
    distances = distances_in_what_may_move(sba, people, x, locked)
    assert people.kind and len(distances) == same.sum() < len(table)
    # What is locked still says where the movable numbers usually are; nothing else.
    factor = people.shape_of(x).whitening(~np.isin(schema.number_columns, locked))
    moved = factor[:, schema.number_columns.index(charged)] * 0.3
    own = int(np.flatnonzero(same).tolist().index(7))
    assert distances[own] == pytest.approx(np.linalg.norm(moved))
    assert distances.min() < distances_to_favourable(sba, x).min()
    estate = list(schema.columns_of("Real estate"))
    x[estate] = x[estate[::-1]]
    other = distances_in_what_may_move(sba, people, x, locked)
    assert other[own] == pytest.approx(np.sqrt(distances[own] ** 2 + 2.0))


def test_a_rule_to_blame_is_named_and_dropping_it_opens_a_plan():
    rule = StepRule("Tiny steps", "Duration", least=0.0, most=0.0)
    locked = tuple(FeatureRule(name, "no") for name in ("Status", "Credit amount"))
    blocked = Scenario("german", 1, components=1, edits=locked, rules=(rule,))
    explanation = why_no_plan(make_case(blocked))
    assert [drop.name for drop in explanation.drops] == ["Tiny steps"]
    assert "rules" in explanation.blame and "Tiny steps" in explanation.message
    opened = make_case(replace(blocked, rules=(without_limits(rule),)))
    assert opened.problem.delta_min == pytest.approx(explanation.drops[0].delta_min, abs=1e-6)


def test_likeness_is_to_blame_where_only_it_stands_in_the_way():
    found = 0
    for row in bundle_of(Scenario("student", 0)).declined[:25]:
        scenario = Scenario("student", int(row), components=1, plausibility=0.3)
        case = make_case(scenario)
        free = make_case(replace(scenario, plausibility=None))
        if np.isfinite(case.problem.delta_min) or not np.isfinite(free.problem.delta_min):
            continue
        found += 1
        explanation = why_no_plan(case)
        assert "like real people" in explanation.blame
        assert explanation.drops[0].delta_min == pytest.approx(free.problem.delta_min, abs=1e-6)
    assert found


def test_the_visitors_own_range_is_named():
    edits = (
        FeatureRule("Status", "no"),
        FeatureRule("Credit amount", "no"),
        FeatureRule("Duration", "both", low=40.0),
    )
    case = make_case(Scenario("german", 1, components=1, edits=edits))
    assert not np.isfinite(case.problem.delta_min)
    (own,) = own_ranges_to_blame(case)
    assert own.words == "your minimum of 40 months (Duration)" and own.rule.low is None
    freed = make_case(replace(case.scenario, edits=(*edits[:2], own.rule)))
    assert freed.problem.delta_min == pytest.approx(own.delta_min, abs=1e-6)


def test_protected_attributes_are_shown_but_never_reasons():
    german = load_dataset("german")
    bundle = bundle_of(Scenario("german", 0))
    theta = bundle.current.theta
    for row in bundle.declined[:10]:
        x0 = np.append(german.present.X[row], 1.0)
        bars = contributions(theta, x0, german.present, german.schema)
        assert {bar.feature for bar in bars if bar.protected} == {"Age", "Personal status"}
        assert [bar.contribution for bar in bars] == sorted(bar.contribution for bar in bars)
        reasons = main_reasons(theta, x0, german.present, german.schema)
        assert not {"Age", "Personal status"} & {reason.feature for reason in reasons}


def test_leaving_protected_attributes_out_has_a_price():
    german = load_dataset("german")
    assert without_protected(german) is without_protected(german)
    price = price_of_leaving_out(german)
    assert price.features == ("Personal status", "Age") and abs(price.price) < 0.1
    assert price_of_leaving_out(load_dataset("sba-no-leak")) is None
    assert without_protected(load_dataset("sba-no-leak")) is load_dataset("sba-no-leak")
    assert "Without Personal status and Age" in price.sentence


@pytest.mark.parametrize("futures", ["stress", "sampling", "paper"])
def test_no_model_of_a_case_sees_a_protected_attribute(futures):
    scenario = Scenario("german", 1, futures=futures, without_protected=True, components=1)
    case = make_case(scenario)
    schema, bundle = case.dataset.schema, case.bundle
    hidden = [c for name in ("Age", "Personal status") for c in schema.columns_of(name)]
    seen = [c for c in range(len(schema.columns)) if c not in hidden] + [len(schema.columns)]
    clouds = [bundle.parameters, bundle.future.parameters, case.problem.mixture.means]
    for models in (bundle.current.theta[None], *clouds):
        assert not models[:, hidden].any() and models[:, seen].any(axis=0).all()
    # The same as a regression on the other columns alone.
    present, rows = case.dataset.present, bundle.training
    alone = fit_logistic(present.X[rows][:, seen[:-1]], present.y[rows])[0]
    np.testing.assert_allclose(bundle.current.theta[seen], alone, atol=1e-8)
    plan = solve_scenario(scenario).plan
    assert (np.abs(plan.x - case.x0)[hidden] < 1e-9).all()
    assert Scenario.from_json(scenario.to_json()) == scenario
    with pytest.raises(InvalidInput, match="logistic"):
        replace(scenario, model="mlp", components=1, futures="paper")


def test_the_instalment_is_described():
    solution = solve_scenario(Scenario("german", 3, **REALISTIC))
    schema = solution.case.dataset.schema
    (instalment,) = schema.describe_derived(solution.case.x0, solution.plan.x)
    now, then = (schema.decode(v) for v in (solution.case.x0, solution.plan.x))
    assert instalment.before == pytest.approx(now["Credit amount"] / now["Duration"])
    assert instalment.after == pytest.approx(then["Credit amount"] / then["Duration"])
    assert instalment.formula == "Credit amount ÷ Duration" and "DM" in instalment.sentence
