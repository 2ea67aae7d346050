"""What is promised, what is not, and what stays a matter of judgement, in plain words."""

import streamlit as st

from dirrac_core.case.scenario import Scenario
from pages.shared import computing, wording
from pages.shared.coverage import describe_coverage
from pages.shared.navigation import file_of
from pages.shared.plain_text import bullets
from pages.shared.promise import decline_at_most, promise_headline, word_for

PROMISED = (
    "**The plan keeps its rules.** After solving and rounding, every condition is checked again "
    "from scratch: what may not change, every range, real categories, the budget, and that "
    "today's model accepts it. A plan that fails its own checklist is an error, never a plan. "
    "(A neural network is not linear, so its own decision is shown next to the plan, also when it "
    "says no.)",
    "**The worst case.** “At most 12 of 100” holds for every distribution of future models whose "
    "average and scatter lie within ρ of the components that were declared, with the weights that "
    "were set, whatever its shape. It is proven, not simulated.",
    "**The certificate.** No plan within the same rules and the same budget can promise fewer "
    "than the lower bound next to it.",
    "**The same answer again.** The same settings and the same seed give the same plan on every "
    "run, unless a very large problem meets the time limit; “Why it holds” then says so.",
)
NOT_PROMISED = (
    "**Futures that were not declared.** A shift outside the declared set is not covered, however "
    "small the promised number is. Nothing on these pages knows the future: ρ, the components "
    "and the declared shifts are choices, and the worst case is only as good as they are.",
    "**A bell curve.** The figure “if Gaussian” is smaller because it assumes more. If future "
    "models do not scatter like that, it does not hold.",
    "**That what was observed will happen again.** “2 of 100 declined it” is a count over the "
    "models that happened to be trained on the shifted data we have. It promises nothing.",
    "**A good outcome.** The plan is about the model's decision. Being accepted does not make a "
    "loan repayable or an exam passed, and a model may be wrong about a person.",
    "**Causes.** Features are changed one by one as if the others stayed put. In life a shorter "
    "loan may bring other changes along; only the rules between features that are stated are "
    "kept.",
    "**That the effort is fair.** Effort counts how far a feature moves within its range. What a "
    "change really asks of this person is something only they can say; the effort of each feature "
    "can be set under “How hard” on the workbench.",
    "**A network's own worst case.** For a neural network the mathematics is about a linear "
    "approximation near the applicant, so its worst case is about that approximation only.",
)
CAUTION = (
    "These pages are for study and preparation. They decide about nobody, they are not legal "
    "advice, and they claim no compliance with any law. Whether a decision, an explanation or the "
    "use of a feature such as age, sex or personal status is lawful depends on where and how it is "
    "used, and has to be judged by the people who answer for it. A plan is not a promise of "
    "credit or of a pass: only whoever decides can promise that."
)
LESSON = (
    "The German credit data show what an undeclared shift can do. The file of 1994 had the names "
    "of the checking-account codes wrong. With effort enough to change a category, the plan that "
    "is safest against re-trainings on that file moves people to “no account”, with a small and "
    "correct worst case; once the codes were corrected, most later models decline it. Declare that "
    "the coding may be corrected, and the plan avoids the trap."
)


def show_limits(scenario: Scenario) -> None:
    """The whole chapter."""
    st.subheader("What is promised")
    st.markdown(bullets(PROMISED))
    st.subheader("What is not")
    st.markdown(bullets(NOT_PROMISED))
    st.subheader("How this looks here and now")
    _here(scenario)
    st.subheader("A worst case covers the shifts you have declared")
    st.markdown(LESSON)
    st.page_link(
        file_of("future_models"), label="The German lesson, live", icon=":material/scatter_plot:"
    )
    st.subheader("A word of caution")
    st.markdown(CAUTION)


def _here(scenario: Scenario) -> None:
    """The three kinds of numbers of the current plan, and whether reality was declared."""
    found = computing.solution(scenario).plan
    name = wording.applicant_name(scenario.applicant)
    if found.x is None:
        st.markdown(f"{name} has no plan under the present settings, so nothing is promised.")
        st.page_link(file_of("recourse"), label=wording.WHY_NO_PLAN, icon=":material/route:")
        return
    facts = computing.facts(scenario, tuple(found.x))
    total = len(facts.observed)
    counted = wording.counted_word(computing.bundle(scenario).future)
    st.markdown(
        f"For the plan of {name}:\n\n"
        f"- **{word_for(scenario)}:** {promise_headline(facts.guarantee).lower()}.\n"
        f"- **Assumption:** of 100, {decline_at_most(facts.if_gaussian)}, if Gaussian.\n"
        f"- **{counted}:** of {total} later models, {facts.declined} declined it."
    )
    outlook = computing.outlook(scenario)
    if outlook is not None:
        st.markdown(describe_coverage(computing.case(scenario), outlook))
