"""From all allowed plans to the best one, its proof, its adversary and the limit of ρ."""

import math

import pandas as pd

from dirrac_core.figures.lessons.teaching import descent
from dirrac_core.wording import at_most, no_fewer, out_of
from pages.learn.point import Point, Section, rows
from pages.shared import computing, wording
from pages.shared.numbers import in_tex, in_text
from pages.shared.pictures import theme

BEYOND = "Beyond the paper: "
NOTHING = "There is no plan under these settings, so there is nothing to prove."


def feasible_set(p: Point) -> Section:
    """X_ε, δ_min and the budget."""
    plan, margin = p.solution.plan, p.case.problem.unbounded.margin
    words = (
        "A plan must keep what may not change, every range and every rule, and every component "
        "must accept it with ρ to spare. "
    )
    accepted = (
        rf"&\hat\theta_k^\top x - \rho_k {p.length_in_tex}",
        r"&\quad \ge \varepsilon \ \forall k\}",
    )
    formulas = [
        rows(r"\mathcal X_\varepsilon = \{x \text{ allowed} :\ & c(x, x_0) \le \delta,", *accepted),
        rows(r"\delta_{\min} = \min\{c(x, x_0) :\ & x \text{ allowed},", *accepted),
    ]
    if p.has_plan:
        slack = float((p.m - p.r).min())
        words += (
            f"The cheapest such plan costs δ_min = {wording.amount(plan.delta_min)}. With δ_add = "
            f"{wording.amount(p.scenario.delta_add)} on top, the budget is δ = "
            f"{wording.amount(plan.delta)}, and this plan uses {wording.amount(plan.cost)} of it."
        )
        formulas += [
            rows(
                r"\delta &= \delta_{\min} + \delta_{\mathrm{add}}",
                rf"&= {in_tex(plan.delta_min)} + {in_tex(p.scenario.delta_add)} "
                rf"= {in_tex(plan.delta)}",
                rf"c(x, x_0) &= {in_tex(plan.cost)} \le \delta",
            ),
            rf"\min_k\,(m_k - r_k) = {in_tex(slack)} \ge {in_tex(margin)} = \varepsilon",
        ]
    else:
        words += "No point does all that here, at any effort."
    return Section(
        "Which plans are allowed",
        words,
        tuple(formulas),
        "In the paper: Section 3.3, the set X_ε and the problem that defines δ_min. Both use the "
        "same ε here.",
    )


def one_component(p: Point) -> Section:
    """Dinkelbach's iteration."""
    words = (
        "With one component (or when only the worst one counts) the best plan is the one with the "
        "largest score. Guess a score; ask a cone program which allowed plan keeps the most "
        "reserve at that score; take that plan's own score as the next guess. When no reserve is "
        "left, no plan can score higher: that is a proof, and it takes two to four rounds."
    )
    formulas = [
        rows(
            r"x^{+} &\in \arg\max_{x \in \mathcal X_\varepsilon}\ m(x) - a\,s(x)",
            r"&\qquad - \sqrt{1+a^2}\;r(x)",
            r"a^{+} &= a(x^{+})",
        )
    ]
    if p.has_plan and p.one_score_decides and p.safe:
        exact = p.solution.plan.exact
        problem = p.case.problem
        start, end = exact.trace[0].x, exact.trace[-1].x
        first, last = (float(problem.objective.scores(x).min()) for x in (start, end))
        words += (
            f" Here it went from the cheapest valid plan, with a score of {first:.3g}, to "
            f"{last:.3g}, with {exact.solves} cone programs."
        )
        formulas.append(rf"a:\quad {in_tex(first)} \;\longrightarrow\; {in_tex(last)}")
    elif not p.one_score_decides:
        words += (
            f" There are {p.components} components here, so this only gives each one's own best; "
            "the next section puts them together."
        )
    return Section(
        "One component: the best plan and its proof",
        words,
        tuple(formulas),
        BEYOND + "the paper uses Algorithm 1 (appendix), which goes downhill and proves nothing "
        "about where it stops. The Geometry page shows both.",
    )


