"""From the three numbers m, s, r to the robust score and to a worst-case probability."""

import pandas as pd

from dirrac_core.arrays import Array
from dirrac_core.figures.lessons.teaching import dual_line, score_line, two_points
from dirrac_core.robustness import DIVERGENCES, Nominal, WeightBall, WorstComponent
from dirrac_core.robustness.demonstrations import dual_curve, two_point_law
from dirrac_core.robustness.weightings import Weighting
from dirrac_core.wording import at_most
from pages.learn.point import Point, Section, factor, rows
from pages.shared import wording
from pages.shared.numbers import in_tex, in_text
from pages.shared.pictures import theme

TERMS_IN_A_LINE = 2


def three_numbers(p: Point) -> Section:
    """m, s and r of every component."""
    m, s, r, _ = p.numbers
    says = "it says yes" if m >= 0 else "it says no"
    words = (
        f"Ask the average model of {p.component(p.k)} about {p.name}: its score is "
        f"**m = {in_text(m)}**, and above 0 means yes, so {says}. Other models of the same kind "
        f"scatter around that average; **s = {in_text(s)}** is how far their scores scatter. And "
        f"the average itself is only estimated: within the radius of doubt ρ = {p.rho:g} its "
        f"score can be lower by as much as **r = {in_text(r)}**."
    )
    table = pd.DataFrame(
        {
            "Component": [p.component(k) for k in range(p.components)],
            "m, score of its average": [in_text(v) for v in p.m],
            "s, scatter": [in_text(v) for v in p.s],
            "r, doubt": [in_text(v) for v in p.r],
            "a, robust score": [in_text(v) for v in p.a],
        }
    ).set_index("Component")
    return Section(
        "Three numbers",
        words,
        (
            rf"m = \hat\theta_k^\top x = {in_tex(m)}",
            rf"s = \sqrt{{x^\top \hat\Sigma_k\, x}} = {in_tex(s)}",
            rf"r = \rho_k {p.length_in_tex} = {in_tex(p.rho)} \cdot {in_tex(p.length)} "
            rf"= {in_tex(r)}",
        ),
        "In the paper: Section 3.2, Proposition “Worst-case probability”, where A = −m, B = s and "
        "C = r. The last entry of x is the constant 1 that carries the bias.",
        table,
    )


def robust_score(p: Point) -> Section:
    """Condition (S)."""
    m, s, r, a = p.numbers
    general = r"m \;\ge\; a\,s + \sqrt{1+a^2}\;r \qquad\text{(S)}"
    if not p.safe:
        words = (
            f"The robust score asks how many deviations {p.name} could lose before being "
            f"declined. Here the doubt alone is enough: m = {in_text(m)} does not exceed "
            f"r = {in_text(r)}, so some average model within the radius of doubt says no and "
            "there is no positive score."
        )
        formulas: tuple[str, ...] = (general, rf"m = {in_tex(m)} \le {in_tex(r)} = r")
    else:
        words = (
            f"How many deviations can {p.name} lose before being declined, after the doubt is "
            f"taken off? The largest such number is the **robust score a = "
            f"{in_text(a)}**. Every worst-case number on these pages is a function of it, "
            "and the larger it is, the safer the plan."
        )
        filled = (
            r"s = r = 0:\ \text{every } a \text{ satisfies (S), so } a = \infty"
            if s == 0.0 and r == 0.0
            else rows(
                rf"{in_tex(m)} &= {in_tex(a)} \cdot {in_tex(s)}",
                rf"&\quad + \sqrt{{1 + {in_tex(a)}^2}} \cdot {in_tex(r)}",
            )
        )
        formulas = (general, filled)
    return Section(
        "The robust score",
        words,
        formulas,
        "In the paper: Section 3.2, Lemma “Worst-case Value-at-Risk”, read with β = 1/(1 + a²): "
        "then √((1 − β)/β) = a and 1/√β = √(1 + a²).",
        picture=score_line(m, s, r, a, theme()),
    )


