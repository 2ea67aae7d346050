"""The beginning: a decision, the effort of a change, the worst future, and how far it may be."""

from dirrac_core.models.classifiers import LinearModel
from pages.learn.point import Point, Section, rows
from pages.shared import wording
from pages.shared.numbers import in_tex, in_text
from pages.shared.plain_text import plain


def decision(p: Point) -> Section:
    """The classifier of today and its answer."""
    case = p.case
    chance = float(case.bundle.current.probability(case.x0[None, :-1])[0])
    words = (
        "A model adds up what it knows about a person, each feature times a weight, and says yes "
        f"when the sum is above 0. For {wording.applicant_name(p.scenario.applicant)} it says no: "
        f"the chance of a favourable outcome is put at {100 * chance:.0f} in 100, and "
        "a yes needs more than the cut-off. "
        "**Recourse** is what the person could change so that the answer becomes yes."
    )
    current = case.bundle.current
    filled = (
        (rf"\theta^\top x_0 = {in_tex(float(current.theta @ case.x0))}",)
        if isinstance(current, LinearModel)
        else ()
    )
    return Section(
        "A decision",
        words,
        (
            rows(r"h_\theta(x) = 1 &\iff \theta^\top x \ge 0", r"x &= (x_1, \dots, x_d, 1)"),
            *filled,
        ),
        "In the paper: Section 2. The constant 1 at the end of x carries the bias.",
    )


def effort(p: Point) -> Section:
    """The cost of a change."""
    cost = p.case.problem.unbounded.cost_of(p.x)
    norm = p.scenario.cost
    words = (
        "Every change asks something of a person. Features are scaled to run from 0 to 1, so an "
        "effort of 1 is a walk through the whole range of a number; taking another category "
        "counts 2. "
        + (
            f"This plan has an effort of {wording.amount(cost)}."
            if p.has_plan
            else "The applicant unchanged has an effort of 0."
        )
    )
    return Section(
        "The effort of a change",
        words,
        (rf"c(x, x_0) = \lVert x - x_0\rVert_{norm[-1]} = {in_tex(cost)}",),
        "In the paper: Section 2, the cost c(x, x₀).",
    )


def minimax(p: Point) -> Section:
    """Minimise what the worst future does."""
    words = (
        "Models are trained again, and the next one may think differently. So a plan is not judged "
        "by today's model but by the **worst future that was declared possible**: nature picks the "
        "distribution of future models that declines it most often, and we pick the plan for "
        "which even that is as small as it can be, within a budget of effort."
    )
    return Section(
        "The best plan against the worst future",
        words,
        (
            rows(
                r"\min_{x:\ c(x, x_0) \le \delta}\ & \max_{\mathbb P \in \mathbb B}\ "
                r"\mathbb P\big(\theta^\top x < 0\big)",
                r"\text{s.t.}\ & x \text{ allowed}",
            ),
        ),
        "In the paper: Section 3, the min–max problem of DiRRAc.",
    )


def ambiguity(p: Point) -> Section:
    """Which futures are declared possible, and how far apart two of them are."""
    mixture, other = p.case.problem.mixture, (p.k + 1) % p.components
    names = [p.component(each) for each in range(p.components)]
    shown = ", ".join(names[:4]) + (", …" if len(names) > 4 else "")
    unit = "standard deviations of a re-training" if p.in_deviations else "units of model weights"
    words = (
        "Declared possible are "
        f"{p.components} {'kind' if p.components == 1 else 'kinds'} of future ({plain(shown)}), "
        "each an average model θ̂ with a scatter Σ̂, and everything within a distance ρ of "
        f"them, here ρ = {p.rho:g} {unit}. The distance looks at the average and the scatter only, "
        "so the distribution may have any shape."
    )
    formulas = [
        rows(
            r"\mathbb B = \Big\{\textstyle\sum_k \hat p_k\,\mathbb Q_k :\ &"
            r"\mathbb G\big((\mu_k,\Sigma_k),(\hat\theta_k,\hat\Sigma_k)\big)",
            r"&\le \rho_k\Big\}",
        ),
        rows(
            r"\mathbb G^2 =\ & \lVert \mu - \hat\theta\rVert^2",
            r"& + \operatorname{tr}\big(\Sigma + \hat\Sigma",
            r"& - 2(\hat\Sigma^{1/2}\Sigma\hat\Sigma^{1/2})^{1/2}\big)",
        ),
    ]
    if p.components > 1:
        apart = p.distance(mixture.means[other], mixture.covariances[other])
        words += (
            f" For scale: {plain(names[p.k])} and {plain(names[other])} are {in_text(apart)} apart."
        )
        formulas.append(rf"\mathbb G(k, k') = {in_tex(apart)}")
    return Section(
        "Which futures are possible",
        words,
        tuple(formulas),
        "In the paper: Section 3, the ambiguity set and the Gelbrich distance. With ρ in standard "
        "deviations the distance is measured after dividing by them.",
    )
