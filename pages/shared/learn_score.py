"""From the three numbers m, s, r to the robust score and to a worst-case probability."""

import pandas as pd

from dirrac_core.arrays import Array
from dirrac_core.robustness import DIVERGENCES, Nominal, WeightBall, WorstComponent
from dirrac_core.robustness.weightings import Weighting
from pages.shared import wording
from pages.shared.learn_point import Point, Section, factor, number, plain, rows

TERMS_IN_A_LINE = 2


def three_numbers(p: Point) -> Section:
    """m, s and r of every component."""
    m, s, r = (float(term[p.k]) for term in (p.m, p.s, p.r))
    says = "it says yes" if p.m[p.k] >= 0 else "it says no"
    words = (
        f"Ask the average model of {p.component(p.k)} about {p.name}: its score is "
        f"**m = {plain(m)}**, and above 0 means yes, so {says}. Other models of the same kind "
        f"scatter around that average; **s = {plain(s)}** is how far their scores scatter. And "
        f"the average itself is only estimated: within the radius of doubt ρ = {p.rho:g} its "
        f"score can be lower by as much as **r = {plain(r)}**."
    )
    table = pd.DataFrame(
        {
            "Component": [p.component(k) for k in range(p.components)],
            "m, score of its average": [plain(v) for v in p.m],
            "s, scatter": [plain(v) for v in p.s],
            "r, doubt": [plain(v) for v in p.r],
            "a, robust score": [plain(v) for v in p.a],
        }
    ).set_index("Component")
    return Section(
        "Three numbers",
        words,
        (
            rf"m = \hat\theta_k^\top x = {number(m)}",
            rf"s = \sqrt{{x^\top \hat\Sigma_k\, x}} = {number(s)}",
            rf"r = \rho_k \lVert x\rVert_2 = {number(p.rho)} \cdot {number(p.norm)} = {number(r)}",
        ),
        "In the paper: Section 3.2, Proposition “Worst-case probability”, where A = −m, B = s and "
        "C = r. The last entry of x is the constant 1 that carries the bias.",
        table,
    )


def robust_score(p: Point) -> Section:
    """Condition (S)."""
    m, s, r, a = (float(term[p.k]) for term in (p.m, p.s, p.r, p.a))
    general = r"m \;\ge\; a\,s + \sqrt{1+a^2}\;r \qquad\text{(S)}"
    if not p.safe:
        words = (
            f"The robust score asks how many deviations {p.name} could lose before being "
            f"declined. Here the doubt alone is enough: m = {plain(m)} does not exceed "
            f"r = {plain(r)}, so some average model within the radius of doubt says no and "
            "there is no positive score."
        )
        formulas: tuple[str, ...] = (general, rf"m = {number(m)} \le {number(r)} = r")
    else:
        words = (
            f"How many deviations can {p.name} lose before being declined, after the doubt is "
            f"taken off? The largest such number is the **robust score a = "
            f"{plain(a)}**. Every worst-case number on these pages is a function of it, "
            "and the larger it is, the safer the plan."
        )
        filled = (
            r"s = r = 0:\ \text{every } a \text{ satisfies (S), so } a = \infty"
            if s == 0.0 and r == 0.0
            else rows(
                rf"{number(m)} &= {number(a)} \cdot {number(s)}",
                rf"&\quad + \sqrt{{1 + {number(a)}^2}} \cdot {number(r)}",
            )
        )
        formulas = (general, filled)
    return Section(
        "The robust score",
        words,
        formulas,
        "In the paper: Section 3.2, Lemma “Worst-case Value-at-Risk”, read with β = 1/(1 + a²): "
        "then √((1 − β)/β) = a and 1/√β = √(1 + a²).",
    )


def closed_form(p: Point) -> Section:
    """The formula for a."""
    m, s, r, a = (number(term[p.k]) for term in (p.m, p.s, p.r, p.a))
    general = r"a = \frac{m^2 - r^2}{m\,s + r\sqrt{m^2 + s^2 - r^2}}"
    formulas = [general]
    if p.safe:
        formulas.append(
            rows(
                rf"a &= \frac{{{m}^2 - {r}^2}}{{{m}\cdot {s} + {r}\cdot L}} = {a}",
                rf"L &= \sqrt{{{m}^2 + {s}^2 - {r}^2}}",
            )
        )
    words = (
        "No search is needed: the score follows from m, s and r by one formula. For a fixed score, "
        "the plans that reach it form a convex set, and that is why a best plan can be found and "
        "proven."
    )
    if not p.safe:
        words += " The formula needs m > r, which does not hold here."
    return Section(
        "The score in one formula",
        words,
        tuple(formulas),
        "In the paper: Section 4.1, Theorem “Gaussian DiRRAc reformulation”, there called g_k.",
    )