def closed_form(p: Point) -> Section:
    """The formula for a."""
    m, s, r, a = map(in_tex, p.numbers)
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
    a = in_tex(p.a[p.k])
    any_shape = float(p.probabilities("chebyshev")[p.k])
    bell = float(p.probabilities("gaussian")[p.k])
    words = (
        f"Of the models of {p.component(p.k)}, **{at_most(any_shape)}** decline {p.name} "
        "if only their average and scatter are known, up to ρ (worst case). If they "
        f"also scatter like a bell curve, **{at_most(bell)}** do (assumption)."
    )
    if p.components == 1:
        words += (
            " Both fall when the score rises, so with a single component both are smallest at the "
            "same plan: DiRRAc and Gaussian DiRRAc differ only in the number printed next to it."
        )
    formulas = (
        (
            rows(
                r"&\text{any distribution:}",
                rf"&\frac{{1}}{{1+a^2}} = \frac{{1}}{{1 + {a}^2}} = {in_tex(any_shape)}",
            ),
            rows(r"&\text{Gaussian:}", rf"&\Phi(-a) = \Phi(-{a}) = {in_tex(bell)}"),
        )
        if p.safe
        else (
            rows(r"&\text{any distribution:}", r"&m \le r, \text{ so } 1"),
            rows(
                r"&\text{Gaussian:}",
                rf"&\Phi(-a) = \Phi(-{factor(p.a[p.k])}) = {in_tex(bell)}",
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
        curves_at=float(p.a[p.k]),
    )


def attained(p: Point) -> Section:
    """The two-point distribution that attains 1/(1 + a²)."""
    _, m, s = p.adversary
    if not p.safe or m <= 0.0 or s <= 0.0:
        return Section(
            "Who attains it",
            f"The worst case of {p.name} is "
            + ("certain: all may decline." if not p.safe else "0: nothing scatters here."),
            (),
            "In the paper: Section 3.2.",
        )
    law = two_point_law(m, s)
    words = (
        "Can it really be that bad? Yes. Take the worst average and scatter within ρ: the scores "
        f"of {p.name} then have mean {in_text(m)} and deviation {in_text(s)}. Let "
        f"{at_most(law.declined).replace('at most ', '')} future models score 0 and all others "
        f"{in_text(law.accepted_at)}: mean and deviation are right, and exactly the worst case "
        "declines. So the number cannot be improved without assuming a shape."
    )
    return Section(
        "Who attains it",
        words,
        (
            rows(
                r"&\mathbb P(\theta^\top x = 0) = \frac{1}{1+a^2} "
                rf"= {in_tex(law.declined)}",
                r"&\mathbb P\big(\theta^\top x = m + \tfrac{s^2}{m}\big) = \frac{a^2}{1+a^2} "
                rf"= {in_tex(1.0 - law.declined)}",
            ),
        ),
        "The case of equality in Cantelli's inequality; it is why the Proposition “Worst-case "
        "probability” is an equality. A score of 0 stands for scores just below it.",
        picture=two_points(law, m, theme()),
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
            f"{at_most(value['nominal'])}."
        )
    else:
        words = (
            f"The {p.components} components have a worst case each. Weighed as estimated they "
            f"give {at_most(value['nominal'])}; if the weights may also be wrong by "
            f"ε = {ball.radius:g}, {at_most(value['ball'])}; if only the worst component "
            f"counts, {at_most(value['worst-component'])}. The plan makes "
            f"“{wording.WEIGHTINGS[p.scenario.weighting]}” as small as it can."
        )
    _, worst = ball.evaluate(weights, f)
    curve = dual_curve(ball.divergence, weights, f, ball.radius) if p.components > 1 else None
    if curve is not None:
        words += (
            " The picture shows the dual: a price λ for moving weight gives an upper bound, and at "
            "the right price it meets the worst weights."
        )
    label = DIVERGENCES[ball.divergence].label
    return Section(
        "Three weightings: from K worst cases to one",
        words,
        (
            rows(r"&\sum_k \hat p_k f_k", *_sum(weights, f), rf"&= {in_tex(value['nominal'])}"),
            rows(
                rf"&\max_{{p \in \Delta}} \sum_k p_k f_k,\quad "
                rf"\Delta: D_\phi(p\,\Vert\,\hat p)\le {in_tex(ball.radius)}",
                *_sum(worst, f),
                rf"&= {in_tex(value['ball'])} \quad \text{{({label})}}",
            ),
            rows(
                r"&\max_{p\in\Delta} \textstyle\sum_k p_k f_k =\ \min_{\lambda\ge 0,\,\eta}",
                r"&\quad \eta + \varepsilon\lambda + \lambda \textstyle\sum_k \hat p_k\,"
                r"\phi^*\!\big(\tfrac{f_k-\eta}{\lambda}\big)",
            ),
            rf"\max_k f_k = {in_tex(value['worst-component'])}",
        ),
        "In the paper: Section 3.1, Theorem “Equivalent form of DiRRAc” (as estimated); appendix, "
        "Theorem “Objective value” (uncertain weights) and Corollary “Component Probability "
        "DiRRAc” (worst component). Two links times three weightings are the paper's "
        "six formulations.",
        picture=None if curve is None else dual_line(curve, theme()),
    )


def _sum(weights: Array, f: Array) -> list[str]:
    """= p_1·f_1 + p_2·f_2 + …, on lines that fit a narrow screen."""
    terms = [rf"{in_tex(p)}\cdot {in_tex(v)}" for p, v in zip(weights, f, strict=True)]
    lines = [
        " + ".join(terms[i : i + TERMS_IN_A_LINE]) for i in range(0, len(terms), TERMS_IN_A_LINE)
    ]
    return [rf"&= {lines[0]}", *(rf"&\quad + {line}" for line in lines[1:])]