def mixtures(p: Point) -> Section:
    """Bound, majorise–minimise, branch and bound."""
    words = (
        "With several components the sum of their worst cases has no such shortcut, so three "
        "things are done. **Bound:** no plan can beat what each component could reach on its own. "
        "**Improve:** around a known plan the problem is replaced by a convex one that lies above "
        "it and touches it there; its best plan cannot be worse. **Branch:** the range of possible "
        "scores is cut into boxes, and boxes that cannot hold a better plan are thrown away."
    )
    formulas = [
        rows(
            r"&\text{bound:}",
            r"&\sum_k \hat p_k\, f\big(\max_x a_k(x)\big)",
            r"&\le \min_x \sum_k \hat p_k\, f\big(a_k(x)\big)",
        ),
        rows(
            r"&\text{improve:}",
            r"&m \ge \tfrac12 c\,s^2 + \tfrac12 e\,r^2",
            r"&\qquad + \tfrac12\big(\tfrac1c + \tfrac1e\big)a^2 + \tfrac1{2e}",
            r"&c = \tfrac{a}{s},\quad e = \tfrac{\sqrt{1+a^2}}{r}",
        ),
    ]
    m, s, r, a = p.numbers
    if p.safe and s > 0 and r > 0 and math.isfinite(a):
        formulas.append(
            rows(
                rf"&c = \tfrac{{{in_tex(a)}}}{{{in_tex(s)}}},\quad "
                rf"e = \tfrac{{\sqrt{{1+{in_tex(a)}^2}}}}{{{in_tex(r)}}}",
                rf"&\text{{here both sides are }} {in_tex(m)}",
            )
        )
    table = None
    if p.one_score_decides:
        words += " None of this is needed here: one score decides."
    elif p.has_plan:
        exact = p.solution.plan.exact
        words += (
            f" Here: {exact.solves} cone programs, {exact.nodes} "
            f"{'region' if exact.nodes == 1 else 'regions'}."
        )
        table = pd.DataFrame(
            {
                "Step": [step.note for step in exact.trace],
                "Worst case of the plan held": [f"{step.value:.5f}" for step in exact.trace],
                "Proven lower bound": [f"{step.lower_bound:.5f}" for step in exact.trace],
            }
        ).set_index("Step")
    return Section(
        "Several components: bound, improve, branch",
        words,
        tuple(formulas),
        BEYOND + "there the weighted sum is minimised by Algorithm 1 (appendix) without a bound.",
        table,
    )


def downhill(p: Point) -> Section:
    """Algorithm 1: projected gradient with a line search, and how it converges."""
    path = computing.algorithm_1_walk(p.scenario) if p.has_plan else None
    words = (
        "The paper goes downhill: step against the gradient, project back into the allowed set, "
        "and shorten the step (ζ, then 0.7 ζ, …) until the worst case falls by enough."
    )
    picture = None
    if path is not None and len(path.steps) > 1:
        values = [step.value for step in path.steps]
        bound = p.solution.plan.exact.lower_bound
        words += (
            f" Here {len(values) - 1} steps lead from {values[0]:.4f} to {values[-1]:.4f}; the "
            f"proven bound of the next sections is {bound:.4f}. Going downhill alone does not say "
            "how far away the bottom is."
        )
        picture = descent(values, bound, theme())
    return Section(
        "Algorithm 1: going downhill",
        words,
        (
            rows(
                r"x^{+} &= \mathrm{Proj}_{\mathcal X_\varepsilon}\big(x - \zeta\nabla f(x)\big)",
                r"f(x^{+}) &\le f(x) - \tfrac{1}{2\zeta}\lVert x - x^{+}\rVert^2",
            ),
        ),
        "In the paper: appendix, Algorithm 1; it converges to a stationary point.",
        picture=picture,
    )


def certificate(p: Point) -> Section:
    """Value, bound and gap."""
    if not p.has_plan:
        return Section("The certificate", NOTHING, (), BEYOND + "the paper has no certificate.")
    plan = p.solution.plan
    words = (
        f"In the worst case {at_most(plan.worst_case_probability)} decline this plan, and "
        f"no plan within the budget can promise fewer than {no_fewer(plan.lower_bound)}. "
        f"The difference is the gap; rounding to whole units makes up "
        f"{out_of(plan.rounding_loss)} of it. "
        "With several components the gap closes as far as one is willing to wait."
    )
    return Section(
        "The certificate",
        words,
        (
            rows(
                r"\text{gap} &= \text{value} - \text{lower bound}",
                rf"&= {plan.worst_case_probability:.6f} - {plan.lower_bound:.6f}",
                rf"&= {plan.gap:.6f}",
            ),
        ),
        BEYOND + "the paper has no certificate. “Why it holds” on the workbench "
        "can tighten this one.",
        tried="certificate",
    )


