"""Learn: every number in a formula is the core's, in every state; glossary, limits, references."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from screen import said

from dirrac_core import DATASETS
from dirrac_core import methods as baselines
from dirrac_core.case.case import make_case, solve_scenario
from dirrac_core.case.facts import facts_of
from dirrac_core.case.scenario import Scenario
from dirrac_core.recourse import find_recourse
from dirrac_core.wording import at_most, no_fewer
from pages.learn import score as learn_score
from pages.learn import solver as learn_solver
from pages.learn.glossary import words_about
from pages.learn.limits import CAUTION, LESSON, NOT_PROMISED, PROMISED
from pages.learn.mathematics import SECTIONS
from pages.learn.point import point_of
from pages.learn.references import METHODS
from pages.shared import computing, wording
from pages.shared.numbers import in_tex, in_text

ONE = Scenario("german", 1, components=1)
SEVERAL = Scenario("german", 1, components=3)
LINKS = ("chebyshev", "gaussian")
NO_PLAN = Scenario("german", 1, radii=1.5)


@pytest.fixture
def open_page(open_app):
    return lambda **query: open_app("learn", **query)


def fine(at):
    return not at.exception and not at.error and not at.warning


def formulas(at):
    return "\n".join(element.value for element in at.latex)


def headings(at):
    return [m.value for m in at.main.markdown if m.value.startswith("### ")]


@pytest.mark.parametrize("dataset", DATASETS)
def test_the_mathematics_of_every_dataset(open_page, dataset):
    at = open_page(dataset=dataset)
    assert fine(at)
    assert len(headings(at)) == len(SECTIONS)
    # Plain words first, formulas one click away.
    assert not at.latex
    at.toggle(key="formulas").set_value(True).run()
    assert fine(at) and len(at.latex) > 2 * len(SECTIONS)
    assert sum("the paper" in c.value for c in at.main.caption) >= len(SECTIONS)


def test_the_formulas_carry_the_numbers_of_the_current_plan(open_page):
    at = open_page(dataset="german", applicant="1", k="3", formulas="true")
    solution = solve_scenario(SEVERAL)
    problem, x = solution.case.problem, solution.plan.x
    k = int(problem.objective.scores(x).argmin())
    theta, sigma = problem.mixture.means[k], problem.mixture.covariances[k]
    m, s, r = theta @ x, np.sqrt(x @ sigma @ x), 0.1 * np.linalg.norm(x)
    shown = formulas(at)
    for value in (m, s, r):
        assert f"= {in_tex(value)}\n" in shown
    a = (m**2 - r**2) / (m * s + r * np.sqrt(m**2 + s**2 - r**2))
    assert f"= {in_tex(a)} \\\\" in shown and f"**robust score a = {in_text(a)}**" in said(at)
    assert f"= {in_tex(1 / (1 + a * a))}" in shown
    assert f"= {in_tex(problem.objective.value(x))}\\end" in shown
    at.slider(key="set radii").set_value(0.2).run()
    assert fine(at) and f"\\rho_k \\lVert x\\rVert_2 = {in_tex(0.2)}" in formulas(at)


def test_another_component_can_be_looked_at(open_page):
    at = open_page(dataset="german", applicant="1", k="3")
    box = at.selectbox(key="learn component german 3")
    assert box.options[box.value].endswith("(the weakest)")
    other = (box.value + 1) % 3
    box.set_value(other).run()
    assert fine(at)
    assert f"m = {in_text(point_of(SEVERAL, other).m[other])}" in said(at)


def test_the_three_numbers_satisfy_the_condition_with_equality():
    p = point_of(SEVERAL)
    assert np.allclose(p.m, p.a * p.s + np.sqrt(1 + p.a**2) * p.r)
    assert p.k == p.a.argmin() and p.safe


@pytest.mark.parametrize("weighting", ["nominal", "ball", "worst-component"])
def test_the_weighting_in_use_gives_the_value_of_the_plan(weighting):
    p = point_of(replace(SEVERAL, weighting=weighting))
    value = p.solution.plan.worst_case_probability
    section = learn_score.weightings(p)
    assert in_tex(value) in "\n".join(section.formulas)
    assert f"“{wording.WEIGHTINGS[weighting]}” as small" in section.words


def test_one_component_has_one_plan_under_both_links():
    chebyshev, gaussian = (solve_scenario(replace(ONE, link=link)) for link in LINKS)
    assert np.array_equal(chebyshev.plan.x, gaussian.plan.x)
    for link in LINKS:
        assert (
            "differ only in the number"
            in learn_score.links(point_of(replace(ONE, link=link))).words
        )
    assert "differ only" not in learn_score.links(point_of(SEVERAL)).words


def test_dinkelbach_goes_from_the_cheapest_plan_to_the_best_score():
    section = learn_solver.one_component(point_of(ONE))
    first, last = map(float, re.search(r"score of ([\d.]+), to ([\d.]+),", section.words).groups())
    problem = make_case(ONE).problem
    assert first == pytest.approx(problem.objective.scores(problem.unbounded.cheapest.x)[0], 1e-2)
    assert last == pytest.approx(problem.objective.scores(find_recourse(problem).x)[0], 1e-2)
    assert last > first
    assert (
        "so this only gives each one's own best"
        in learn_solver.one_component(point_of(SEVERAL)).words
    )


def test_the_trace_of_a_mixture_falls_and_ends_with_its_bound():
    p = point_of(SEVERAL)
    table = learn_solver.mixtures(p).table
    values = table["Worst case of the plan held"].astype(float)
    assert values.is_monotonic_decreasing and len(values) >= 3
    exact = p.solution.plan.exact
    assert float(table["Proven lower bound"].iloc[-1]) == pytest.approx(exact.lower_bound, abs=1e-5)
    assert learn_solver.mixtures(point_of(ONE)).table is None


def test_the_certificate_is_the_plans():
    p = point_of(SEVERAL)
    plan = p.solution.plan
    section = learn_solver.certificate(p)
    assert at_most(plan.worst_case_probability) in section.words
    assert no_fewer(plan.lower_bound) in section.words
    assert f"{plan.gap:.6f}" in section.formulas[0]


def test_the_adversary_sits_exactly_on_the_ball():
    for p in (point_of(SEVERAL), point_of(ONE), point_of(replace(ONE, radii=0.0))):
        shown = "\n".join(learn_solver.adversary(p).formulas)
        assert f"= {in_tex(p.rho)}, \\qquad \\rho = {in_tex(p.rho)}" in shown
        assert f"= {in_tex(p.a[p.k])} = a" in shown
    lost = point_of(NO_PLAN)
    assert lost.a[lost.k] == -np.inf
    assert "decline the applicant unchanged for certain" in learn_solver.adversary(lost).words


def test_the_ceiling_on_rho_separates_plans_from_none():
    highest = computing.largest_radius(ONE)
    assert in_text(highest)[:3] in learn_solver.ceiling_on_rho(point_of(ONE)).words
    for factor, found in ((0.99, True), (1.01, False)):
        problem = make_case(replace(ONE, radii=factor * highest)).problem
        assert np.isfinite(problem.delta_min) == found


def test_without_a_plan_the_numbers_are_the_applicants(open_page):
    at = open_page(dataset="german", applicant="1", rho="1.5", formulas="true")
    assert not at.exception and not at.error
    assert "has no plan under these settings" in at.main.warning[0].value
    assert wording.WHY_NO_PLAN in [link.proto.label for link in at.get("page_link")]
    case = make_case(NO_PLAN)
    k = int(case.problem.objective.scores(case.x0).argmin())
    assert f"m = {in_text(case.problem.mixture.means[k] @ case.x0)}" in said(at)
    assert "there is no positive score" in said(at)
    assert learn_solver.NOTHING in said(at)


def test_a_network_is_said_to_be_approximated(open_page):
    at = open_page(dataset="synthetic", model="mlp", rho="0.01", formulas="true")
    assert fine(at)
    assert "LIME's linear approximation" in at.main.info[0].value
    assert len(headings(at)) == len(SECTIONS)


def test_without_doubt_the_score_is_a_plain_ratio(open_page):
    at = open_page(dataset="german", applicant="1", k="1", rho="0", formulas="true")
    assert fine(at)
    p = point_of(replace(ONE, radii=0.0))
    assert p.a[0] == pytest.approx(p.m[0] / p.s[0]) and p.r[0] == 0.0
    assert f"**robust score a = {in_text(p.a[0])}**" in said(at)


@pytest.mark.parametrize(
    ("value", "latex", "text"),
    [
        (0.0, "0", "0"),
        (1.5, "1.5", "1.5"),
        (-0.12345, "-0.1235", "−0.1235"),
        (1234.56, "1235", "1235"),
        (np.inf, r"\infty", "∞"),
        (-np.inf, r"-\infty", "−∞"),
        (2e-5, r"2.00\cdot 10^{-5}", "2.00·10^−5"),
    ],
)
def test_numbers(value, latex, text):
    assert (in_tex(value), in_text(value)) == (latex, text)


def test_the_glossary_lists_every_word_and_can_be_searched(open_page):
    at = open_page(chapter="Glossary")
    assert fine(at)
    for word, meaning in wording.GLOSSARY.items():
        assert f"**{wording.term(word)}** · {meaning}" in said(at)
    at.text_input(key="glossary search").set_value("ρ").run()
    shown = [m.value for m in at.main.markdown if " · " in m.value]
    assert 0 < len(shown) < len(wording.GLOSSARY) and all("ρ" in line for line in shown)
    at.text_input(key="glossary search").set_value("nothing like it").run()
    assert "No word of the glossary" in at.main.info[0].value
    assert words_about("RADIUS OF DOUBT")


def test_tooltips_say_what_the_glossary_says():
    for name in ("rho", "delta_add", "link", "weighting", "seed"):
        assert wording.GLOSSARY[name] in wording.HELP[name]
    assert wording.GLOSSARY["K"] in wording.HELP["components"]


def test_promises_and_limits_with_the_numbers_of_here_and_now(open_page):
    at = open_page(chapter="Promises and limits", dataset="german", applicant="1", k="1", add="2")
    assert fine(at)
    for sentence in (*PROMISED, *NOT_PROMISED, LESSON, CAUTION):
        assert sentence in said(at)
    solution = solve_scenario(replace(ONE, delta_add=2.0))
    facts = facts_of(solution.case, solution.plan.x)
    most = math.ceil(100 * facts.guarantee)
    assert "**Worst case within what was declared:**" in said(at)
    assert f"of 100 future models, at most {most} decline" in said(at)
    assert f"**Observed:** of 100 later models, {facts.declined} declined" in said(at)
    # The lesson as told: a small guarantee, and most later models decline.
    assert facts.guarantee < 0.05 and facts.declined > 50
    assert "The ball need not contain them" in said(at)


def test_limits_without_a_plan(open_page):
    at = open_page(chapter="Promises and limits", dataset="german", applicant="1", rho="1.5")
    assert fine(at) and "nothing is promised" in said(at)


def test_no_compliance_is_claimed():
    told = " ".join((*PROMISED, *NOT_PROMISED, LESSON, CAUTION)).lower()
    assert "claim no compliance" in told
    for word in ("compliant", "gdpr", "certified by", "legally"):
        assert word not in told


def test_every_method_compared_has_its_reference(open_page):
    at = open_page(chapter="References")
    assert fine(at) and "Distributionally Robust Recourse Action" in said(at)
    named = {"Wachter": "Wachter", "ActionableRecourse": "AR", "Cepm": "CEPM", "Rbr": "RBR"}
    named |= {"Mint": "MINT", "Lime": "LIME", "Dirrac": None}
    named |= dict.fromkeys(("Roar", "RoarPublished", "RoarEnsemble", "RoarAverage"), "ROAR")
    classes = {name for name in baselines.__all__ if hasattr(getattr(baselines, name), "recourse")}
    for name in classes - {"Method"}:
        assert named[name] is None or f"**{named[name]}.**" in said(at)
    assert set(METHODS) == {name for name in named.values() if name}


def test_an_unknown_chapter_is_told(open_page):
    at = open_page(chapter="Astrology")
    assert "there is no such choice" in at.warning[0].value
    assert len(headings(at)) == len(SECTIONS)