def links(p: Point) -> Section:
    """From the score to two probabilities."""
    a = number(p.a[p.k])
    any_shape = float(p.probabilities("chebyshev")[p.k])
    bell = float(p.probabilities("gaussian")[p.k])
    words = (
        f"Of the models of {p.component(p.k)}, **{wording.at_most(any_shape)}** decline {p.name} "
        "if only their average and scatter are known, up to ρ (guarantee). If they "
        f"also scatter like a bell curve, **{wording.at_most(bell)}** do (assumption)."
    )
    if p.components == 1:
        words += (
            " Both fall when the score rises, so with a single component both are smallest at the "
            "same plan: DiRRAc and Gaussian DiRRAc differ only in the number printed beside it."
        )
    formulas = (
        (
            rows(
                r"&\text{any distribution:}",
                rf"&\frac{{1}}{{1+a^2}} = \frac{{1}}{{1 + {a}^2}} = {number(any_shape)}",
            ),
            rows(r"&\text{Gaussian:}", rf"&\Phi(-a) = \Phi(-{a}) = {number(bell)}"),
        )
        if p.safe
        else (
            rows(r"&\text{any distribution:}", r"&m \le r, \text{ so } 1"),
            rows(
                r"&\text{Gaussian:}",
                rf"&\Phi(-a) = \Phi(-{factor(p.a[p.k])}) = {number(bell)}",
            ),
        )
    )
    return Section(
        "Two links: from the score to a worst case",
        words,
        formulas,
        "In the paper: Section 3.2, Proposition “Worst-case probability”, and the appendix, "
        "Proposition “Worst-case probability – Gaussian”. (The Theorem on the equivalent form "
        "calls the root f_k and squares it; the Proposition's f_k is the probability itself.)",
    )


def weightings(p: Point) -> Section:
    """From K probabilities to one."""
    link = p.scenario.link
    f, weights = p.probabilities(link), p.case.problem.mixture.weights
    ball = WeightBall(p.scenario.divergence, p.scenario.weight_radius)
    choices: dict[str, Weighting] = {
        "nominal": Nominal(),
        "ball": ball,
        "worst-component": WorstComponent(),
    }
    value = {name: choice.evaluate(weights, f)[0] for name, choice in choices.items()}
    if p.components == 1:
        words = (
            "There is one component, so nothing has to be weighed: its worst case is the plan's, "
            f"{wording.at_most(value['nominal'])}."
        )
    else:
        words = (
            f"The {p.components} components have a worst case each. Weighed as estimated they "
            f"give {wording.at_most(value['nominal'])}; if the weights may also be wrong by "
            f"ε = {ball.radius:g}, {wording.at_most(value['ball'])}; if only the worst component "
            f"counts, {wording.at_most(value['worst-component'])}. The plan makes "
            f"“{wording.WEIGHTINGS[p.scenario.weighting]}” as small as it can."
        )
    _, worst = ball.evaluate(weights, f)
    label = DIVERGENCES[ball.divergence].label
    return Section(
        "Three weightings: from K worst cases to one",
        words,
        (
            rows(r"&\sum_k \hat p_k f_k", *_sum(weights, f), rf"&= {number(value['nominal'])}"),
            rows(
                rf"&\max_{{p \in \Delta}} \sum_k p_k f_k,\quad "
                rf"\Delta: D_\phi(p\,\Vert\,\hat p)\le {number(ball.radius)}",
                *_sum(worst, f),
                rf"&= {number(value['ball'])} \quad \text{{({label})}}",
            ),
            rf"\max_k f_k = {number(value['worst-component'])}",
        ),
        "In the paper: Section 3.1, Theorem “Equivalent form of DiRRAc” (as estimated); appendix, "
        "Theorem “Objective value” (uncertain weights) and Corollary “Component Probability "
        "DiRRAc” (worst component). Two links times three weightings are the paper's "
        "six formulations.",
    )


def _sum(weights: Array, f: Array) -> list[str]:
    """= p_1·f_1 + p_2·f_2 + …, on lines that fit a narrow screen."""
    terms = [rf"{number(p)}\cdot {number(v)}" for p, v in zip(weights, f, strict=True)]
    lines = [
        " + ".join(terms[i : i + TERMS_IN_A_LINE]) for i in range(0, len(terms), TERMS_IN_A_LINE)
    ]
    return [rf"&= {lines[0]}", *(rf"&\quad + {line}" for line in lines[1:])]