def adversary(p: Point) -> Section:
    """The worst model inside the ball, and that it sits exactly on it."""
    k = p.k
    worst, mean, deviation = p.adversary
    # Without doubt the distance is 0 up to rounding.
    distance = round(p.distance(worst.mean, worst.covariance), 6)
    if p.a[k] == -math.inf:
        words = (
            f"Who attains the worst case? No effort is needed: at a distance of {distance:.3g}, "
            f"well within ρ = {p.rho:g}, all models decline {p.name} for certain."
        )
    else:
        words = (
            "Who attains the worst case? One average model and one scatter, at a distance of "
            f"exactly ρ: it lowers the score of {p.name} from {in_text(p.m[k])} to "
            f"{in_text(mean)} and changes the scatter from {in_text(p.s[k])} to "
            f"{in_text(deviation)}. Nothing within the radius of doubt does more harm. The "
            "workbench draws it as “the model that would undo it”."
        )
    formulas = [
        rows(
            r"\theta^\star &= \hat\theta - \rho\cos\varphi\,\frac{Mx}{\sqrt{x^\top Mx}}",
            r"\Sigma^\star &= T\hat\Sigma T^\top,\quad "
            r"T = I + \frac{\rho\sin\varphi}{\sqrt{x^\top Mx}\,s}\,Mxx^\top",
            r"M &= \hat\Sigma" if p.in_deviations else "M &= I",
            r"\cos\varphi &= \frac{1}{\sqrt{1+a^2}},\quad "
            r"\sin\varphi = \frac{a}{\sqrt{1+a^2}}",
        ),
        rows(
            r"&\mathbb G\big((\theta^\star,\Sigma^\star),(\hat\theta,\hat\Sigma)\big)",
            rf"&= {in_tex(distance)}, \qquad \rho = {in_tex(p.rho)}",
        ),
    ]
    if math.isfinite(p.a[k]):
        formulas.append(
            rf"\frac{{\theta^{{\star\top}} x}}{{\sqrt{{x^\top\Sigma^\star x}}}} = "
            rf"\frac{{{in_tex(mean)}}}{{{in_tex(deviation)}}} = {in_tex(p.a[k])} = a"
        )
    return Section(
        "The adversary",
        words,
        tuple(formulas),
        BEYOND + "the paper computes the worst case (Definition of the Gelbrich distance and "
        "Proposition “Worst-case probability”) without naming who attains it.",
        tried="adversary",
    )


def ceiling_on_rho(p: Point) -> Section:
    """How large ρ can be."""
    theta = math.hypot(*p.case.problem.mixture.means[p.k])
    largest = computing.largest_radius(p.scenario)
    everyone, bound = "", []
    if not p.in_deviations:
        everyone = (
            f"A ρ as large as the length of the average model itself, {theta:.3g}, leaves nothing "
            "for anybody: within it lies the model that declines everyone. "
        )
        bound = [
            rows(
                r"m > r &\iff \hat\theta_k^\top x > \rho_k\lVert x\rVert",
                rf"&\implies \rho_k < \lVert\hat\theta_k\rVert = {in_tex(theta)}",
            )
        ]
    words = (
        f"The more doubt, the fewer plans survive it, and there is an end. {everyone}With what "
        f"this applicant may change, the end comes at **ρ = {largest:.3g}**, whatever the effort."
        if largest > 0.0
        else "The more doubt, the fewer plans survive it. For this applicant not even ρ = 0 leaves "
        "a plan: what may not change stands in the way."
    )
    return Section(
        "The ceiling on ρ",
        words,
        (
            *bound,
            rf"\rho_{{\max}} = \max_{{x \text{{ allowed}}}} \min_k "
            rf"\frac{{\hat\theta_k^\top x - \varepsilon}}{{{p.length_in_tex}}} = {in_tex(largest)}",
        ),
        "In the paper: Section 3.1, the condition of the set X. The ceiling itself goes beyond it.",
        tried="ceiling",
    )
